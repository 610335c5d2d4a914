/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.Measure;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of samples in the words of questions and answers. */
final class Kinds {
  /** The measure with this word of the setting of events; CPU time if it is empty. */
  static Measure measure(String kind) throws Answers.QuestionException {
    return switch (kind) {
      case "", "cpu" -> Measure.CPU;
      case "alloc" -> Measure.ALLOC;
      case "lock" -> Measure.LOCK;
      case "wall" -> Measure.WAIT;
      default ->
          throw new Answers.QuestionException(
              "no kind is named "
                  + Answer.name(kind)
                  + "; the kinds are cpu, alloc, lock and wall");
    };
  }

  /** The word of a measure. */
  static String word(Measure measure) {
    return switch (measure) {
      case CPU -> "cpu";
      case ALLOC -> "alloc";
      case LOCK -> "lock";
      case WAIT -> "wall";
    };
  }

  /** What a column of amounts has. */
  static String column(Measure measure) {
    return switch (measure) {
      case CPU -> "CPU ms";
      case WAIT -> "waiting ms";
      case ALLOC -> "allocated MB";
      case LOCK -> "locks ms";
    };
  }

  static String title(Measure measure) {
    return switch (measure) {
      case CPU -> "CPU time";
      case WAIT -> "waiting time";
      case ALLOC -> "allocated bytes";
      case LOCK -> "time of waits for locks";
    };
  }

  /** Cells of the measures that not all files have, at the end of a row. */
  static String cells(List<Measure> more, Function<Measure, String> text) {
    return more.stream().map(one -> " " + text.apply(one) + " |").collect(Collectors.joining());
  }

  private Kinds() {}
}
