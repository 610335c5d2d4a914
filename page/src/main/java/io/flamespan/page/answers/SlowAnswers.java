/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.comparison.SlowRequests;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What slow requests have more of than typical ones, or those with a value of an attribute. */
final class SlowAnswers {
  private static final int MOST_ENDPOINTS = 10;
  private static final int MOST_NAMES = 10;
  private static final int MOST_PACKAGES = 3;
  private static final int MOST_GROUPS = 6;
  private static final int LONGEST_TITLE = 40;
  private static final int GROUPS = 900; // bytes
  private static final int SENTENCE = 700; // bytes
  private static final int NODES = 50_000;

  /** Says what the mean of some requests consists of, in so many bytes. */
  @FunctionalInterface
  interface Mean {
    String of(Measured sum, FlameTree tree, int most);
  }

  private final List<EndpointResult> endpoints;
  private final EndpointNames names;
  private final OwnCode own;
  private final String by;
  private final String group;
  private final String kind;

  /** Takes all endpoints, those with the most time first. */
  SlowAnswers(
      List<EndpointResult> endpoints,
      EndpointNames names,
      OwnCode own,
      String by,
      String group,
      String kind) {
    this.endpoints = endpoints;
    this.names = names;
    this.own = own;
    this.by = by;
    this.group = group;
    this.kind = kind;
  }

  /** An endpoint whose requests are in groups. */
  private record Compared(
      EndpointResult endpoint,
      RequestStacks stacks,
      Groups groups,
      SlowRequests slow,
      Groups.Pair pair) {}

  private Compared compared(EndpointResult endpoint, RequestStacks stacks, Groups groups)
      throws Answers.QuestionException {
    GroupComparison comparison = new GroupComparison(stacks, groups);
    stacks.methods(Set.of(Column.OWN), own, comparison);
    List<Measure> ofTime = endpoint.tally().ofTime();
    Measure asked = Kinds.measure(kind);
    SlowRequests slow =
        new SlowRequests(
            stacks,
            groups,
            comparison,
            ofTime.contains(asked) ? ofTime : List.of(asked),
            SlowRequests.part(endpoint, endpoints));
    if (group.isEmpty()) {
      return new Compared(endpoint, stacks, groups, slow, slow.pair());
    }
    Optional<Groups.Pair> pair = pair(groups);
    if (pair.isEmpty()) {
      throw noGroup(groups);
    }
    return new Compared(endpoint, stacks, groups, slow, pair.get());
  }

  private Optional<Groups.Pair> pair(Groups groups) {
    return groups.pair(exact(group, groups.names()));
  }

  private Answers.QuestionException noGroup(Groups groups) {
    return new Answers.QuestionException(
        "no group is named "
            + Answer.name(group)
            + "; the groups are "
            + groups.names().stream()
                .limit(MOST_NAMES)
                .map(Answer::name)
                .collect(Collectors.joining(", ")));
  }

  private Answers.QuestionException notGrouped(EndpointResult endpoint, RequestStacks stacks) {
    return new Answers.QuestionException(
        "the requests of "
            + names.printed(endpoint)
            + " cannot be grouped by "
            + Answer.name(by)
            + "; by "
            + String.join(", ", Groups.amounts())
            + Groups.attributes(stacks).stream()
                .limit(MOST_NAMES)
                .map(one -> ", " + Answer.name(one))
                .collect(Collectors.joining())
            + "; attributes with one value, or more than "
            + Groups.MOST_VALUES
            + ", are left out");
  }

  /** Why an endpoint is not in the answer. */
  private Answers.QuestionException notCompared(EndpointResult endpoint, RequestStacks stacks) {
    return groups(stacks).map(this::noGroup).orElseGet(() -> notGrouped(endpoint, stacks));
  }

  private Optional<Groups> groups(RequestStacks stacks) {
    return Groups.by(Groups.amounts().contains(by) ? by : exact(by, stacks.attributes()), stacks);
  }

  /** The name that an answer prints like this. */
  private static String exact(String printed, Collection<String> names) {
    return names.contains(printed)
        ? printed
        : names.stream()
            .filter(one -> Answer.name(one).equals(printed))
            .findFirst()
            .orElse(printed);
  }

  /** Each of the endpoints with the most time, in a row. */
  String ofAll() throws Answers.QuestionException {
    Answer answer =
        new Answer()
            .line("What slow requests have more of than typical ones, per request.")
            .line("")
            .line("| endpoint | service | requests | more |")
            .line("| --- | --- | --: | --- |");
    List<String> rows = new ArrayList<>();
    for (EndpointResult one : endpoints.subList(0, Math.min(MOST_ENDPOINTS, endpoints.size()))) {
      RequestStacks stacks = one.requestStacks();
      Optional<Groups> groups = groups(stacks);
      if (groups.isPresent() && (group.isEmpty() || pair(groups.get()).isPresent())) {
        Compared compared = compared(one, stacks, groups.get());
        rows.add(
            Answer.row(
                names.printed(one), Answer.name(one.service()), one.requests(), text(compared)));
      }
    }
    if (rows.isEmpty() && !endpoints.isEmpty()) {
      throw notCompared(endpoints.get(0), endpoints.get(0).requestStacks());
    }
    Answer end = new Answer();
    endpoints.stream().limit(1).forEach(one -> NextQuestions.ofSlowEndpoints(end, printed(one)));
    int shown = answer.rows(rows, end);
    if (shown < endpoints.size()) {
      answer.line("Left out: %d other endpoints.", endpoints.size() - shown);
    }
    return answer.add(end).toString();
  }

  private String printed(EndpointResult endpoint) {
    return names.printed(endpoint);
  }

  /** With as many causes as there is room for. */
  private static String text(Compared compared) {
    for (int most = SlowRequests.MOST_CAUSES; ; most--) {
      String text = compared.slow().text(compared.pair(), Answer::name, most);
      if (most == 0 || Answer.size(text) <= SENTENCE) {
        return text;
      }
    }
  }

  /** One endpoint, after the begin of the answer. */
  String of(EndpointResult endpoint, Answer answer, Mean mean) throws Answers.QuestionException {
    RequestStacks stacks = endpoint.requestStacks();
    Optional<Groups> groups = groups(stacks);
    if (groups.isEmpty()) {
      throw notGrouped(endpoint, stacks);
    }
    Compared compared = compared(endpoint, stacks, groups.get());
    answer.line("Requests of %s by %s.", names.withService(endpoint), Answer.name(by)).line("");
    writeGroups(answer, compared);
    answer.line("").line("Per request, %s.", text(compared)).line("");
    Groups.Pair pair = compared.pair();
    if (pair.hasEmptySide()) {
      answer.line(
          "There is nothing to compare: no request is in the group %s.",
          title(pair.a().places().length == 0 ? pair.a() : pair.b()));
      NextQuestions.ofSlow(answer, printed(endpoint), by, List.of(), stacks);
      return answer.toString();
    }
    Answer end =
        new Answer()
            .line("")
            .line(
                "Noise is what may be chance%s. Own code: %s.",
                groups.get().byAmount()
                    ? ", or what a slow request has more of because it is larger"
                    : "",
                own.packages().isEmpty()
                    ? "all but the JDK and known libraries"
                    : own.packages().stream()
                        .limit(MOST_PACKAGES)
                        .map(Answer::name)
                        .collect(Collectors.joining(", ")));
    List<String> lines = new ArrayList<>();
    for (Groups.Group one : List.of(pair.b(), pair.a())) {
      lines.add(
          "The mean of "
              + title(one)
              + ": "
              + mean.of(
                  measured(stacks, one),
                  stacks.tree(endpoint.name(), one.places(), NODES),
                  SENTENCE / 2)
              + ".");
    }
    end.line("").lines(lines, SENTENCE);
    NextQuestions.ofSlow(end, printed(endpoint), by, compared.slow().causes(pair), stacks);
    writeMethods(answer, end, compared);
    return answer.toString();
  }

  /** A row for each group. */
  private static void writeGroups(Answer answer, Compared compared) {
    answer
        .line(
            "| group | requests | mean ms | min ms | max ms | CPU ms per request"
                + " | waiting ms per request |")
        .line("| --- | --: | --: | --: | --: | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (Groups.Group group : compared.groups().of()) {
      LongSummaryStatistics durations =
          Arrays.stream(group.places())
              .mapToLong(place -> compared.stacks().all().get(place).durationNanos())
              .summaryStatistics();
      int requests = group.places().length;
      rows.add(
          requests == 0
              ? Answer.row(title(group), 0, "", "", "", "", "")
              : Answer.row(
                  title(group),
                  requests,
                  Answer.millions(durations.getAverage()),
                  Answer.millions(durations.getMin()),
                  Answer.millions(durations.getMax()),
                  Answer.millions(compared.slow().mean(group, Tally::cpuNanos)),
                  Answer.millions(compared.slow().mean(group, Tally::waitingNanos))));
    }
    List<String> first = rows.subList(0, Math.min(MOST_GROUPS, rows.size()));
    int shown = answer.rows(first, new Answer(), answer.bytes() + GROUPS);
    if (shown < rows.size()) {
      answer.line("Left out: %d other groups.", rows.size() - shown);
    }
    int unknown =
        compared.stacks().all().size()
            - compared.groups().of().stream().mapToInt(group -> group.places().length).sum();
    if (unknown > 0) {
      answer.line("In no group: %d requests whose durations are not known.", unknown);
    }
  }

  /** Writes as many methods as there is room for before the end. */
  private void writeMethods(Answer answer, Answer end, Compared compared)
      throws Answers.QuestionException {
    Measure asked = Kinds.measure(kind);
    List<GroupComparison.Row> rows =
        compared.slow().rows(compared.pair()).stream()
            .filter(row -> kind.isEmpty() || row.measure() == asked)
            .toList();
    answer
        .line(
            "| own method | kind | %s | %s | difference | ± | |",
            title(compared.pair().a()), title(compared.pair().b()))
        .line("| --- | --- | --: | --: | --: | --: | --- |");
    MethodNames names = new MethodNames(rows.stream().map(GroupComparison.Row::frame).toList());
    List<String> written = new ArrayList<>();
    for (GroupComparison.Row row : rows) {
      double plusMinus = row.verdict().plusMinus();
      written.add(
          Answer.row(
              row.ofKind() ? "(all)" : names.printed(row.frame()),
              Kinds.column(row.measure()),
              Answer.millions(row.a()),
              Answer.millions(row.b()),
              ChangedMethods.signed(row.verdict().difference()),
              Double.isNaN(plusMinus) ? "unknown" : Answer.millions(plusMinus),
              row.isCertain()
                  ? ""
                  : compared.slow().kindOf(compared.pair(), row).isPresent()
                      ? "most of (all)"
                      : "noise"));
    }
    int shown = answer.rows(written, end);
    if (shown < rows.size()) {
      String others = "(" + (rows.size() - shown) + " others)";
      answer.line("%s", Answer.row(others, "", "", "", "", "", ""));
    }
    answer.add(end);
  }

  private static String title(Groups.Group group) {
    String name = group.name();
    boolean isLong = name.codePointCount(0, name.length()) > LONGEST_TITLE;
    return name.isEmpty()
        ? "(without)"
        : Answer.name(isLong ? "…" + Answer.end(name, LONGEST_TITLE) : name);
  }

  private static Measured measured(RequestStacks stacks, Groups.Group group) {
    Measured sum = Measured.sum();
    Arrays.stream(group.places())
        .mapToObj(stacks.all()::get)
        .forEach(one -> sum.add(one.measured()));
    return sum;
  }
}
