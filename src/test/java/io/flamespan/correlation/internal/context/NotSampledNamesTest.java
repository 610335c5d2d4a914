/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class NotSampledNamesTest {
  private final NotSampledNames names = new NotSampledNames();

  @Test
  void names_ofAnyLength_haveNumbersOfTheirOwn() {
    String long1 = "x".repeat(200);

    assertThat(names.nameOf(names.numberOf("GET"))).isEqualTo("GET");
    assertThat(names.nameOf(names.numberOf("POST"))).isEqualTo("POST");
    assertThat(names.numberOf("GET")).isEqualTo(names.numberOf(new String("GET")));
    assertThat(names.nameOf(names.numberOf(long1))).isEqualTo("x".repeat(128));
    assertThat(names.nameOf(names.numberOf("y".repeat(127) + "\ud83d\ude00")))
        .isEqualTo("y".repeat(127));
  }

  @Test
  void names_beyondTheLimit_areNotKnown() {
    for (int i = 0; i < 5_000; i++) {
      int number = names.numberOf("GET /" + i);
      assertThat(number).isEqualTo(i < NotSampledNames.COUNT ? i + 1 : NotSampledNames.UNKNOWN);
    }

    assertThat(names.nameOf(names.numberOf("GET /7"))).isEqualTo("GET /7");
    assertThat(names.nameOf(names.numberOf("GET /4000"))).isEmpty();
    assertThat(names.numberOf(null)).isEqualTo(NotSampledNames.UNKNOWN);
  }

  @Test
  void numbers_thatNoNameHas_haveAnEmptyOne() {
    for (long number :
        new long[] {0, 1, NotSampledNames.COUNT, NotSampledNames.COUNT + 1, -1, 1L << 32 | 1}) {
      assertThat(names.nameOf(number)).isEmpty();
    }
  }

  @Test
  void names_ofManyThreads_haveOneNumberEach() throws InterruptedException {
    Set<String> found = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int name = 0; name < 500; name++) {
                  found.add(name + " " + names.numberOf("" + name));
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(found).hasSize(500);
  }
}
