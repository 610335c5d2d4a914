/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.doctor.internal.check.LiveThreads;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Deadline;
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
  private static final long PAUSE_MILLIS = 10;

  // A few violations are tolerated: between two reads, a virtual thread may move to another
  // carrier, and a new thread may reuse the stack of one that has ended.
  private static final int FEW = 3;

  private final Report rules;
  private final Map<String, String> rootOfSpan = new HashMap<>();
  private int records;
  private int traces;
  private final Map<Integer, Integer> shared = new HashMap<>();
  private final Map<Integer, Integer> wrong = new HashMap<>();
  private final Map<Integer, Integer> invalid = new HashMap<>();
  private String layout = "";
  private String sharing = "";
  private String consistency = "";

  private ThreadRules(Report rules) {
    this.rules = rules;
  }

  static void check(Subject subject, Report rules) throws IOException {
    rules.section("Thread-local storage");
    ThreadRules seen = new ThreadRules(rules);
    if (subject.elastic.value != null) {
      LiveThreads threads = new LiveThreads(subject);
      for (int look = 0; look < LOOKS; look++) {
        threads.readAgain();
        seen.look(threads);
        new Deadline(2 * PAUSE_MILLIS).pause(PAUSE_MILLIS);
      }
    }
    seen.conclude();
  }

  private void conclude() {
    String again = ". Repeat the check while the application serves requests.";
    if (records == 0 && wrong.isEmpty()) {
      rules.notChecked("thread.records", "no thread has a record, or none is found" + again);
      return;
    }
    String seen = records + " records read, " + traces + " with a trace";
    String never = invalid.containsValue(LOOKS) ? "a record was invalid at each read" : "";
    must(
        "thread.layout",
        layout,
        seen,
        "minor version 1 or later, valid and trace-present 0 or 1, no all-zero id in a trace");
    must("thread.own-record", sharing, seen, "threads do not share a record");
    must("thread.valid-again", never, seen, "valid is 0 only while the record is written");
    if (traces == 0) {
      rules.notChecked("thread.consistent", "no thread showed a trace" + again);
    } else {
      must(
          "thread.consistent",
          consistency,
          rootOfSpan.size() + " spans",
          "a span is always shown with the same trace and the same local root span");
    }
  }

  private void must(String id, String problem, String seen, String rule) {
    rules.must(id, problem.isEmpty(), problem.isEmpty() ? seen : problem, rule);
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
      if (!addresses.add(thread.address) && shared.merge(thread.tid, 1, Integer::sum) > FEW) {
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
