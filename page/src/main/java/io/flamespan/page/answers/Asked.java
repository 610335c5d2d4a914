/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.gate.Rules;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.results.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Short answers to questions about results, for people, scripts and agents. */
public final class Asked {
  private Asked() {}

  /** Judges the two sides of a comparison. */
  @FunctionalInterface
  public interface Gates {
    Verdict judge(Rules rules) throws IOException;
  }

  /**
   * What the questions are about.
   *
   * @param gates empty if the sides are no files of runs
   * @param notes about what is missing, which end each answer
   */
  public record Data(
      Results results, Optional<Comparison> comparison, Optional<Gates> gates, List<String> notes) {
    public Data(Results results, Optional<Comparison> comparison, List<String> notes) {
      this(results, comparison, Optional.empty(), notes);
    }

    Answers answers() {
      return new Answers(this);
    }
  }

  /** The parameters of a range of time, with what they mean. */
  public static final Map<String, String> RANGE =
      Map.of(
          "from",
          "the begin of another range of time than the server's own, such as -1h or"
              + " 2026-01-31T12:00:00Z",
          "to",
          "its end, which is now by default");

  /** Reads the data when they are needed. */
  @FunctionalInterface
  public interface Source {
    /** Prints the answer, or returns why there is none. */
    Optional<String> answer(String word, Map<String, String> parameters, PrintStream out)
        throws IOException;

    /** Whether it takes the parameters of a range. */
    default boolean hasRanges() {
      return false;
    }
  }

  public static List<String> questions() {
    return Arrays.stream(Question.values()).map(Question::word).toList();
  }

  /** Prints the answer, or returns why there is none. */
  public static Optional<String> answer(
      Data data, String word, Map<String, String> parameters, PrintStream out) {
    Question question =
        Arrays.stream(Question.values())
            .filter(one -> one.word().equals(word))
            .findFirst()
            .orElseThrow();
    try {
      PrintStream answer = utf8(out);
      answer.print(question.answer(data.answers(), parameters));
      data.notes().forEach(line -> answer.print("\nNote: " + line + "\n"));
      return Optional.empty();
    } catch (Answers.QuestionException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Serves the Model Context Protocol until the end of the input. */
  public static void serve(Source source, String version, InputStream in, PrintStream out)
      throws IOException {
    new McpServer(source, version).serve(in, utf8(out));
  }

  /**
   * The answer to a message of the protocol over HTTP.
   *
   * @param json empty if there is nothing to say
   */
  public record HttpAnswer(int status, String json) {}

  public static boolean knowsProtocol(String protocol) {
    return McpServer.knows(protocol);
  }

  /**
   * Answers a message of the Model Context Protocol over HTTP.
   *
   * @param protocol the version that the request names, or null
   */
  public static HttpAnswer post(
      Source source, String version, String message, @Nullable String protocol) {
    return new McpServer(source, version).post(message, protocol);
  }

  /** Whatever the encoding of the terminal is. */
  private static PrintStream utf8(PrintStream out) {
    return new PrintStream(out, true, UTF_8);
  }
}
