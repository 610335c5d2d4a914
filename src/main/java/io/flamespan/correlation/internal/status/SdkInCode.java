/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProcessProperties;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.api.trace.Span;

/**
 * Reports an SDK that was built in code, by which nothing has called the plug-in. Only the context
 * storage sees its spans.
 */
public final class SdkInCode {
  // Of the classes of spans. Spans of the Java agent and of other implementations are no SDK's.
  private static final String SDK = "io.opentelemetry.sdk.trace.";

  private static final String REASON =
      "the OpenTelemetry SDK was built in code, which has not installed it; wrap the sampler and the"
          + " span processors, and call install, see docs/sdk-in-code.md";

  /** Called once, with the first recording span that is current while no plug-in runs. */
  public static void found(Span span) {
    if (span.getClass().getName().startsWith(SDK)
        && StatusProperty.isMissing()
        && !CorrelationConfig.isDisabledIn(ProcessProperties::get)) {
      StatusProperty.showOff(REASON);
      Trouble.warn(SdkInCode.class, "Flamespan is off: {0}.", REASON);
    }
  }

  private SdkInCode() {}
}
