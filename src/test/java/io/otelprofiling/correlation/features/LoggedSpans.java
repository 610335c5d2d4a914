/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the lines of the SDK's logging exporter while open, and keeps them off the console. */
final class LoggedSpans implements AutoCloseable {
  private final Logger logger = Logger.getLogger(LoggingSpanExporter.class.getName());
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  LoggedSpans() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  /** Returns the lines about this span. */
  List<String> of(Span span) {
    String id = " " + span.getSpanContext().getSpanId() + " ";
    return lines.stream().filter(line -> line.contains(id)).toList();
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }
}
