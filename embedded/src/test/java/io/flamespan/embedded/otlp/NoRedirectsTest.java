/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import org.junit.jupiter.api.Test;

/** No sender that could follow redirects is used. */
class NoRedirectsTest {
  static final class OkHttpSenderWithoutClient {}

  static final class OkHttpSenderWithAnotherClient {
    final Object client = new Object();
  }

  static final class OtherSender {}

  private static void assertIsRefused(Object sender) {
    assertThatThrownBy(() -> NoRedirects.of(sender))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageContaining("would follow redirects")
        .hasMessageContaining("Add opentelemetry-exporter-sender-jdk");
  }

  @Test
  void sender_whoseClientIsUnknown_isRefused() {
    assertIsRefused(new OkHttpSenderWithoutClient());
    assertIsRefused(new OkHttpSenderWithAnotherClient());
  }

  @Test
  void sender_thatFollowsNone_isUsed() throws Exception {
    OtherSender sender = new OtherSender();

    assertThat(NoRedirects.of(sender)).isSameAs(sender);
  }
}
