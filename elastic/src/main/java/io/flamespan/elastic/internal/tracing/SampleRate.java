/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Determines the rate at which a sampler samples root spans, in the format of Elastic's agents. */
final class SampleRate {
  static final String NOT_SAMPLED = "0";

  private static final String SAMPLER = "otel.traces.sampler";
  private static final String DEFAULT_SAMPLER = "parentbased_always_on";
  private static final String SAMPLER_ARGUMENT = "otel.traces.sampler.arg";
  private static final double DEFAULT_RATIO = 1;
  private static final String PARENT_BASED = "parentbased_";

  private static final int DECIMAL_PLACES = 4;
  private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(DECIMAL_PLACES);

  private SampleRate() {}

  /**
   * Returns the rate of the sampler, or null if it is unknown. That is the case if the settings
   * select a sampler of unknown rate, or if another customizer has wrapped or replaced the sampler.
   */
  static @Nullable String of(Sampler sampler, ConfigProperties properties) {
    if (sampler.getDescription().equals(Sampler.alwaysOff().getDescription())) {
      return NOT_SAMPLED;
    }
    String configured = properties.getString(SAMPLER);
    String name = configured == null ? DEFAULT_SAMPLER : configured;
    boolean parentBased = name.startsWith(PARENT_BASED);
    Sampler root;
    double rate;
    switch (parentBased ? name.substring(PARENT_BASED.length()) : name) {
      case "always_on":
        root = Sampler.alwaysOn();
        rate = 1;
        break;
      case "always_off":
        root = Sampler.alwaysOff();
        rate = 0;
        break;
      case "traceidratio":
        Double ratio = properties.getDouble(SAMPLER_ARGUMENT);
        rate = ratio == null ? DEFAULT_RATIO : ratio;
        root = Sampler.traceIdRatioBased(rate);
        break;
      default:
        return null;
    }
    Sampler named = parentBased ? Sampler.parentBased(root) : root;
    return named.equals(sampler) ? text(rate) : null;
  }

  /** Rounds to 4 decimal places, half away from zero. A rate above zero never becomes zero. */
  static String text(double rate) {
    BigDecimal rounded = BigDecimal.valueOf(rate).setScale(DECIMAL_PLACES, RoundingMode.HALF_UP);
    if (rate > 0 && rounded.signum() == 0) {
      rounded = SMALLEST;
    }
    return rounded.signum() == 0 ? NOT_SAMPLED : rounded.stripTrailingZeros().toPlainString();
  }
}
