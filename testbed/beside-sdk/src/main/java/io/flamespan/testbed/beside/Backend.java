/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An exporter that counts, in the process of the application. */
final class Backend implements SpanExporter {
  static final String IDS = "elastic.profiler_stack_trace_ids";

  final AtomicLong requests = new AtomicLong();
  final AtomicLong spans = new AtomicLong();
  final AtomicLong roots = new AtomicLong();
  final AtomicLong rootsWithIds = new AtomicLong();

  private final ScheduledExecutorService answers =
      Executors.newScheduledThreadPool(1, Backend::daemon);
  private final Scenario scenario;
  private final String prefix;

  /** Creates an exporter with the options of a scenario whose names have this prefix. */
  Backend(Scenario scenario, String prefix) {
    this.scenario = scenario;
    this.prefix = prefix;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "backend");
    thread.setDaemon(true);
    return thread;
  }

  static boolean hasIds(SpanData span) {
    return span.getAttributes().get(AttributeKey.stringArrayKey(IDS)) != null;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> batch) {
    long micros = scenario.number(prefix + "micros");
    if (!scenario.has("async")) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    }
    for (SpanData span : batch) {
      if (!span.getParentSpanContext().isValid()) {
        roots.incrementAndGet();
        rootsWithIds.addAndGet(hasIds(span) ? 1 : 0);
      }
    }
    spans.addAndGet(batch.size());
    long answered = requests.incrementAndGet() - scenario.number(prefix + "answered");
    CompletableResultCode result = new CompletableResultCode();
    if (answered > 0 && answered <= scenario.number(prefix + "unanswered")) {
      return result;
    }
    if (scenario.has("async")) {
      answers.schedule(result::succeed, micros, TimeUnit.MICROSECONDS);
      return result;
    }
    return result.succeed();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
