/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class NotSampledNamesTest {
  private static final int THREADS = 8;

  private final NotSampledNames names = new NotSampledNames();

  private String roundTrip(String name) {
    int number = names.numberOf(name);
    assertThat(number).isBetween(1, NotSampledNames.UNKNOWN);
    return names.nameOf(number);
  }

  @Test
  void names_thatAreEqual_haveTheSameNumber() {
    assertThat(names.numberOf("GET")).isEqualTo(names.numberOf(new String("GET")));
    assertThat(names.numberOf("GET")).isNotEqualTo(names.numberOf("POST"));
    assertThat(List.of(roundTrip("GET"), roundTrip(""), roundTrip("POST")))
        .containsExactly("GET", "", "POST");
  }

  @Test
  void names_beyondTheLimit_areOneRow() {
    for (int i = 0; i < NotSampledNames.MAX; i++) {
      assertThat(roundTrip("/" + i)).isEqualTo("/" + i);
    }

    try (LogCapturer log = new LogCapturer()) {
      assertThat(roundTrip("/1")).isEqualTo("/1");
      assertThat(log.warnings()).isEmpty();
      assertThat(roundTrip("one more")).isEmpty();
      assertThat(roundTrip("and another")).isEmpty();
      log.hasOneWarning(
          "more than 2000 names", "set flamespan.embedded.profiler.not.sampled to false");
    }
    assertThat(roundTrip("/1")).isEqualTo("/1");
    assertThat(roundTrip("/" + (NotSampledNames.MAX - 1))).startsWith("/");
  }

  /** Two threads saw that the last name has no number. */
  @Test
  void lastName_thatIsAddedTwice_isNoneTooMany() {
    for (int i = 0; i < NotSampledNames.MAX; i++) {
      roundTrip("/" + i);
    }

    try (LogCapturer log = new LogCapturer()) {
      String last = "/" + (NotSampledNames.MAX - 1);
      assertThat(names.add(last)).isEqualTo(names.numberOf(last));
      assertThat(log.warnings()).isEmpty();
      assertThat(roundTrip("one more")).isEmpty();
      log.hasOneWarning("more than 2000 names");
    }
  }

  @Test
  void names_ofManyThreads_haveOneNumberEach() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    Map<Integer, String> byNumber = new ConcurrentHashMap<>();
    List<Callable<Object>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      tasks.add(
          () -> {
            for (int name = 0; name < 2 * NotSampledNames.MAX; name++) {
              String found = roundTrip("/" + name);
              String before = byNumber.putIfAbsent(names.numberOf("/" + name), found);
              assertThat(before == null || before.equals(found)).isTrue();
              assertThat(found).isIn("", "/" + name);
            }
            return "";
          });
    }
    for (Future<Object> each : pool.invokeAll(tasks)) {
      each.get();
    }
    pool.shutdown();

    assertThat(byNumber).hasSize(NotSampledNames.UNKNOWN);
    assertThat(byNumber.values()).doesNotHaveDuplicates();
  }
}
