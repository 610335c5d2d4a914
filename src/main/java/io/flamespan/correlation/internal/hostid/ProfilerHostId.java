/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The {@code host.id} announced by a profiler, for a resource without one. Written by the thread
 * that handles messages, read by exporters.
 *
 * <p>Source: Universal profiling integration, "Profiler registration message".
 */
public final class ProfilerHostId {
  static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  // The id is logged and sent with each export, so it must be shorter than a datagram and must not
  // break lines. It stays, so one that a sender has decoded wrongly must not keep out a good one.
  private static final int MAX_LENGTH = 255;
  private static final int REPLACEMENT_CHARACTER = 0xfffd;

  private final @Nullable String resourceHostId;
  private final AtomicBoolean conflictReported = new AtomicBoolean();
  private final AtomicBoolean refusalReported = new AtomicBoolean();
  private volatile @Nullable String learned;

  ProfilerHostId(@Nullable String resourceHostId) {
    this.resourceHostId = resourceHostId;
  }

  /** Creates the holder of the id for this resource, even if the resource already has one. */
  public static ProfilerHostId of(Resource resource) {
    return new ProfilerHostId(resource.getAttribute(HOST_ID));
  }

  /** Returns whether the resource does not have a host id, so that one may be learned. */
  public boolean isMissing() {
    return resourceHostId == null;
  }

  /**
   * Learns the first id if the resource does not have one. Warns once if another id is in use, and
   * once if the id is refused because it cannot be a host id.
   *
   * @return whether the id was learned
   */
  public boolean onRegistration(String hostId) {
    if (hostId.isEmpty()) {
      return false;
    }
    if (hostId.length() > MAX_LENGTH
        || hostId.trim().isEmpty()
        || !hostId.codePoints().allMatch(ProfilerHostId::isPrinted)) {
      if (refusalReported.compareAndSet(false, true)) {
        Trouble.warn(
            ProfilerHostId.class,
            "A profiler announced a host.id of {0} characters, which is ignored: an id has at"
                + " most {1}, and only characters that can be printed. Check what sends to this"
                + " process''s socket.",
            hostId.length(),
            MAX_LENGTH);
      }
      return false;
    }
    String inUse = resourceHostId == null ? learned : resourceHostId;
    if (inUse == null) {
      learned = hostId;
      return true;
    }
    if (!inUse.equals(hostId) && conflictReported.compareAndSet(false, true)) {
      Trouble.warn(
          ProfilerHostId.class,
          "This application reports host.id {0}, the profiler {1}. Profiles and traces of this host"
              + " will not match; set the resource attribute host.id to the profiler''s.",
          inUse,
          hostId);
    }
    return false;
  }

  private static boolean isPrinted(int character) {
    switch (Character.getType(character)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
      case Character.PRIVATE_USE:
      case Character.UNASSIGNED:
        return false;
      default:
        return character != REPLACEMENT_CHARACTER;
    }
  }

  /** Returns the resource with the learned id, or the same resource if no id was learned yet. */
  public Resource addTo(Resource resource) {
    String id = learned;
    return id == null ? resource : resource.toBuilder().put(HOST_ID, id).build();
  }

  /**
   * Returns an exporter that adds the id to spans. Returns the given exporter if the resource has
   * an id, or if it is the SDK's no-op exporter: for any other, older SDKs create a processor with
   * a thread.
   */
  public SpanExporter addTo(SpanExporter exporter) {
    return isMissing() && exporter != SpanExporter.composite()
        ? HostIdExporter.of(exporter, this)
        : exporter;
  }

  /**
   * Returns an exporter that adds the id to metrics, or the given one if the resource has an id.
   */
  public MetricExporter addTo(MetricExporter exporter) {
    return isMissing() ? HostIdExporter.of(exporter, this) : exporter;
  }

  /**
   * Returns an exporter that adds the id to logs, or the given one in the same cases as for spans.
   */
  public LogRecordExporter addTo(LogRecordExporter exporter) {
    return isMissing() && exporter != LogRecordExporter.composite()
        ? HostIdExporter.of(exporter, this)
        : exporter;
  }

  /** Returns the id to add, or null if none has been learned. */
  @Nullable String toAdd() {
    return learned;
  }
}
