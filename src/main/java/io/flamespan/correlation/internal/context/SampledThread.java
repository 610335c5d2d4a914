/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import io.opentelemetry.context.Context;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports what one thread worked for when samples of it were taken. Used only by this thread. */
final class SampledThread {
  private final SampledThreads threads;
  private final Supplier<@Nullable Context> current;

  // Until the first report, samples may be older than what is current, or than this object.
  private boolean isWorkUnknown = true;
  private @Nullable ThreadSamples samples;

  SampledThread(SampledThreads threads, Supplier<@Nullable Context> current) {
    this.threads = threads;
    this.current = current;
  }

  /** Begins with the samples of the calling thread. Those taken before belong to no span. */
  void start(ThreadSamples ofCurrentThread) {
    samples = ofCurrentThread;
    report();
  }

  /**
   * Reports new samples as the current span's. Must be called before what is current changes.
   * Throws nothing, unless not even enough stack is left for that.
   */
  void report() {
    ThreadSamples own = samples;
    if (own == null) {
      return;
    }
    try {
      if (own.areNew()) {
        own.report(isWorkUnknown ? null : threads.workOf(current.get(), true));
      }
      if (own.areChangesWanted()) {
        own.change(isWorkUnknown ? Work.UNKNOWN : threads.workOfHolder(current.get()));
      }
      if (isWorkUnknown) {
        isWorkUnknown = false;
      }
    } catch (Throwable e) {
      failed();
      threads.warn(e);
    }
  }

  /** Makes the next report claim no span: it would also be about samples that were not reported. */
  void failed() {
    isWorkUnknown = true;
  }

  /** Returns what the thread works for at the moment. May be called by any thread. */
  @Nullable Work currentWork() {
    return current(context -> threads.workOf(context, false));
  }

  /** The same, as {@link SampledThreads#workOfHolder}. */
  @Nullable Work currentWorkOfHolder() {
    return current(threads::workOfHolder);
  }

  private @Nullable Work current(Function<@Nullable Context, @Nullable Work> workOf) {
    try {
      return isWorkUnknown ? Work.UNKNOWN : workOf.apply(current.get());
    } catch (Throwable e) {
      threads.warn(e);
      return Work.UNKNOWN;
    }
  }
}
