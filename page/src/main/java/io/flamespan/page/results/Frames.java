/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Numbers frames in the order of their first use. */
public final class Frames {
  /** A function as a profile has it. */
  private record Raw(String name, String file, String kind) {
    // As that of any record, but without the time until it is compiled.
    @Override
    public boolean equals(Object other) {
      return other instanceof Raw raw
          && name.equals(raw.name)
          && file.equals(raw.file)
          && kind.equals(raw.kind);
    }

    /** Texts keep their hash. */
    @Override
    public int hashCode() {
      return 31 * name.hashCode() + file.hashCode();
    }
  }

  private final Object2IntOpenHashMap<Frame> numbers = new Object2IntOpenHashMap<>();
  private final Object2IntOpenHashMap<Raw> raws = new Object2IntOpenHashMap<>();
  private final List<Frame> frames = new ArrayList<>();

  public Frames() {
    numbers.defaultReturnValue(-1);
  }

  public int number(Frame frame) {
    int known = numbers.putIfAbsent(frame, frames.size());
    if (known >= 0) {
      return known;
    }
    frames.add(frame);
    return frames.size() - 1;
  }

  /** Numbers a frame by its comparable name. */
  public int number(String raw, String file, String kind) {
    Raw key = new Raw(raw, file, kind);
    int known = raws.getOrDefault(key, -1);
    if (known < 0) {
      known = number(Frame.of(raw, file, kind));
      raws.put(key, known);
    }
    return known;
  }

  /** The number of a frame; -1 if it has none. */
  int find(Frame frame) {
    return numbers.getOrDefault(frame, -1);
  }

  public Frame get(int number) {
    return frames.get(number);
  }

  public int size() {
    return frames.size();
  }
}
