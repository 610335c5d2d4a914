/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Promise: causes nested in an export's exception are found. */
class FailedExportTest {
  @Test
  void tookNothing_connectFailureOfTheJdkClient_isTrue() {
    Throwable failure = failed(new ConnectException("refused"));

    assertThat(FailedExport.tookNothing(failure)).isTrue();
    assertThat(FailedExport.reason(failure)).isEqualTo("java.net.ConnectException: refused");
  }

  @Test
  void tookNothing_otherFailureOfTheJdkClient_isFalse() {
    assertThat(FailedExport.tookNothing(failed(new IOException("broken")))).isFalse();
  }

  /** The form in which the sender of the JDK client passes it to the exporter. */
  private static Throwable failed(IOException failure) {
    return new RuntimeException(new CompletionException(new UncheckedIOException(failure)));
  }
}
