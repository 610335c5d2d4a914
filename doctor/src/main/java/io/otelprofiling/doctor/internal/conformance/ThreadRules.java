/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.doctor.internal.check.LiveThreads;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.reader.FoundThreadRecord;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The rules for the records of threads, checked by reading running threads many times. */
final class ThreadRules {
  private static final int LOOKS = 100;
  private static final long BETWEEN_LOOKS_MILLIS = 10;

  // A few violations are tolerated: between two reads, a virtual thread may move to another
  // carrier, and a new thread may reuse the stack of one that has ended.
  private static final int FEW = 3;

  private final Map<String, String> rootOfSpan = new HashMap<>();
  private int records;
  private int traces;
  private final Map<Integer, Integer> shared = new HashMap<>();
  private final Map<Integer, Integer> wrong = new HashMap<>();
  private final Map<Integer, Integer> invalid = new HashMap<>();
  private String layout = "";
  private String sharing = "";
  private String consistency = "";

  static void check(Subject subject, Report rules) throws IOException {
    rules.section("Thread-local storage");
    if (!subject.hasRecords()) {
      rules.notChecked("thread.records", "the pointers of the threads cannot be found");
      return;
    }
    new ThreadRules().check(new LiveThreads(subject), subject, rules);
  }

  private void check(LiveThreads threads, Subject subject, Report rules) throws IOException {
    for (int look = 0; look < LOOKS; look++) {
      look(threads.readAgain(subject));
      try {
        Thread.sleep(BETWEEN_LOOKS_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    if (records == 0 && wrong.isEmpty()) {
      rules.notChecked(
          "thread.records",
          "no thread has a record" + ". Repeat the check while the application serves requests.");
      return;
    }
    String seen = records + " records read, " + traces + " with a trace";
    rules.must(
        "thread.layout",
        layout.isEmpty(),
        layout.isEmpty() ? seen : layout,
        "minor version 1 or later, valid and trace-present 0 or 1, no all-zero id in a trace");
    rules.must(
        "thread.own-record",
        sharing.isEmpty(),
        sharing.isEmpty() ? seen : sharing,
        "threads do not share a record");
    rules.must(
        "thread.valid-again",
        !invalid.containsValue(LOOKS),
        invalid.containsValue(LOOKS) ? "a record was invalid at each read" : seen,
        "valid is 0 only while the record is written");
    if (traces == 0) {
      rules.notChecked(
          "thread.consistent",
          "no thread showed a trace" + ". Repeat the check while the application serves requests.");
    } else {
      rules.must(
          "thread.consistent",
          consistency.isEmpty(),
          consistency.isEmpty() ? rootOfSpan.size() + " spans" : consistency,
          "a span is always shown with the same trace and the same local root span");
    }
  }

  private void look(LiveThreads threads) {
    threads.lost.forEach(this::isWrong);
    Set<Long> addresses = new HashSet<>();
    for (LiveThreads.Shown thread : threads.found) {
      FoundThreadRecord record = thread.elastic;
      if (record == null) {
        continue;
      }
      records++;
      if (record.valid == 0) {
        invalid.merge(thread.tid, 1, Integer::sum);
      }
      if (!addresses.add(thread.elasticAddress)
          && shared.merge(thread.tid, 1, Integer::sum) > FEW) {
        sharing = "thread " + thread.tid + " has the record of another thread";
      }
      if (!record.problem().isEmpty()) {
        isWrong(thread.tid, record.problem());
      } else if (record.showsTrace()) {
        traces++;
        String ids = record.traceId + "/" + record.transactionId;
        String before = rootOfSpan.put(record.spanId, ids);
        if (before != null && !before.equals(ids)) {
          consistency = "span " + record.spanId + " with " + before + " and with " + ids;
        }
      }
    }
  }

  private void isWrong(int tid, String what) {
    if (wrong.merge(tid, 1, Integer::sum) > FEW) {
      layout = "thread " + tid + ": " + what;
    }
  }
}
