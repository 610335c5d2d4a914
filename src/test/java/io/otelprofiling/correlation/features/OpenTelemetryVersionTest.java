/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import org.junit.jupiter.api.Test;

/**
 * The tests run with the selected OpenTelemetry version, which may be older than the one that the
 * plug-in is compiled against.
 */
class OpenTelemetryVersionTest {
  @Test
  void sdk_onTheClassPath_hasTheChosenVersion() {
    assertThat(Resource.getDefault().getAttribute(AttributeKey.stringKey("telemetry.sdk.version")))
        .isEqualTo(System.getProperty("test.opentelemetry.version"));
  }
}
