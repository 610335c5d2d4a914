/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.testing.LogCapturer;
import org.junit.jupiter.api.Test;

/**
 * Promise: if the client of an exporter cannot be reached, a line names the exporter and a remedy.
 */
class SenderClientTest {
  @Test
  void restrict_exporterWithoutSender_logsOneLine() {
    try (LogCapturer logs = new LogCapturer()) {
      SenderClient.restrict("an exporter", true);

      assertThat(logs.warnings())
          .singleElement()
          .asString()
          .contains("elastic.otel.transport", "java.lang.String", "redirects", "Use servers");
    }
  }
}
