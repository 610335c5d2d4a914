/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.processcontext.ProtobufMessage;
import io.flamespan.correlation.internal.status.Origin;
import io.flamespan.embedded.Holder;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message with a profile for each kind of sample.
 *
 * <p>Source: opentelemetry-proto 1.11.0, {@code ProfilesData}, which has the same fields as {@code
 * ExportProfilesServiceRequest}.
 */
public final class ProfilesMessage {
  private static final String SCOPE = "io.flamespan.embedded";

  /** Receivers of gRPC accept four megabytes by default, and a sample has hardly 500 bytes. */
  private static final int MAX_SAMPLES = 5_000;

  /** Of a local root span that is not sampled. */
  private static final String UNKNOWN_NAME = "unknown";

  private final ProfilesDictionary dictionary;
  private final List<JoinedSample> samples;
  private final long periodNanos;
  private final Resource resource;

  /**
   * Returns samples as messages that receivers accept.
   *
   * @param linksNameLocalRoots whether Links name the local root span instead of the current span
   */
  public static List<ProfilesMessage> of(
      List<JoinedSample> samples,
      long periodNanos,
      Resource resource,
      boolean linksNameLocalRoots) {
    List<ProfilesMessage> messages = new ArrayList<>();
    for (int from = 0; from < samples.size(); from += MAX_SAMPLES) {
      List<JoinedSample> part = samples.subList(from, Math.min(from + MAX_SAMPLES, samples.size()));
      messages.add(new ProfilesMessage(part, periodNanos, resource, linksNameLocalRoots));
    }
    return messages;
  }

  private ProfilesMessage(
      List<JoinedSample> samples,
      long periodNanos,
      Resource resource,
      boolean linksNameLocalRoots) {
    this.dictionary = new ProfilesDictionary(linksNameLocalRoots);
    this.samples = samples;
    this.periodNanos = periodNanos;
    this.resource = resource;
  }

  /** Returns the message in protobuf. */
  public byte[] toBytes() {
    Map<SampleKind, List<JoinedSample>> kinds = new EnumMap<>(SampleKind.class);
    for (JoinedSample sample : samples) {
      kinds.computeIfAbsent(sample.kind, unused -> new ArrayList<>()).add(sample);
    }
    List<ProtobufMessage> profiles = new ArrayList<>();
    kinds.forEach((kind, ofKind) -> profiles.add(profile(kind, ofKind)));
    ProtobufMessage scope = new ProtobufMessage();
    scope.add(1, SCOPE);
    scope.add(2, Origin.version());
    ProtobufMessage scopes = CommonMessages.of(scope, profiles, null);
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, CommonMessages.ofResource(resource, Collections.singleton(scopes)));
    message.add(2, dictionary.message()); // filled by what precedes
    return message.toBytes();
  }

  private ProtobufMessage profile(SampleKind kind, List<JoinedSample> samples) {
    long first = samples.get(0).epochNanos;
    long last = first;
    Map<List<Integer>, List<JoinedSample>> rows = new LinkedHashMap<>();
    for (JoinedSample sample : samples) {
      first = Math.min(first, sample.epochNanos);
      last = Math.max(last, sample.epochNanos);
      rows.computeIfAbsent(row(sample), unused -> new ArrayList<>()).add(sample);
    }
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, sampleType(kind));
    rows.forEach((row, ofRow) -> message.add(2, sample(row, ofRow)));
    message.addFixed(3, first);
    message.add(4, last - first + 1); // the end does not belong to it
    if (kind == SampleKind.CPU || kind == SampleKind.WALL || kind == SampleKind.RUNNABLE) {
      message.add(5, valueType(kind == SampleKind.CPU ? "cpu" : "wall", "nanoseconds"));
      message.add(6, periodNanos);
    }
    return message;
  }

  private ProtobufMessage sampleType(SampleKind kind) {
    switch (kind) {
      case ALLOC:
        return valueType("alloc_space", "bytes");
      case LOCK:
        return valueType("lock", "nanoseconds");
      case WALL:
        return valueType("off_cpu", "nanoseconds");
      case RUNNABLE:
        return valueType("runnable", "nanoseconds");
      case STOPPED:
        return valueType("jvm_stopped", "nanoseconds");
      case THROTTLED:
        return valueType("cpu_throttled", "nanoseconds");
      case HOLDER:
        return valueType("lock_holder", "nanoseconds");
      default:
        return valueType("samples", "count");
    }
  }

  private ProtobufMessage valueType(String type, String unit) {
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, dictionary.string(type));
    message.add(2, dictionary.string(unit));
    return message;
  }

  /** Returns what samples have in common that make one of the message. */
  private List<Integer> row(JoinedSample sample) {
    List<Integer> row = new ArrayList<>();
    row.add(dictionary.stack(sample.stackTrace));
    row.add(dictionary.link(sample.work));
    row.add(dictionary.attribute("thread.name", sample.threadName));
    if (sample.notSampled != null) {
      row.add(notSampled("", sample.notSampled));
    }
    if (sample.holder != null) {
      addHolder(row, sample.holder);
    }
    return row;
  }

  private void addHolder(List<Integer> row, Holder holder) {
    Work work = holder.work;
    if (work != null) {
      String traceId = TraceId.fromLongs(work.traceIdHigh, work.traceIdLow);
      row.add(dictionary.attribute("lock.holder.trace_id", traceId));
      row.add(dictionary.attribute("lock.holder.span_id", SpanId.fromLong(work.localRootSpanId)));
      if (work.notSampled != null) {
        row.add(notSampled("lock.holder.", work.notSampled));
      }
    }
    row.add(dictionary.attribute("lock.holder.thread.name", holder.threadName));
  }

  private int notSampled(String prefix, String name) {
    return dictionary.attribute(
        prefix + "not_sampled.span.name", name.isEmpty() ? UNKNOWN_NAME : name);
  }

  private ProtobufMessage sample(List<Integer> row, List<JoinedSample> samples) {
    List<Long> amounts = new ArrayList<>();
    List<Long> moments = new ArrayList<>();
    for (JoinedSample one : samples) {
      if (one.kind != SampleKind.CPU) {
        amounts.add(one.amount(periodNanos));
      }
      moments.add(one.epochNanos);
    }
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, row.get(0));
    List<Integer> attributes = new ArrayList<>(row.subList(2, row.size()));
    attributes.removeIf(index -> index == ProfilesDictionary.NONE);
    if (!attributes.isEmpty()) {
      message.addAll(2, attributes);
    }
    message.add(3, row.get(1));
    if (!amounts.isEmpty()) {
      message.addAll(4, amounts);
    }
    message.addAllFixed(5, moments);
    return message;
  }
}
