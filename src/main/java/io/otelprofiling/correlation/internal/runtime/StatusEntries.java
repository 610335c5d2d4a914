/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.embedded.EmbeddedCounts;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.status.Origin;
import io.otelprofiling.correlation.internal.telemetry.Counts;
import java.io.IOException;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** The groups of entries of a status. */
final class StatusEntries {
  static void addProcess(Map<String, Object> entries) {
    try {
      entries.put("pid", Origin.pid());
      entries.put("pid.namespace", Origin.pidNamespace());
    } catch (IOException | RuntimeException e) {
      // The reader of the memory knows the process.
    }
    entries.put("jar", Origin.jar());
    entries.put("class.loader", Origin.describe(Origin.class.getClassLoader()));
  }

  static void addIdentity(Map<String, Object> entries, Resource resource) {
    entries.put("version", Origin.version());
    entries.put("service", ServiceStorage.name(resource));
  }

  static void count(ObjLongConsumer<String> counters, Counts counts) {
    MessageDecoder messages = counts.messages();
    long unknown = counts.unknownCorrelations(); // first: must not exceed a later one
    counters.accept("socket.received", messages.datagrams());
    counters.accept("messages.registration", messages.registrationMessages());
    counters.accept("messages.correlation", messages.correlationMessages());
    counters.accept("messages.unknown", unknown);
    counters.accept("messages.invalid", messages.invalidMessages());
    counters.accept("messages.last", messages.lastMessageMillis());
    counters.accept("ids.attached", counts.attachedStackTraceIds());
    counters.accept("ids.dropped", counts.droppedStackTraceIds());
    counters.accept("spans.waiting", counts.waitingSpans());
    counters.accept("spans.delayed", counts.delayedSpans());
    counters.accept("spans.released.early", counts.spansReleasedEarly());
    counters.accept("spans.lost", counts.lostSpans());
    counters.accept("spans.displaced", counts.displacedSpans());
    counters.accept("processors", counts.processors());
  }

  static void addEmbedded(Map<String, Object> entries, @Nullable EmbeddedSampling embedded) {
    entries.put("embedded.profiler", embedded == null ? "off" : embedded.state());
  }

  static void count(ObjLongConsumer<String> counters, @Nullable EmbeddedSampling embedded) {
    EmbeddedCounts counts = embedded == null ? null : embedded.counts();
    counters.accept("embedded.samples", counts == null ? 0 : counts.samples);
    counters.accept("embedded.skipped", counts == null ? 0 : counts.skipped);
    counters.accept("embedded.joined", counts == null ? 0 : counts.joined);
    counters.accept("embedded.without.span", counts == null ? 0 : counts.withoutSpan);
    counters.accept("embedded.unjoined", counts == null ? 0 : counts.unjoined);
    counters.accept("embedded.unjoined.virtual", counts == null ? 0 : counts.unjoinedVirtual);
    counters.accept("embedded.late", embedded == null ? 0 : embedded.late());
  }

  static void addTrouble(Map<String, Object> entries) {
    Trouble last = Trouble.last();
    entries.put("trouble", last == null ? "" : last.message());
    entries.put("trouble.time", last == null ? 0 : last.millis());
    entries.put("trouble.count", last == null ? 0 : last.count());
  }

  static String describe(Class<?> type) {
    return type.getName() + " of " + Origin.describe(type.getClassLoader());
  }

  /** Returns the entries as one line. */
  static String line(Map<String, Object> entries) {
    StringBuilder line = new StringBuilder();
    for (Map.Entry<String, Object> entry : entries.entrySet()) {
      line.append(line.length() == 0 ? "" : ", ");
      line.append(entry.getKey()).append('=').append(entry.getValue());
    }
    return line.toString();
  }

  private StatusEntries() {}
}
