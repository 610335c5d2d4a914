/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Numbers the lines of frames in the order of their first use. Line 0 is an unknown one. */
public final class Locations {
  private final Long2IntOpenHashMap numbers = new Long2IntOpenHashMap();
  private final IntArrayList frames = new IntArrayList();
  private final IntArrayList lines = new IntArrayList();
  private final IntArrayList last = new IntArrayList(); // the last one asked for of a frame, or -1
  private boolean anyLine;

  Locations() {
    numbers.defaultReturnValue(-1);
  }

  int number(int frame, int line) {
    while (last.size() <= frame) {
      last.add(-1);
    }
    int known = last.getInt(frame);
    if (known < 0 || lines.getInt(known) != line) {
      known = anyNumber(frame, line);
      last.set(frame, known);
    }
    return known;
  }

  private int anyNumber(int frame, int line) {
    long key = (long) frame << 32 | line;
    int known = numbers.get(key);
    if (known < 0) {
      known = frames.size();
      numbers.put(key, known);
      frames.add(frame);
      lines.add(line);
      anyLine |= line > 0;
    }
    return known;
  }

  public int frame(int location) {
    return frames.getInt(location);
  }

  public int line(int location) {
    return lines.getInt(location);
  }

  public int size() {
    return frames.size();
  }

  boolean anyLine() {
    return anyLine;
  }
}
