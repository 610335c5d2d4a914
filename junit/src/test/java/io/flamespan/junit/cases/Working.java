/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;

/** Tests that compute, call and allocate. */
class Working {
  private static final int KEYS = 100_000;

  @RepeatedTest(20)
  void sorts() {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, new Random(1));
    TreeMap<Integer, String> sorted = new TreeMap<>();
    for (Integer key : keys) {
      sorted.put(key, "value " + key);
    }
    assertEquals(KEYS, sorted.size());
    assertEquals("value 0", sorted.firstEntry().getValue());
  }
}
