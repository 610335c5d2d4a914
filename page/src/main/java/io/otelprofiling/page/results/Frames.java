/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers frames in the order of their first use. */
public final class Frames {
  private final Object2IntOpenHashMap<Frame> numbers = new Object2IntOpenHashMap<>();
  private final Map<String, String> comparable = new HashMap<>();
  private final List<Frame> frames = new ArrayList<>();

  public int number(Frame frame) {
    int known = numbers.getOrDefault(frame, -1);
    if (known >= 0) {
      return known;
    }
    numbers.put(frame, frames.size());
    frames.add(frame);
    return frames.size() - 1;
  }

  /** Numbers a frame by its comparable name. */
  public int number(String raw, String file, String kind) {
    return number(new Frame(comparable.computeIfAbsent(raw, ComparableName::of), file, kind, raw));
  }

  public Frame get(int number) {
    return frames.get(number);
  }

  public int size() {
    return frames.size();
  }
}
