/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.answers.Asked;
import io.flamespan.page.clickhouse.ClickHouseResults;
import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.Results;
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
    return Optional.of(
        new AnswerCommand(arguments[0], parameters, Arguments.of(rest.toArray(String[]::new))));
  }

  /** The exit status: 0, or 2 if the question names something that does not exist. */
  int run(InputStream in, PrintStream out, PrintStream err) throws IOException {
    try (Source source = new Source(arguments, err)) {
      if (question.equals(SERVER)) {
        Asked.serve(
            (word, asked, text) -> Asked.answer(source.read(), word, asked, text),
            FlameGraphs.version(),
            in,
            out);
        return 0;
      }
      Optional<String> problem = Asked.answer(source.read(), question, parameters, out);
      problem.ifPresent(err::println);
      return problem.isPresent() ? 2 : 0;
    }
  }

  /** Reads on the first question, so that a client does not wait for the server's start. */
  private static final class Source implements AutoCloseable {
    private final Arguments arguments;
    private final PrintStream notes;
    private @Nullable Engine engine;
    private Asked.@Nullable Data data;

    Source(Arguments arguments, PrintStream notes) {
      this.arguments = arguments;
      this.notes = notes;
    }

    Asked.Data read() throws IOException {
      if (data == null) {
        data = arguments.clickHouse().isPresent() ? tables() : files();
      }
      return data;
    }

    private Asked.Data files() throws IOException {
      FileSets sets = FileSets.read(arguments);
      sets.notes().forEach(line -> notes.println("note: " + line));
      return new Asked.Data(sets.set().results(), sets.comparison());
    }

    private Asked.Data tables() throws IOException {
      ClickHouseArguments of = arguments.clickHouse().get();
      if (engine == null) { // or kept after a read that failed
        engine = new Engine(of.address(), of.tables(), of.timeLimitSeconds());
      }
      Engine asked = engine;
      asked.checkVersion();
      Results now = new ClickHouseResults(asked, of.range(), of.service());
      if (now.received().isEmpty() && now.endpoints(1).isEmpty()) {
        throw ClickHouseRun.nothing(of);
      }
      Optional<Comparison> comparison =
          of.baseline()
              .map(range -> new ClickHouseResults(asked, range, of.service()))
              .map(before -> Comparison.of(before, now));
      return new Asked.Data(now, comparison);
    }

    @Override
    public void close() {
      if (engine != null) {
        engine.close();
      }
    }
  }
}
