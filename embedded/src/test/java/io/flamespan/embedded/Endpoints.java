/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Methods that name the endpoint they work for, and threads that switch between them. */
final class Endpoints implements JoinedSamples {
  private static final String PREFIX = "endpoint";
  static final int COUNT = 8;
  static final int NONE = -1;

  /**
   * The methods above call none of these. In a barrier of G1, which has no frame of its own,
   * async-profiler may take a return address that is over.
   */
  private static final Pattern LIBRARIES = Pattern.compile("java\\.|io\\.opentelemetry\\.");

  private final EmbeddedProfiler profiler;
  private final ThreadLocal<Following> following = ThreadLocal.withInitial(Following::new);

  volatile int right;
  volatile int wrong;
  volatile int lost;

  Endpoints(EmbeddedProfiler profiler) {
    this.profiler = profiler;
  }

  /** What the plug-in does at each switch of the context. */
  private final class Following {
    private volatile @Nullable Work current;
    private final @Nullable ThreadSamples samples =
        profiler.ofCurrentThread(() -> current, () -> current);

    private Following() {
      if (samples != null && samples.areNew()) {
        samples.report(null);
      }
    }

    void switchTo(@Nullable Work next) {
      if (samples != null && samples.areNew()) {
        samples.report(current);
      }
      current = next;
    }
  }

  /** Uses that much CPU for one span, and less for one below it. */
  void call(long nanos) {
    call(() -> spin(nanos), () -> spin(nanos / 4));
  }

  /** Works for one span, and does less for one below it and again for the first one. */
  void call(Runnable work, Runnable less) {
    Following following = this.following.get();
    int endpoint = ThreadLocalRandom.current().nextInt(COUNT);
    int below = ThreadLocalRandom.current().nextInt(COUNT);
    following.switchTo(work(endpoint));
    run(endpoint, work);
    following.switchTo(work(below));
    run(below, less);
    following.switchTo(work(endpoint));
    run(endpoint, less);
    following.switchTo(null);
  }

  private static Work work(int endpoint) {
    return new Work(1, 2, endpoint, 3);
  }

  /** Uses that much CPU in the method of an endpoint. */
  static void run(int endpoint, long nanos) {
    run(endpoint, () -> spin(nanos));
  }

  /** Works in the method of an endpoint. */
  static void run(int endpoint, Runnable work) {
    switch (endpoint) {
      case 0:
        endpoint0(work);
        break;
      case 1:
        endpoint1(work);
        break;
      case 2:
        endpoint2(work);
        break;
      case 3:
        endpoint3(work);
        break;
      case 4:
        endpoint4(work);
        break;
      case 5:
        endpoint5(work);
        break;
      case 6:
        endpoint6(work);
        break;
      default:
        endpoint7(work);
    }
  }

  private static void endpoint0(Runnable work) {
    work.run();
  }

  private static void endpoint1(Runnable work) {
    work.run();
  }

  private static void endpoint2(Runnable work) {
    work.run();
  }

  private static void endpoint3(Runnable work) {
    work.run();
  }

  private static void endpoint4(Runnable work) {
    work.run();
  }

  private static void endpoint5(Runnable work) {
    work.run();
  }

  private static void endpoint6(Runnable work) {
    work.run();
  }

  private static void endpoint7(Runnable work) {
    work.run();
  }

  static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      // Uses the CPU.
    }
  }

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    for (JoinedSample sample : samples) {
      int endpoint = in(sample.stackTrace);
      if (endpoint != NONE) {
        judge(endpoint, sample.work);
      }
    }
  }

  /** Returns which endpoint the methods of a stack name. */
  static int in(StackTrace stackTrace) {
    Frame called = null;
    for (Frame frame : stackTrace.frames) {
      if (frame.methodName.startsWith(PREFIX) && frame.className.endsWith("Endpoints")) {
        boolean isPossible = called == null || !LIBRARIES.matcher(called.className).lookingAt();
        return isPossible ? Integer.parseInt(frame.methodName.substring(PREFIX.length())) : NONE;
      }
      called = frame;
    }
    return NONE;
  }

  private synchronized void judge(int endpoint, @Nullable Work work) {
    if (work == null) {
      lost++;
    } else if (work.localRootSpanId == endpoint) {
      right++;
    } else {
      wrong++;
    }
  }

  @Override
  public String toString() {
    return right + " right, " + wrong + " wrong, " + lost + " lost";
  }
}
