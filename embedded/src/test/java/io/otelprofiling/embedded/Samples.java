/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.embedded.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes samples for tests in other packages. */
public final class Samples {
  public static Frame frame(String className, String methodName, int line, String type) {
    return new Frame(className, methodName, line, type);
  }

  public static StackTrace stack(Frame... innermostFirst) {
    return new StackTrace(1, 2, List.of(innermostFirst));
  }

  public static JoinedSample sample(
      long epochNanos, String threadName, StackTrace stackTrace, @Nullable Work work) {
    return new JoinedSample(epochNanos, threadName, stackTrace, work);
  }

  private Samples() {}
}
