/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.nativelib.VirtualThreadMemory;
import io.otelprofiling.correlation.internal.protocol.ElasticThreadRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Creates the records of each thread, for the protocols in use. Thread-safe. */
final class RecordFactory {
  private final VirtualThreads virtualThreads;
  private final RecordMemories memories = new RecordMemories();
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(RecordFactory.class.getName()));
  private volatile @Nullable OtelAttributes otelAttributes;
  private volatile boolean without;

  RecordFactory(VirtualThreads virtualThreads) {
    this.virtualThreads = virtualThreads;
  }

  /**
   * Begins a run of the mirror.
   *
   * @param otelAttributes the attributes of OpenTelemetry thread contexts, or null if threads have
   *     no thread contexts
   */
  void start(@Nullable OtelAttributes otelAttributes) {
    this.otelAttributes = otelAttributes;
    without = false;
  }

  /** Begins a run of the mirror in which no thread has records. */
  void startWithout() {
    otelAttributes = null;
    without = true;
  }

  /** Returns whether spans that the sampler dropped are shown. */
  boolean showsDroppedSpans() {
    return otelAttributes != null;
  }

  /**
   * Returns the calling thread's records, or null if there are none, or on virtual threads that are
   * not to show traces.
   */
  @Nullable RecordWriter ofCurrentThread() {
    boolean virtual = VirtualThreads.isCurrent();
    if (without || (virtual && !virtualThreads.areShown())) {
      return null;
    }
    OtelAttributes attributes = otelAttributes;
    if (attributes != null) {
      try {
        boolean withAttributes = !attributes.isEmpty();
        return new RecordWriter(
            virtual
                ? memories.contextAt(
                    VirtualThreadMemory.show(withAttributes), VirtualThreadMemory::turn)
                : memories.contextAt(
                    NativeLibrary.threadRecords(withAttributes),
                    NativeLibrary.threadContextPointer()),
            attributes);
      } catch (Throwable e) {
        logger.warn("A thread has no OpenTelemetry thread context", e);
      }
    }
    return new RecordWriter(
        new ElasticThreadRecord(
            virtual
                ? VirtualThreadMemory.recordAt(VirtualThreadMemory.show(false))
                : NativeLibrary.threadRecord()));
  }
}
