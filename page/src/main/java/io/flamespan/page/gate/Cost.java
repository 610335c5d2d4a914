/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.model.Request;
import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a request costs, in nanoseconds or, of allocation, in bytes. */
public enum Cost {
  CPU("cpu", "CPU time", Measure.CPU),
  ALLOC("alloc", "allocation", Measure.ALLOC),
  WAIT("wall", "waiting time", Measure.WAIT),
  LOCK("lock", "waits for locks", Measure.LOCK),
  DURATION("duration", "duration", null),
  THREAD("thread", "CPU time of the thread", null);

  private final String word;
  private final String title;
  private final @Nullable Measure measure;

  Cost(String word, String title, @Nullable Measure measure) {
    this.word = word;
    this.title = title;
    this.measure = measure;
  }

  public String word() {
    return word;
  }

  public String title() {
    return title;
  }

  /** The cost whose samples tell which methods have it, or null if none do. */
  @Nullable Cost ofMethods() {
    return this == THREAD ? CPU : measure == null ? null : this;
  }

  /** Null if it is not sampled. */
  public @Nullable Measure measure() {
    return measure;
  }

  /** NaN if it is unknown. */
  double of(Request request) {
    if (measure != null) {
      return request.tally().amount(measure);
    }
    if (this == DURATION) {
      return request.span().durationNanos();
    }
    long exact = request.span().exact().cpuNanos();
    return exact < 0 ? Double.NaN : exact;
  }

  /** The costs with these words, separated by commas; CPU time if there are none. */
  public static List<Cost> parse(String words) {
    List<Cost> found = new ArrayList<>();
    for (String word : words.isBlank() ? new String[] {CPU.word} : words.split(",")) {
      Cost cost =
          Arrays.stream(values())
              .filter(one -> one.word.equals(word.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no kind is named "
                              + word.strip()
                              + "; the kinds are "
                              + Arrays.stream(values())
                                  .map(Cost::word)
                                  .collect(Collectors.joining(", "))));
      if (!found.contains(cost)) {
        found.add(cost);
      }
    }
    return List.copyOf(found);
  }
}
