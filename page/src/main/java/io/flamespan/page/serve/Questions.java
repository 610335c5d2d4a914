/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.answers.Asked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers about a source as it is now, in the range that a question names or else in its own. */
public final class Questions implements Asked.Source, AutoCloseable {
  private final Source source;
  private final Versions versions;
  private final Ranges ranges;
  private final Optional<Asked.Gates> gates;

  /**
   * Without pages. Reads nothing yet.
   *
   * @param gates see {@link Asked.Data}
   * @param log receives lines about what cannot be read
   */
  public Questions(Source source, Optional<Asked.Gates> gates, Consumer<String> log) {
    this(source, new Versions(source, "", log), new Ranges(source, () -> "", log), gates);
  }

  /** Beside the pages of these. */
  Questions(Source source, Versions versions, Ranges ranges, Optional<Asked.Gates> gates) {
    this.source = source;
    this.versions = versions;
    this.ranges = ranges;
    this.gates = gates;
  }

  /** Empty if these parameters name none. */
  static Optional<Source.Range> range(Map<String, String> parameters) {
    String to = parameters.getOrDefault("to", "");
    return Optional.ofNullable(parameters.get("from"))
        .filter(from -> !from.isEmpty())
        .map(from -> new Source.Range(from, to.isEmpty() ? "-0s" : to));
  }

  /** Is equal to one that has the same answer about the same data. */
  private record Question(String word, Map<String, String> parameters, Optional<Asked.Gates> gates)
      implements Function<Asked.Data, Versions.Answer> {
    @Override
    public Versions.Answer apply(Asked.Data data) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(text, true, UTF_8);
      Optional<String> problem =
          Asked.answer(
              new Asked.Data(data.results(), data.comparison(), gates, data.notes()),
              word,
              parameters,
              out);
      return new Versions.Answer(problem, text.toString(UTF_8));
    }
  }

  @Override
  public Optional<String> answer(String word, Map<String, String> parameters, PrintStream out)
      throws IOException {
    Optional<Source.Range> range = range(parameters);
    if (range.isEmpty() && !parameters.getOrDefault("to", "").isEmpty()) {
      return Optional.of("to needs from, such as from=-1h");
    }
    Map<String, String> others = new HashMap<>(parameters);
    others.keySet().removeAll(Asked.RANGE.keySet());
    Question question = new Question(word, others, gates);
    try {
      Versions.Answer answer =
          range.isPresent() ? ranges.question(range.get(), question) : versions.ask(question);
      out.print(answer.text());
      return answer.problem();
    } catch (Ranges.NoRangeException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  @Override
  public boolean hasRanges() {
    return source.range().isPresent();
  }

  @Override
  public void close() {
    ranges.close();
    source.close();
  }
}
