/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProfilerHostIdTest {
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Nested
  class ResourceWithoutHostId {
    private final ProfilerHostId hostId = new ProfilerHostId(null);

    @Test
    void hostId_beforeARegistration_isNotAdded() {
      assertThat(hostId.isMissing()).isTrue();
      assertThat(hostId.toAdd()).isNull();
    }

    @Test
    void hostId_ofTheProfiler_isLearned() {
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void hostId_empty_isIgnored() {
      hostId.onRegistration("");
      assertThat(hostId.toAdd()).isNull();

      hostId.onRegistration("host-1");
      hostId.onRegistration("");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void hostId_thatCanBeNone_isIgnoredWithOneWarning() {
      hostId.onRegistration("h".repeat(60_000));
      hostId.onRegistration("host\nWARNING: forged");
      hostId.onRegistration("host\0");
      hostId.onRegistration("host\u202e1"); // the rest is shown from right to left
      hostId.onRegistration("host\u2028"); // another line
      hostId.onRegistration("\ufffd\ufffd\ufffd");
      hostId.onRegistration("\ue000");
      hostId.onRegistration("  ");
      assertThat(hostId.toAdd()).isNull();
      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0)).contains("60,000").hasSizeLessThan(300);

      hostId.onRegistration("h".repeat(255));
      assertThat(hostId.toAdd()).hasSize(255);
    }

    @Test
    void hostId_sameAgain_isNoNews() {
      hostId.onRegistration("host-1");
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void hostId_anotherLater_givesOneWarningAndTheFirstStays() {
      hostId.onRegistration("host-1");
      hostId.onRegistration("host-2");
      hostId.onRegistration("host-3");
      hostId.onRegistration("host-2");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0)).contains("host-1").contains("host-2");
    }
  }

  @Nested
  class ResourceWithHostId {
    private final ProfilerHostId hostId = new ProfilerHostId("own");

    @Test
    void hostId_ofTheProfiler_isNotLearned() {
      assertThat(hostId.isMissing()).isFalse();
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isNull();
    }

    @Test
    void hostId_different_givesOneWarningThatNamesBoth() {
      for (int i = 0; i < 10; i++) {
        hostId.onRegistration("host-" + i % 2);
      }

      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0)).contains("own").contains("host-0").contains("host.id");
    }

    @Test
    void hostId_sameOrEmpty_isNoConflict() {
      hostId.onRegistration("own");
      hostId.onRegistration("");

      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void hostId_withBraces_isLoggedAsItIs() {
      hostId.onRegistration("{0} it's '{1}' %s");

      assertThat(logs.warnings().get(0)).contains("{0} it's '{1}' %s");
    }
  }
}
