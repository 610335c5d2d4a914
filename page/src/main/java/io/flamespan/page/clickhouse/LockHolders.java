/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.ThreadName;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Held;
import io.flamespan.page.timeline.Measured;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who held locks last for which there were waits: of endpoints, and of the requests and spans with
 * the longest ones.
 */
final class LockHolders {
  private static final int MOST = 10_000;

  private final Map<Long, Measured> ofEndpoints = new HashMap<>();
  private final Map<Long, Measured> ofRequests = new HashMap<>();
  private final Map<String, Measured> ofSpans = new HashMap<>(); // by trace and span

  /** Reads none. */
  LockHolders() {}

  LockHolders(Query query) {
    WaitReasons reasons = new WaitReasons();
    query.run(
        "page-holders.sql",
        row -> {
          Frame lock = Frame.of(row.getString("lock"), "", Frame.CLASS);
          String thread = row.getString("thread");
          Held held =
              Held.of(
                  reasons.ofLock(lock),
                  lock.name(),
                  row.getLong("isOfRequest") != 0,
                  row.getString("endpoint"),
                  row.getString("notSampled"),
                  thread.isEmpty() ? "" : ThreadName.of(thread));
          long nanos = row.getLong("nanos");
          add(ofEndpoints, row.getLong("key"), held, nanos);
          add(ofRequests, row.getLong("request"), held, nanos);
          add(ofSpans, row.getString("traceId") + row.getString("spanId"), held, nanos);
        });
  }

  private static <K> void add(Map<K, Measured> to, K key, Held held, long nanos) {
    if (to.size() < MOST || to.containsKey(key)) {
      to.computeIfAbsent(key, added -> new Measured(0)).held(held, nanos);
    }
  }

  void addOfEndpoint(long key, Measured to) {
    add(ofEndpoints.get(key), to);
  }

  void addOfRequest(long key, Measured to) {
    add(ofRequests.get(key), to);
  }

  void addOfSpan(String trace, String span, Measured to) {
    add(ofSpans.get(trace + span), to);
  }

  private static void add(@Nullable Measured found, Measured to) {
    if (found != null) {
      to.addSamples(found);
    }
  }
}
