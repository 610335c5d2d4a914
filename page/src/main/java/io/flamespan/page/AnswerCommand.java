/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.answers.Asked;
import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.output.GateMarkdown;
import io.flamespan.page.results.Results;
import io.flamespan.page.serve.Questions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers one question in Markdown, or serves many of an agent. */
record AnswerCommand(String question, Map<String, String> parameters, Arguments arguments) {
  private static final String SERVER = "mcp";
  private static final String COMPARE = "compare";
  private static final int MOST_OF_GATE = 4_000; // bytes, as of any answer
  static final Set<String> PARAMETERS =
      Set.of("--endpoint", "--id", "--kind", "--sort", "--package", "--by", "--group", "--method");

  /** Empty if the first argument is no question, so that the command makes a page. */
  static Optional<AnswerCommand> of(String[] arguments) throws Arguments.UsageException {
    if (arguments.length == 0
        || (!arguments[0].equals(SERVER) && !Asked.questions().contains(arguments[0]))) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    List<String> rest = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      boolean own = PARAMETERS.contains(arguments[i]);
      if (own && i + 1 == arguments.length) {
        throw new Arguments.UsageException(arguments[i] + " needs a value after it");
      }
      if (own) {
        parameters.put(arguments[i].substring(2), arguments[++i]);
      } else {
        rest.add(arguments[i]);
      }
    }
    boolean gate = rest.contains(Arguments.FAIL_ABOVE);
    String kinds = gate ? parameters.remove("kind") : null;
    if (kinds != null) {
      rest.addAll(List.of(Arguments.KIND, kinds));
    }
    if (gate && (!arguments[0].equals(COMPARE) || !parameters.isEmpty())) {
      throw new Arguments.UsageException(
          "--fail-above is for compare, without --endpoint, --sort and --package; 'NAME=5%' judges"
              + " one endpoint");
    }
    return Optional.of(
        new AnswerCommand(arguments[0], parameters, Arguments.of(rest.toArray(String[]::new))));
  }

  /**
   * The exit status: 0, or 2 if the question names something that does not exist; of a gate, its
   * verdict's.
   */
  int run(InputStream in, PrintStream out, PrintStream err) throws IOException {
    if (arguments.gate().isPresent()) {
      List<String> notes = new ArrayList<>();
      Verdict verdict = GateRuns.judge(arguments, arguments.gate().get(), notes, err::println);
      notes.forEach(line -> err.println("note: " + line));
      new PrintStream(out, true, UTF_8).print(GateMarkdown.text(verdict, MOST_OF_GATE));
      return verdict.exitStatus();
    }
    if (question.equals(SERVER)) {
      try (Served served = new Served(err)) {
        Asked.serve(served, FlameGraphs.version(), in, out);
      }
      return 0;
    }
    Optional<String> problem =
        arguments.clickHouse().isPresent()
            ? ofTables(arguments.clickHouse().get(), out)
            : Asked.answer(files(err), question, parameters, out);
    problem.ifPresent(err::println);
    return problem.isPresent() ? 2 : 0;
  }

  private Asked.Data files(PrintStream notes) throws IOException {
    FileSets sets = FileSets.read(arguments, notes::println);
    sets.notes().forEach(line -> notes.println("note: " + line));
    return new Asked.Data(sets.set().results(), sets.comparison(), List.of());
  }

  private Optional<String> ofTables(ClickHouseArguments of, PrintStream out) throws IOException {
    try (Engine engine = new Engine(of.address(), of.tables(), of.limits())) {
      engine.checkVersion();
      Results now = of.read(engine, of.range());
      if (now.received().isEmpty() && now.endpoints(1).isEmpty()) {
        throw new IOException(ClickHouseRun.nothing(of));
      }
      Optional<Comparison> comparison =
          of.baseline()
              .map(range -> of.read(engine, range))
              .map(before -> Comparison.of(before, now));
      List<String> notes = ClickHouseRun.notes(now, engine, of);
      return Asked.answer(new Asked.Data(now, comparison, notes), question, parameters, out);
    }
  }

  /** Begins with the first question, so that a client does not wait for the server's start. */
  private final class Served implements Asked.Source, AutoCloseable {
    private final PrintStream log;
    private @Nullable Questions questions;

    Served(PrintStream log) {
      this.log = log;
    }

    @Override
    public Optional<String> answer(String word, Map<String, String> asked, PrintStream out)
        throws IOException {
      Questions all = questions;
      if (all == null) {
        all = new Questions(ServeCommand.source(arguments, log), gates(), log::println);
        questions = all;
      }
      return all.answer(word, asked, out);
    }

    private Optional<Asked.Gates> gates() {
      return arguments.baseline().isEmpty()
          ? Optional.empty()
          : Optional.of(rules -> GateRuns.judge(arguments, rules, new ArrayList<>(), log::println));
    }

    @Override
    public boolean hasRanges() {
      return arguments.clickHouse().isPresent();
    }

    @Override
    public void close() {
      if (questions != null) {
        questions.close();
      }
    }
  }
}
