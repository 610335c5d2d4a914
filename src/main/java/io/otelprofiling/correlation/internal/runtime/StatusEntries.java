/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.status.Origin;
import io.otelprofiling.correlation.internal.telemetry.Counts;
import java.io.IOException;
import java.util.Map;

/** The groups of entries of a status. */
final class StatusEntries {
  static void addProcess(Map<String, Object> entries) {
    try {
      entries.put("pid", Origin.pid());
      entries.put("pid.namespace", Origin.pidNamespace());
    } catch (IOException | RuntimeException e) {
      // Without /proc the file cannot be written either, but the MBean can still be read.
    }
    entries.put("jar", Origin.jar());
    entries.put("class.loader", Origin.describe(Origin.class.getClassLoader()));
  }

  static void addIdentity(Map<String, Object> entries, Resource resource) {
    entries.put("version", Origin.version());
    entries.put("service", ServiceStorage.name(resource));
  }

  static void addCounts(Map<String, Object> entries, Counts counts) {
    MessageDecoder messages = counts.messages();
    long unknown = counts.unknownCorrelations(); // first: must not exceed the next one
    entries.put("messages.registration", messages.registrationMessages());
    entries.put("messages.correlation", messages.correlationMessages());
    entries.put("messages.unknown", unknown);
    entries.put("messages.invalid", messages.invalidMessages());
    entries.put("messages.last", messages.lastMessageMillis());
    entries.put("ids.attached", counts.attachedStackTraceIds());
    entries.put("ids.dropped", counts.droppedStackTraceIds());
    entries.put("spans.waiting", counts.waitingSpans());
    entries.put("spans.delayed", counts.delayedSpans());
    entries.put("spans.released.early", counts.spansReleasedEarly());
    entries.put("spans.lost", counts.lostSpans());
    entries.put("spans.displaced", counts.displacedSpans());
    entries.put("processors", (long) counts.processors());
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
