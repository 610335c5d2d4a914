/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.rule;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.reader.FoundThreadRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules for the records of threads, checked by reading running threads many times. */
final class ThreadRules {
  private static final int LOOKS = 100;
  private static final long PAUSE_MILLIS = 10;

  // A few violations are tolerated: between two reads, a virtual thread may move to another
  // carrier, and a new thread may reuse the stack of one that has ended.
  private static final int FEW = 3;

  private @Nullable Evidence<ThreadRules> seen;
  private final Map<String, String> rootOfSpan = new HashMap<>();
  private int records;
  private int traces;
  private final Map<Integer, Integer> shared = new HashMap<>();
  private final Map<Integer, Integer> wrong = new HashMap<>();
  private final Map<Integer, Integer> invalid = new HashMap<>();
  private String layout = "";
  private String sharing = "";
  private String consistency = "";

  Section section() {
    return new Section(
        "Thread-local storage",
        rule("thread.records", this::seen).when("none", looks -> !looks.hasRecords()),
        check("thread.layout", looks -> looks.layout),
        check("thread.own-record", looks -> looks.sharing),
        check(
            "thread.valid-again",
            looks -> looks.invalid.containsValue(LOOKS) ? "a record was invalid at each read" : ""),
        check("thread.consistent", looks -> looks.consistency)
            .when("none", looks -> looks.traces == 0));
  }

  private Check<ThreadRules> check(String id, Function<ThreadRules, String> problem) {
    return Words.<ThreadRules>rule(id, s -> seen(s).only(ThreadRules::hasRecords, ""))
        .text(looks -> problem.apply(looks).isEmpty() ? looks.toString() : problem.apply(looks))
        .rule(looks -> problem.apply(looks).isEmpty());
  }

  /** Looks at all threads many times, once for all checks. */
  private Evidence<ThreadRules> seen(Subject subject) throws IOException {
    if (seen == null) {
      seen =
          subject.elastic.map(
              variable -> {
                LiveThreads threads = new LiveThreads(subject);
                for (int look = 0; look < LOOKS; look++) {
                  threads.readAgain();
                  look(threads);
                  new Deadline(2 * PAUSE_MILLIS).pause(PAUSE_MILLIS);
                }
                return this;
              });
    }
    return seen;
  }

  private boolean hasRecords() {
    return records > 0 || !wrong.isEmpty();
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

  @Override
  public String toString() {
    return records + " records read, " + traces + " with a trace, " + rootOfSpan.size() + " spans";
  }
}
