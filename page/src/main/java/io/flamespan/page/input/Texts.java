/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The texts that were read last, as all messages of a process have the same names: equal texts are
 * mostly one object, which takes less memory and less time to compare. Any thread may call this.
 */
final class Texts {
  private static final int LONGEST = 200; // characters
  private static final int MOST =
      Integer.highestOneBit((int) Math.min(1 << 16, Runtime.getRuntime().maxMemory() >> 13));

  /** Without a lock: the fields are final, so a thread sees all of it or nothing. */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  private record Known(byte[] bytes, String text) {
    boolean is(byte[] json, int begin, int end) {
      return Arrays.equals(bytes, 0, bytes.length, json, begin, end);
    }
  }

  private static final @Nullable Known[] KNOWN = new Known[MOST];

  private Texts() {}

  /** The text of these bytes of ASCII, whose hash is the string's. */
  static String of(byte[] json, int begin, int end, int hash) {
    if (end - begin > LONGEST) {
      return new String(json, begin, end - begin, ISO_8859_1);
    }
    int place = (hash ^ hash >>> 16) & (MOST - 1);
    Known known = KNOWN[place];
    if (known != null && known.is(json, begin, end)) {
      return known.text();
    }
    Known other = KNOWN[place ^ 1];
    if (other != null && other.is(json, begin, end)) {
      return other.text();
    }
    if (known != null) {
      KNOWN[place ^ 1] = known;
    }
    byte[] bytes = Arrays.copyOfRange(json, begin, end);
    Known added = new Known(bytes, new String(bytes, ISO_8859_1));
    KNOWN[place] = added;
    return added.text();
  }
}
