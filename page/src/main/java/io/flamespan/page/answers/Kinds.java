/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Those that were sampled, time first. */
  static List<Measure> of(Tally received) {
    return Stream.of(Measure.CPU, Measure.WAIT, Measure.LOCK, Measure.ALLOC)
        .filter(one -> received.count(one) > 0)
        .toList();
  }

  /** Those that were sampled and that add up to time. */
  static List<Measure> ofTime(Tally received) {
    Measure waits = received.count(Measure.WAIT) > 0 ? Measure.WAIT : Measure.LOCK;
    return received.count(waits) > 0 ? List.of(Measure.CPU, waits) : List.of(Measure.CPU);
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

  /** What a method does. */
  static String doing(Measure measure) {
    return switch (measure) {
      case CPU -> "on CPU";
      case WAIT -> "waiting";
      case ALLOC -> "allocated";
      case LOCK -> "waiting for a lock";
    };
  }

  /** Cells of the measures that not all files have, at the end of a row. */
  static String cells(List<Measure> more, Function<Measure, String> text) {
    return more.stream().map(one -> " " + text.apply(one) + " |").collect(Collectors.joining());
  }

  private Kinds() {}
}
