/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Texts that messages may have in common, so that equal ones are mostly the same object, which is
 * compared faster. Any thread may call this.
 */
public final class RecentTexts {
  private static final int PLACES = 1 << 14;
  private static final int LONGEST = 512; // characters; so that all take 8 MB, not more

  private final AtomicReferenceArray<String> texts = new AtomicReferenceArray<>(PLACES);

  /** The text, or an equal one. */
  String same(String text) {
    if (text.length() > LONGEST) {
      return text;
    }
    int hash = text.hashCode();
    int place = (hash ^ hash >>> 15) & PLACES - 1;
    String known = texts.getPlain(place);
    if (text.equals(known)) {
      return known;
    }
    texts.setPlain(place, text);
    return text;
  }
}
