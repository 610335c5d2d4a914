/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of one process. */
record SoakResult(
    String kind,
    String collector,
    long seconds,
    Map<String, Long> last,
    Map<String, Long> grown,
    Map<String, Integer> disturbances,
    Map<String, Integer> logged,
    List<String> problems) {

  /** Compares the ledger of the process with the records of its profilers. */
  void check(Profiler profiler, Path directory, List<String> found) throws IOException {
    MessageCheck messages = new MessageCheck();
    messages.read(directory.resolve("ledger"), profiler.files("sent"));
    messages.check(last, profiler.killed(), found);
    RecordCheck records = new RecordCheck();
    for (Path file : profiler.files("records")) {
      records.read(file);
    }
    Map<String, Long> seen = profiler.counters();
    LogCheck log = new LogCheck();
    log.read(directory.resolve("log"));
    log.check(seconds, number("starts"), found);
    figures().put("sent", messages.sent());
    figures().put("attached", messages.attached());
    figures().put("unread", messages.unread());
    figures().put("uncounted", messages.uncounted());
    figures().put("records", records.records());
    figures().put("torn", records.torn());
    figures().put("foreign", profiler.foreign());
    figures().put("profilers", (long) profiler.runs());
    for (String key : List.of("expected", "expected_shown", "expected_missing", "samples")) {
      figures().put(key, seen.getOrDefault(key, 0L));
    }
    figures().put("refused", seen.getOrDefault("lost_queue_full", 0L));
    figures().put("errors", seen.getOrDefault("send_errors", 0L));
    expect(number("spans.lost") == 0, number("spans.lost") + " spans were lost", found);
    expect(number("spans.twice") == 0, number("spans.twice") + " spans came twice", found);
    expect(number("failures") == 0, number("failures") + " requests failed", found);
    expect(records.torn() == 0, records.torn() + " torn records", found);
    expect(
        figures().get("expected_missing") == 0,
        figures().get("expected_missing") + " samples missed the span of their thread",
        found);
    expect(profiler.foreign() == 0, profiler.foreign() + " foreign traces", found);
    expect(number("spans.arrived") > 0, "no span arrived", found);
    expect(records.records() > 0, "no thread was seen with a trace", found);
    logged.putAll(log.kinds());
  }

  private static void expect(boolean right, String problem, List<String> found) {
    if (!right) {
      found.add(problem);
    }
  }

  private Map<String, Long> figures() {
    return last;
  }

  long number(String key) {
    return last.getOrDefault(key, 0L);
  }

  int disturbed() {
    return disturbances.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Adds another process to the sums of a table. */
  static SoakResult sum(List<SoakResult> all) {
    Map<String, Long> sums = new LinkedHashMap<>();
    Map<String, Integer> disturbances = new TreeMap<>();
    Map<String, Integer> logged = new TreeMap<>();
    long seconds = 0;
    for (SoakResult each : all) {
      each.last.forEach((key, value) -> sums.merge(key, value, Long::sum));
      each.disturbances.forEach((key, value) -> disturbances.merge(key, value, Integer::sum));
      each.logged.forEach((key, value) -> logged.merge(key, value, Integer::sum));
      seconds += each.seconds;
    }
    return new SoakResult("all", "", seconds, sums, Map.of(), disturbances, logged, List.of());
  }
}
