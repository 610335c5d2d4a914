/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Problems of the input. Each kind is listed up to a limit, and counted beyond it. */
public final class Problems {
  private static final int LISTED_OF_A_KIND = 3;

  private static final class Kind {
    final List<String> listed = new ArrayList<>();
    int count;
  }

  private final Map<String, Kind> kinds = new LinkedHashMap<>();

  /** The kind names the problem in general, the detail says where and how it occurred. */
  public void add(String kind, String detail) {
    Kind known = kinds.computeIfAbsent(kind, key -> new Kind());
    known.count++;
    if (known.listed.size() < LISTED_OF_A_KIND) {
      known.listed.add(detail.replaceAll("\\p{Cntrl}", "?")); // names may have codes for terminals
    }
  }

  /** Adds all of others. */
  public void addAll(Problems others) {
    others.kinds.forEach(
        (kind, added) -> {
          Kind known = kinds.computeIfAbsent(kind, key -> new Kind());
          known.count += added.count;
          added.listed.stream()
              .limit(LISTED_OF_A_KIND - known.listed.size())
              .forEach(known.listed::add);
        });
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    kinds.forEach(
        (kind, problems) -> {
          problems.listed.forEach(detail -> lines.add(kind + ": " + detail));
          int more = problems.count - problems.listed.size();
          if (more > 0) {
            lines.add(kind + ": " + more + " more");
          }
        });
    return lines;
  }
}
