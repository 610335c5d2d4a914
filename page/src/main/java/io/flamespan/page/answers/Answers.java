/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.gate.Rules;
import io.flamespan.page.output.GateMarkdown;
import io.flamespan.page.output.Markdown;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Slowest;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadResult;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.TraceSpan;
import io.flamespan.page.results.Unjoined;
import io.flamespan.page.timeline.Held;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Short answers to questions about results, each a table with what it leaves out. Sums are the same
 * as in summary.json.
 */
final class Answers {
  /** Selects the CPU time without a Link in place of an endpoint. */
  static final String NO_REQUEST = "(no request)";

  private static final String ALL = "all endpoints";
  private static final int NODES = 50_000;

  /** The thread that runs a main method, and how it is called once that has returned. */
  private static final Set<String> MAIN_THREADS = Set.of("main", "DestroyJavaVM");

  private static final String OTHERS = ". `--package` sets others.";
  private static final String HARDLY_ANY =
      ". Hardly any of this is own. If that is wrong, name your packages with `--package"
          + " com.example`.";

  private static final int MOST_PACKAGES = 5;
  private static final int ENDPOINTS_OF_OWN_CODE = 10;
  private static final int MOST_HOLDERS = 20;
  private static final int MOST_LAST = 3; // holders of locks
  private static final int LAST = 500; // bytes about them
  private static final int MOST_SEARCHED = 10; // endpoints whose requests are searched for a method
  private static final int SERVICES = 300; // bytes about those that have the endpoint, too
  private static final int MOST_NAMES = 5; // of methods with the name of a question
  private static final int MOST_REQUESTS = 3; // of a trace that have a sentence
  private static final int SENTENCES = 1_200; // bytes

  /** The question names something that does not exist. */
  static final class QuestionException extends Exception {
    private static final long serialVersionUID = 1;

    QuestionException(String message) {
      super(message);
    }

    @Override
    @SuppressWarnings("NullAway") // each has one
    public String getMessage() {
      return super.getMessage();
    }
  }

  private final Results results;
  private final Optional<Comparison> comparison;
  private final Optional<Asked.Gates> gates;
  private final List<EndpointResult> endpoints;
  private final List<Measure> more; // which have columns only if there are samples
  private final EndpointNames names;
  private final NextQuestions next;
  private final Sentence sentence;
  private @Nullable OwnCode ownCode;

  Answers(Asked.Data data) {
    this.results = data.results();
    this.comparison = data.comparison();
    this.gates = data.gates();
    this.endpoints = results.endpoints(Integer.MAX_VALUE);
    this.more =
        Stream.of(Measure.ALLOC, Measure.LOCK)
            .filter(one -> results.received().count(one) > 0)
            .toList();
    this.names = new EndpointNames(ids(), List.of(NO_REQUEST, ALL));
    this.sentence = Sentence.of(results::recorded, Answer::name);
    this.next = new NextQuestions(results, names);
  }

  /** Of the endpoints with one name, the one with the most time first. */
  private Set<EndpointNames.Id> ids() {
    Set<String> names = new HashSet<>();
    Set<String> ofSeveral = new HashSet<>();
    endpoints.stream()
        .map(EndpointResult::name)
        .filter(one -> !names.add(one))
        .forEach(ofSeveral::add);
    Set<EndpointNames.Id> ids = new LinkedHashSet<>();
    endpoints.stream()
        .sorted(Comparator.comparingDouble(one -> ofSeveral.contains(one.name()) ? -time(one) : 0))
        .forEach(one -> ids.add(EndpointNames.Id.of(one)));
    comparison.ifPresent(
        both ->
            both.changes()
                .forEach(one -> ids.add(new EndpointNames.Id(one.name(), one.service()))));
    return ids;
  }

  /** The packages are separated by commas. If there are none, the stacks tell what is own code. */
  private OwnCode ownCode(String packages) {
    if (!packages.isBlank()) {
      return OwnCode.of(Stream.of(packages.split(",")).map(String::strip).toList());
    }
    if (ownCode == null) {
      ownCode =
          OwnCode.of(
              Stream.of(endpoints, byTime())
                  .flatMap(
                      all ->
                          all.stream()
                              .filter(one -> !one.tally().isEmpty())
                              .limit(ENDPOINTS_OF_OWN_CODE))
                  .distinct()
                  .map(one -> one.tree(NODES))
                  .toList(),
              results.threads(Integer.MAX_VALUE).stream()
                  .filter(thread -> MAIN_THREADS.contains(thread.name()))
                  .map(thread -> thread.tree(NODES))
                  .toList());
    }
    return ownCode;
  }

  /** The endpoints for whose requests clients waited the longest first. */
  private List<EndpointResult> byTime() {
    List<EndpointResult> sorted = new ArrayList<>(endpoints);
    sorted.sort(Comparator.comparingDouble(one -> -time(one)));
    return sorted;
  }

  private static double time(EndpointResult endpoint) {
    return endpoint.meanNanos() * endpoint.requests();
  }

  /** What own code is, below a table of methods. */
  private static String note(OwnCode own) {
    String packages =
        own.packages().isEmpty()
            ? "all but the JDK and known libraries"
            : own.packages().stream()
                .map(one -> one.isEmpty() ? "(no package)" : Answer.name(one))
                .limit(MOST_PACKAGES)
                .collect(Collectors.joining(", "));
    return "Own is what passed in the method and in library code below it. Own code: "
        + packages
        + (own.packages().size() > MOST_PACKAGES ? ", …" : "");
  }

  /** The same, and what to do if it is hardly in the table. */
  private static String note(OwnCode own, long ownNanos, long whole) {
    return note(own) + (ownNanos * 10 < whole ? HARDLY_ANY : OTHERS);
  }

  /** All endpoints, and the CPU time that is not of a request. */
  String endpoints() {
    Tally all = sum(endpoints);
    long received = results.received().cpuNanos();
    Answer answer =
        new Answer()
            .line(
                "Endpoints by the time of all their requests. The share is of all CPU time"
                    + " received.")
            .line("")
            .line(
                "| endpoint | service | requests | mean ms | p99 ms | CPU ms | share %% |"
                    + " CPU ms per request | waiting ms | mostly |%s",
                Kinds.cells(more, Kinds::column))
            .line(
                "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --- |%s",
                Kinds.cells(more, one -> "--:"));
    List<EndpointResult> sorted = byTime();
    List<String> rows = new ArrayList<>();
    for (EndpointResult one : sorted) {
      rows.add(
          Answer.row(
                  names.printed(one),
                  Answer.name(one.service()),
                  one.requests(),
                  Answer.millions(one.meanNanos()),
                  Answer.millions(one.p99Nanos()),
                  Answer.millions(one.tally().cpuNanos()),
                  Answer.percent(one.tally().cpuNanos(), received),
                  Answer.millions((double) one.tally().cpuNanos() / one.requests()),
                  Answer.millions(one.tally().waitingNanos()),
                  NextQuestions.mostly(one))
              + Kinds.cells(more, more -> Answer.millions(one.tally().amount(more))));
    }
    Answer end = new Answer();
    total(end, ALL, endpoints, received);
    end.line("");
    List<String> reasons = new ArrayList<>();
    for (Unjoined reason : Unjoined.values()) {
      long cpu = results.unjoined(reason).cpuNanos();
      if (cpu > 0) {
        reasons.add(
            reason.reason()
                + " "
                + Answer.millions(cpu)
                + " ("
                + Answer.percent(cpu, received)
                + " %)");
      }
    }
    end.line(
        "CPU ms received: %s. Of endpoints: %s. Not of an endpoint: %s.",
        Answer.millions(received),
        Answer.millions(all.cpuNanos()),
        reasons.isEmpty() ? "none" : String.join(", ", reasons));
    for (Measure measure : more) {
      end.line(
          "%s received: %s. Of endpoints: %s.",
          Kinds.column(measure),
          Answer.millions(results.received().amount(measure)),
          Answer.millions(all.amount(measure)));
    }
    sorted.stream().limit(1).forEach(one -> parts(end, one));
    notRecorded(end);
    next.ofEndpoints(end, sorted);
    int shown = answer.rows(rows, end);
    if (shown < rows.size()) {
      List<EndpointResult> others = sorted.subList(shown, rows.size());
      total(answer, "(" + others.size() + " other endpoints)", others, received);
    }
    return answer.add(end).toString();
  }

  private void total(Answer answer, String title, List<EndpointResult> of, long received) {
    Tally tally = sum(of);
    long requests = of.stream().mapToLong(EndpointResult::requests).sum();
    answer.line(
        "%s",
        Answer.row(
                title,
                "",
                requests,
                "",
                "",
                Answer.millions(tally.cpuNanos()),
                Answer.percent(tally.cpuNanos(), received),
                Answer.millions((double) tally.cpuNanos() / Math.max(1, requests)),
                Answer.millions(waiting(of)),
                "")
            + Kinds.cells(more, one -> Answer.millions(tally.amount(one))));
  }

  /** What the durations of an endpoint consist of. */
  private void parts(Answer answer, EndpointResult endpoint) {
    Measured all = endpoint.measured();
    if (all.durationNanos() == 0) {
      return;
    }
    String name = names.printed(endpoint);
    List<String> lines = new ArrayList<>();
    lines.add(
        "The mean request of "
            + name
            + ": "
            + fitting(tree -> sentence.ofMean(all, tree), endpoint.tree(NODES))
            + ".");
    Slowest.of(endpoint, Slowest.MOST)
        .ifPresent(
            slowest ->
                lines.add(
                    "The mean of its slowest "
                        + slowest.measured().requests()
                        + ": "
                        + fitting(tree -> sentence.ofMean(slowest.measured(), tree), slowest.tree())
                        + "."));
    answer.line("").lines(lines, SENTENCES);
  }

  /** Without the names of methods if these take too much room. */
  private static String fitting(Function<FlameTree, String> sentence, FlameTree tree) {
    return fitting(sentence, tree, SENTENCES);
  }

  private static String fitting(Function<FlameTree, String> sentence, FlameTree tree, int most) {
    String text = sentence.apply(tree);
    return Answer.size(text) <= most ? text : sentence.apply(new FlameTree(""));
  }

  private void partsOfNamed(Answer answer, String endpoint) throws QuestionException {
    if (isOne(endpoint)) {
      parts(answer, named(endpoint));
    }
  }

  private void notRecorded(Answer answer) {
    results.recorded().missing().ifPresent(text -> answer.line("").line("%s", text));
  }

  private static long waiting(List<EndpointResult> endpoints) {
    return endpoints.stream().mapToLong(one -> one.tally().waitingNanos()).sum();
  }

  private static Tally sum(List<EndpointResult> endpoints) {
    Tally sum = new Tally();
    endpoints.forEach(one -> sum.add(one.tally()));
    return sum;
  }

  /** The methods of an endpoint with the most of a kind; of all if it is empty. */
  String methods(String endpoint, String kind, String sort, String packages)
      throws QuestionException {
    Measure measure = Kinds.measure(kind);
    ToLongFunction<MethodTimes.Times> order = MethodTable.sort(sort);
    OwnCode own = ownCode(packages);
    MethodTimes times = new MethodTimes(own);
    for (FlameTree tree : trees(endpoint)) {
      times.add(tree, node -> tree.amount(measure, node));
    }
    Answer answer =
        about(endpoint)
            .line(
                "Methods by %s, of %s. Total includes all calls.",
                Kinds.title(measure), title(endpoint))
            .line("");
    Answer end = new Answer().line("").line("%s", note(own, times.own(), times.whole()));
    partsOfNamed(end, endpoint);
    if (isOne(endpoint)) {
      NextQuestions.ofMethods(end, title(endpoint), named(endpoint).tally(), measure);
    }
    new MethodTable(measure, times).write(answer, order, end);
    return answer.toString();
  }

  /** Where requests wait: the endpoints, or the reasons and methods of one of them. */
  String waiting(String endpoint, String packages) throws QuestionException {
    if (!endpoint.isEmpty()) {
      OwnCode own = ownCode(packages);
      Waits waits = new Waits(own);
      waits.add(trees(endpoint));
      Answer of =
          about(endpoint).line("Waits of %s, by method and reason.", title(endpoint)).line("");
      Answer end = new Answer();
      partsOfNamed(end, endpoint);
      if (!held(end, measured(endpoint))) {
        holders(end, waits);
      }
      end.line("").line("%s", note(own, waits.ownNanos(), waits.whole()));
      if (isOne(endpoint)) {
        NextQuestions.ofWaits(end, title(endpoint), named(endpoint).tally(), waits);
      }
      waits.write(of, end);
      return of.toString();
    }
    Answer answer =
        new Answer()
            .line(
                "Endpoints by waiting, as far as the profiler recorded waits. Not known is the part")
            .line("of the durations of which neither samples nor the process tell.")
            .line("")
            .line(
                "| endpoint | service | requests | waiting ms | waits | per request ms | not known ms"
                    + " |")
            .line("| --- | --- | --: | --: | --: | --: | --: |");
    List<EndpointResult> sorted = new ArrayList<>(endpoints);
    sorted.sort(Comparator.comparingLong(one -> -one.tally().waitingNanos()));
    List<String> rows = new ArrayList<>();
    sorted.forEach(one -> rows.add(waits(names.printed(one), List.of(one))));
    Answer end =
        new Answer()
            .line("%s", waits(ALL, sorted))
            .line("")
            .line("Waiting ms received: %s.", Answer.millions(results.received().waitingNanos()));
    next.ofWaitingEndpoints(end, sorted);
    int shown = answer.rows(rows, end);
    if (shown < rows.size()) {
      String others = "(" + (rows.size() - shown) + " other endpoints)";
      answer.line("%s", waits(others, sorted.subList(shown, rows.size())));
    }
    return answer.add(end).toString();
  }

  /** What was measured of endpoints. */
  private Measured measured(String endpoint) throws QuestionException {
    Measured sum = Measured.sum();
    if (isOne(endpoint)) {
      sum.add(named(endpoint).measured());
    } else if (isAll(endpoint)) {
      endpoints.forEach(one -> sum.add(one.measured()));
    }
    return sum;
  }

  /** Who held the locks for which requests waited. Returns false if nothing was recorded. */
  private static boolean held(Answer answer, Measured measured) {
    if (measured.held().isEmpty()) {
      return false;
    }
    long known = 0;
    long all = 0;
    for (Map.Entry<Held, Long> one : measured.held().entrySet()) {
      known += one.getKey().isKnown() ? one.getValue() : 0;
      all += one.getValue();
    }
    String line =
        String.format(
            Locale.ROOT,
            "Who held the locks%s, in ms of waiting, of %s of %s ms known",
            measured.held().keySet().stream().anyMatch(Held::isLast) ? " last" : "",
            Answer.millions(known),
            Answer.millions(Math.max(all, Parts.of(measured).nanos(Part.LOCK))));
    String separator = ": ";
    for (Map.Entry<Held, Long> one : measured.longestHeld(MOST_LAST)) {
      String lock = one.getKey().lockName();
      String by = one.getKey().by();
      String more =
          separator
              + (lock.isEmpty() ? "a lock" : Answer.name(lock))
              + " by "
              + (by.isEmpty() ? "somebody" : Answer.name(by))
              + ' '
              + Answer.millions(one.getValue());
      if (Answer.size(line + more) > LAST) {
        break;
      }
      line += more;
      separator = ", ";
    }
    answer.line("").line("%s.", line);
    return true;
  }

  /** Who may hold the locks for which own code waits. */
  private void holders(Answer answer, Waits waits) {
    Set<String> classes = waits.classesWithLocks();
    if (classes.isEmpty()) {
      return;
    }
    Map<List<Frame>, Long> sums =
        waits.holders(
            () ->
                Stream.concat(
                        byTime().stream().limit(MOST_HOLDERS).map(one -> one.tree(NODES)),
                        results.threads(MOST_HOLDERS).stream().map(one -> one.tree(NODES)))
                    .iterator(),
            classes);
    String holders =
        sums.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<List<Frame>, Long> one) -> -one.getValue())
                    .thenComparing(one -> one.getKey().toString()))
            .limit(3)
            .map(one -> Callers.text(one.getKey()) + " " + Answer.millions(one.getValue()))
            .collect(Collectors.joining(", "));
    answer.line("");
    answer.line(
        "Who holds a lock is not recorded. Perhaps, by what the same classes did otherwise, in all"
            + " endpoints and threads, in ms: %s.",
        holders.isEmpty() ? "none" : holders);
  }

  private static String waits(String title, List<EndpointResult> of) {
    Tally tally = sum(of);
    long requests = of.stream().mapToLong(EndpointResult::requests).sum();
    return Answer.row(
        title,
        of.size() == 1 ? Answer.name(of.get(0).service()) : "",
        requests,
        Answer.millions(waiting(of)),
        Math.max(tally.waits(), tally.count(Measure.LOCK)),
        Answer.millions((double) waiting(of) / Math.max(1, requests)),
        Answer.millions(
            of.stream().mapToLong(one -> Parts.of(one.measured()).nanos(Part.NOT_KNOWN)).sum()));
  }

  private List<FlameTree> trees(String endpoint) throws QuestionException {
    if (endpoint.equals(NO_REQUEST)) {
      return results.threads(Integer.MAX_VALUE).stream()
          .map((ThreadResult thread) -> thread.tree(NODES))
          .toList();
    }
    if (isAll(endpoint)) {
      return endpoints.stream().map(one -> one.tree(NODES)).toList();
    }
    return List.of(named(endpoint).tree(NODES));
  }

  private static boolean isAll(String endpoint) {
    return endpoint.isEmpty() || endpoint.equals(ALL);
  }

  private static boolean isOne(String endpoint) {
    return !isAll(endpoint) && !endpoint.equals(NO_REQUEST);
  }

  private String title(String endpoint) throws QuestionException {
    return isOne(endpoint)
        ? names.printed(meant(endpoint).endpoint())
        : endpoint.isEmpty() ? ALL : endpoint;
  }

  /** The begin of an answer, which says if the question may mean another service's endpoint. */
  private Answer about(String endpoint) throws QuestionException {
    Answer answer = new Answer();
    List<EndpointNames.Id> others = isOne(endpoint) ? meant(endpoint).others() : List.of();
    if (others.isEmpty()) {
      return answer;
    }
    String text = "";
    int shown = 0;
    while (shown < others.size()) {
      String more = (shown == 0 ? "`" : ", `") + names.printed(others.get(shown)) + "`";
      if (Answer.size(text + more) > SERVICES) {
        break;
      }
      text += more;
      shown++;
    }
    String rest = (shown == 0 ? "" : ", and ") + (others.size() - shown) + " more";
    return answer
        .line(
            "This is about %s. Other services have this endpoint, too: %s%s.",
            title(endpoint), text, shown == others.size() ? "" : rest)
        .line("");
  }

  private EndpointResult named(String asked) throws QuestionException {
    EndpointNames.Id endpoint = meant(asked).endpoint();
    return endpoints.stream()
        .filter(one -> EndpointNames.Id.of(one).equals(endpoint))
        .findFirst()
        .orElseThrow(
            () ->
                new QuestionException(
                    names.printed(endpoint) + " is an endpoint of the baseline only"));
  }

  private EndpointNames.Meant meant(String asked) throws QuestionException {
    return names
        .meant(asked)
        .orElseThrow(
            () ->
                new QuestionException(
                    "no endpoint is named " + Answer.name(asked) + suggestion(asked)));
  }

  private String suggestion(String name) {
    String part = name.toLowerCase(Locale.ROOT);
    List<String> like =
        endpoints.stream()
            .filter(one -> one.name().toLowerCase(Locale.ROOT).contains(part))
            .limit(5)
            .map(names::printed)
            .toList();
    return like.isEmpty()
        ? "; the answer to endpoints has their names"
        : "; did you mean " + String.join(", ", like) + "?";
  }

  /** The trace with this id, or the trace of the span with this id. */
  String request(String id, String kind, String sort, String packages) throws QuestionException {
    Measure measure = Kinds.measure(kind);
    ToLongFunction<MethodTimes.Times> order = MethodTable.sort(sort);
    OwnCode own = ownCode(packages);
    TraceResult trace =
        results
            .trace(id.strip().toLowerCase(Locale.ROOT))
            .orElseThrow(
                () ->
                    new QuestionException(
                        "no span that was received has the trace id or span id "
                            + Answer.name(id)));
    Answer answer = new Answer();
    List<String> lines =
        trace.spans().stream()
            .filter(TraceSpan::localRoot)
            .sorted(Comparator.comparingLong(span -> -span.durationNanos()))
            .limit(MOST_REQUESTS)
            .map(
                span ->
                    names.printed(span.name(), span.service())
                        + ": "
                        + fitting(
                            tree -> sentence.of(span.measured(), tree),
                            trace.treeOfRequest(span.id(), NODES))
                        + ".")
            .toList();
    answer.lines(lines, SENTENCES);
    Measured requests = Measured.sum();
    trace.spans().stream()
        .filter(TraceSpan::localRoot)
        .forEach(span -> requests.add(span.measured()));
    held(answer, requests);
    answer.line("");
    Tally all = new SpanTable(more, names).write(answer, trace);
    answer.line("");
    FlameTree tree = trace.tree(NODES);
    if (measure == Measure.WAIT) {
      Waits waits = new Waits(own);
      waits.add(List.of(tree));
      waits.write(
          answer, new Answer().line("").line("%s", note(own, waits.ownNanos(), waits.whole())));
    } else {
      MethodTimes times = new MethodTimes(own);
      times.add(tree, node -> tree.amount(measure, node));
      Answer end = new Answer().line("").line("%s", note(own, times.own(), times.whole()));
      if (measure == Measure.CPU && all.waitingNanos() > all.cpuNanos()) {
        end.line(
            "It waited for longer than it used CPU: `request --kind wall --id %s`.", trace.id());
      }
      new MethodTable(measure, times).write(answer, order, end);
    }
    return answer.toString();
  }

  /** What changed against the baseline: the endpoints, or the methods of one of them. */
  String compare(String endpoint, String kind, String sort, String packages)
      throws QuestionException {
    Measure measure = Kinds.measure(kind);
    if (comparison.isEmpty()) {
      throw new QuestionException(
          "there is no baseline to compare with; name its files with --baseline");
    }
    if (!isAll(endpoint)) {
      EndpointNames.Id id = meant(endpoint).endpoint();
      List<EndpointChange> changes =
          comparison.get().changes().stream()
              .filter(one -> new EndpointNames.Id(one.name(), one.service()).equals(id))
              .toList();
      OwnCode own = ownCode(packages);
      Answer answer = about(endpoint);
      new ChangedMethods(measure, own, changes, NODES)
          .write(
              answer,
              names.printed(id),
              MethodTable.sort(sort),
              new Answer().line("").line("%s", note(own) + OTHERS));
      return answer.toString();
    }
    return new ChangedEndpoints(measure, comparison.get(), names)
        .answer(results.received())
        .toString();
  }

  /** What slow requests have more of than others: of each endpoint, or of one of them. */
  String slow(String endpoint, String by, String group, String kind, String packages)
      throws QuestionException {
    SlowAnswers slow =
        new SlowAnswers(
            byTime(),
            names,
            packages.isBlank() ? OwnCode.withoutLibraries() : ownCode(packages),
            by.isEmpty() ? Groups.DURATION : by,
            group,
            kind);
    return isAll(endpoint) ? slow.ofAll() : slow.of(named(endpoint), about(endpoint), this::meanOf);
  }

  private String meanOf(Measured sum, FlameTree tree, int most) {
    return fitting(of -> sentence.ofMean(sum, of), tree, most);
  }

  /** The requests that have the most of a method, and when. */
  String method(String method, String endpoint, String kind) throws QuestionException {
    if (method.isBlank()) {
      throw new QuestionException("name a method with --method, as the answer to methods has it");
    }
    MethodName name = new MethodName(method);
    String shown = Answer.name(Markdown.shown(method));
    List<EndpointResult> of = isAll(endpoint) ? byTime() : List.of(named(endpoint));
    int left = Math.max(0, of.size() - MOST_SEARCHED);
    of = of.subList(0, of.size() - left);
    Set<Frame> all = new HashSet<>();
    of.forEach(one -> all.addAll(one.requestStacks().frames()));
    Set<Frame> methods = name.meant(all);
    MethodRequests requests = new MethodRequests(methods::contains);
    for (EndpointResult one : of) {
      requests.add(one);
    }
    Measure measure = kind.isEmpty() ? requests.largest() : Kinds.measure(kind);
    String where =
        title(endpoint)
            + (left == 0
                ? ""
                : ", of which " + left + " with less time are left out (`--endpoint` asks them),");
    if (requests.amount(measure) == 0) {
      throw new QuestionException(
          "no request of "
              + where
              + " has samples in "
              + shown
              + name.suggestion(of.stream().map(one -> one.tree(NODES)).toList()));
    }
    Answer answer =
        about(endpoint)
            .line(
                "%d requests of %s have %s of %s, with all that it calls: %s %s.",
                requests.count(measure),
                where,
                Kinds.title(measure),
                shown,
                Answer.millions(requests.amount(measure)),
                Answer.unit(measure));
    if (methods.size() > 1) {
      answer.line(
          "That is the sum of %d methods, which can be asked for one by one: %s.",
          methods.size(), names(methods));
    }
    answer.line("");
    requests.write(answer, measure, names);
    return answer.toString();
  }

  /** The name of an endpoint that has a limit, which all services share. */
  private String ofLimit(String asked) throws QuestionException {
    EndpointNames.Meant meant = meant(asked);
    String name = meant.endpoint().name();
    if (meant.others().isEmpty() && !names.meant(name).orElse(meant).others().isEmpty()) {
      throw new QuestionException(
          "a limit is for the endpoint of all services, without the service's name: "
              + Answer.name(name));
    }
    return name;
  }

  private static String names(Set<Frame> methods) {
    MethodNames printed = new MethodNames(methods);
    List<String> sorted = methods.stream().map(printed::printed).sorted().toList();
    return String.join(", ", sorted.subList(0, Math.min(MOST_NAMES, sorted.size())))
        + (sorted.size() > MOST_NAMES ? ", …" : "");
  }

  /** Whether requests became dearer by more than these limits, one a line, and than chance. */
  String gate(String limits, String kinds, String allow, String warmUp) throws QuestionException {
    if (gates.isEmpty()) {
      throw new QuestionException(
          "fail-above needs the files of two sides, which do not grow, with --baseline");
    }
    try {
      List<String> exact = new ArrayList<>();
      for (String limit : limits.lines().toList()) {
        int end = limit.lastIndexOf('=');
        exact.add(end < 0 ? limit : ofLimit(limit.substring(0, end)) + limit.substring(end));
      }
      Rules rules = Rules.parse(exact, kinds, allow, warmUp);
      return GateMarkdown.text(gates.get().judge(rules), Answer.LIMIT);
    } catch (IllegalArgumentException e) {
      throw new QuestionException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
