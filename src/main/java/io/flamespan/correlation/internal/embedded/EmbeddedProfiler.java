/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A profiler in this process. An implementation is a service provider in an artifact of its own. It
 * samples threads, and the plug-in tells it what each thread worked for: a sample belongs to the
 * first report of its thread after it.
 */
public interface EmbeddedProfiler {
  /**
   * Says what the carriers of virtual threads work for. Called before {@link #start}, if virtual
   * threads can be followed.
   */
  default void follow(Carriers carriers) {}

  /**
   * Starts to sample. Called on a daemon thread of the plug-in, at most once.
   *
   * @param receiver receives the samples that belong to a span, sampled or not
   * @return what runs, in a few words, for the log
   * @throws EmbeddedProfilerException if it cannot run here
   */
  String start(EmbeddedSettings settings, SampleReceiver receiver) throws EmbeddedProfilerException;

  /**
   * Returns the samples of the calling thread, or null if it cannot follow this thread. Called on
   * each platform thread that has a context, while the profiler runs. A thread that loses its
   * thread-locals calls it again: the new object takes the place of the one before.
   *
   * @param current returns what the thread works for at the moment: null if for no span, {@link
   *     Work#UNKNOWN} if that is not known; for any thread. It refers to the thread, so it must be
   *     dropped when the thread has ended.
   * @param ofHolder the same, and {@link Work#UNKNOWN} also for a request that is not sampled and
   *     counts as none
   */
  @Nullable ThreadSamples ofCurrentThread(
      Supplier<@Nullable Work> current, Supplier<@Nullable Work> ofHolder);

  /**
   * Delivers what was sampled until now, and returns when that is done. Called before spans are
   * flushed, by any thread, while the profiler runs. Never throws.
   */
  void collect();

  /**
   * Says that threads report nothing any more, and may work for another SDK by now: from now on, no
   * sample belongs to a span. Called by any thread if {@link #stop} takes too long. Never blocks.
   */
  default void abandon() {}

  /** Returns the counts so far, in any state. Thread-safe. */
  EmbeddedCounts counts();

  /** Stops, delivers what was sampled, and releases everything. Never throws. */
  void stop();
}
