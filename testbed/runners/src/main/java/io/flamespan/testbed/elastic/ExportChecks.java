/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.elastic.Exports.Signal;
import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.flamespan.testbed.harness.Results;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that exports arrive completely and as configured; {@link TraceChecks} checks the content.
 */
final class ExportChecks {
  private static final String WARNING = "WARNING: ";
  private static final String SEVERE = "SEVERE: ";

  private final Results results;
  private final Run run;

  ExportChecks(Results results, Run run) {
    this.results = results;
    this.run = run;
  }

  /** Checks that everything that the application recorded arrived exactly once. */
  void everythingOnce(Exports exports) {
    List<String> sampled =
        run.orders().stream()
            .filter(order -> order.caller().sampled())
            .map(Order::traceId)
            .toList();
    Set<String> ids = new HashSet<>();
    List<Span> spans = exports.spans();
    spans.forEach(span -> ids.add(ReceivedTraces.hex(span.getSpanId())));
    long ofOrders =
        spans.stream()
            .filter(span -> sampled.contains(ReceivedTraces.hex(span.getTraceId())))
            .count();
    long repeated = spans.size() - ids.size();
    results.check(
        repeated == 0 && ofOrders == spans.size() && ofOrders == run.expectedSpans(),
        "%d of %d spans in %d exports, %d of them repeated, %d other spans",
        ofOrders,
        run.expectedSpans(),
        exports.of(Signal.TRACES).requests().size(),
        repeated,
        spans.size() - ofOrders);
    logRecordsOnce(exports);
    long sum = exports.sum("orders");
    results.check(
        sum == run.orders().size(),
        "%d of %d orders are counted in %d exports of metrics",
        sum,
        run.orders().size(),
        exports.of(Signal.METRICS).requests().size());
  }

  private void logRecordsOnce(Exports exports) {
    List<String> missing = new ArrayList<>(run.orders().stream().map(Order::traceId).toList());
    List<LogRecord> records = exports.logRecords();
    long found =
        records.stream()
            .filter(record -> missing.remove(ReceivedTraces.hex(record.getTraceId())))
            .count();
    results.check(
        found == records.size() && missing.isEmpty(),
        "%d of %d log records in %d exports, %d other records",
        found,
        run.orders().size(),
        exports.of(Signal.LOGS).requests().size(),
        records.size() - found);
  }

  /** Checks that each request of each signal has the expected header, once. */
  void userAgent(Exports exports, String pluginVersion, Settings settings) {
    String version = settings.get("otel.resource.attributes").replace("service.version=", "");
    String expected =
        String.format(
            "flamespan/%s (%s %s) OTel-OTLP-Exporter-Java/%s",
            pluginVersion,
            settings.get("otel.service.name"),
            version,
            exports.resource("telemetry.sdk.version"));
    long requests = exports.requests().size();
    long right =
        exports.requests().stream()
            .filter(request -> request.header("user-agent").equals(List.of(expected)))
            .count();
    results.check(
        requests > 0 && right == requests,
        "%d of %d exports have the User-Agent %s",
        right,
        requests,
        expected);
    exports.requests().stream()
        .map(request -> request.header("user-agent"))
        .filter(values -> !values.equals(List.of(expected)))
        .distinct()
        .forEach(values -> System.out.println("          | " + values));
  }

  /** Checks the encoding of the bodies of this signal. */
  void encoding(Exports exports, Signal signal, String expected) {
    Set<String> found = new HashSet<>();
    exports.of(signal).requests().forEach(request -> found.add(request.encoding()));
    results.check(
        found.equals(Set.of(expected)), "%s are sent as %s, expected: %s", signal, found, expected);
  }

  void everySignalWasRefused(Exports refused) {
    for (Signal signal : Signal.values()) {
      int requests = refused.of(signal).requests().size();
      results.check(requests > 0, "%d exports of %s were refused", requests, signal);
    }
  }

  /** Checks that there are warnings about refused exports, and no other warnings. */
  void warnsOfRefusals(ApplicationLog log) {
    List<String> warnings = warnings(log);
    List<String> ours =
        warnings.stream().filter(line -> line.contains(" has not accepted ")).toList();
    List<String> others =
        warnings.stream()
            .filter(
                line -> !line.contains(" has not accepted ") && !line.contains("Failed to export "))
            .toList();
    results.check(
        !ours.isEmpty() && others.isEmpty(),
        "%d warnings about refused exports, %d other warnings",
        ours.size(),
        others.size());
    ours.stream().limit(1).forEach(line -> System.out.println("          | " + line));
  }

  /**
   * Checks that spans were dropped with one warning that names the size, and none arrived twice.
   */
  void boundedBuffer(Exports exports, ApplicationLog log, int size) {
    Set<String> ids = new HashSet<>();
    exports.spans().forEach(span -> ids.add(ReceivedTraces.hex(span.getSpanId())));
    int spans = exports.spans().size();
    results.check(
        spans > 0 && spans == ids.size() && spans < run.expectedSpans(),
        "%d of %d spans, %d of them repeated; the others did not fit into the buffer",
        spans,
        run.expectedSpans(),
        spans - ids.size());
    List<String> full = log.with("spans are lost, because " + size + " already wait");
    results.check(full.size() == 1, "%d warnings that %d spans wait", full.size(), size);
    full.forEach(line -> System.out.println("          | " + line));
  }

  void noWarning(ApplicationLog log) {
    results.check(warnings(log).isEmpty(), "%d warnings in the log", warnings(log).size());
  }

  private static List<String> warnings(ApplicationLog log) {
    List<String> warnings = new ArrayList<>(log.with(WARNING));
    warnings.addAll(log.with(SEVERE));
    return warnings;
  }
}
