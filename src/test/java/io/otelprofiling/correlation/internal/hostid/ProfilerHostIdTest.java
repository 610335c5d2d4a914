/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.testing.LogCapturer;
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
    void nothingIsAddedBeforeARegistration() {
      assertThat(hostId.isMissing()).isTrue();
      assertThat(hostId.toAdd()).isNull();
    }

    @Test
    void profilersIdIsLearned() {
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void emptyIdIsIgnored() {
      hostId.onRegistration("");
      assertThat(hostId.toAdd()).isNull();

      hostId.onRegistration("host-1");
      hostId.onRegistration("");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void sameIdAgainIsNoNews() {
      hostId.onRegistration("host-1");
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isEqualTo("host-1");
      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void anotherIdLaterGivesOneWarningAndTheFirstStays() {
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
    void nothingIsLearned() {
      assertThat(hostId.isMissing()).isFalse();
      hostId.onRegistration("host-1");

      assertThat(hostId.toAdd()).isNull();
    }

    @Test
    void differentIdGivesOneWarningThatNamesBoth() {
      for (int i = 0; i < 10; i++) {
        hostId.onRegistration("host-" + i % 2);
      }

      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0)).contains("own").contains("host-0").contains("host.id");
    }

    @Test
    void sameOrEmptyIdIsNoConflict() {
      hostId.onRegistration("own");
      hostId.onRegistration("");

      assertThat(logs.messages(Level.ALL)).isEmpty();
    }

    @Test
    void idsAreLoggedAsTheyAre() {
      hostId.onRegistration("{0} it's '{1}' %s");

      assertThat(logs.warnings().get(0)).contains("{0} it's '{1}' %s");
    }
  }
}
