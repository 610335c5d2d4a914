/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: the status says whether the plug-in runs, and since when samples arrive. */
class PluginStatusTest {
  private static final long LATER = Long.MAX_VALUE;

  private final String propertyBefore = System.getProperty(StatusProperty.NAME);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long activeSinceMillis;
  private long counted;
  private final PluginStatus status =
      new PluginStatus(
          CorrelationConfig.read(Map.of(Settings.MBEAN_ENABLED.toString(), "false")::get, null),
          "shop",
          () -> activeSinceMillis,
          entries -> entries.put("socket", "/secret/path"),
          counters -> counters.accept("messages", ++counted),
          new StatusBlock(),
          tasks::add);

  @AfterEach
  void restoreProperty() {
    if (propertyBefore == null) {
      System.clearProperty(StatusProperty.NAME);
    } else {
      System.setProperty(StatusProperty.NAME, propertyBefore);
    }
  }

  private Object shown(String key) {
    return status.readPublic().get(key);
  }

  @Test
  void state_fromTheStartToTheStop_isShown() {
    assertThat(shown("state")).isEqualTo("off");
    status.on();
    status.started();
    assertThat(shown("state")).isEqualTo("waiting");
    assertThat(StatusProperty.get()).isEqualTo("on");

    activeSinceMillis = LATER;
    assertThat(shown("state")).isEqualTo("active");
    assertThat(shown("since")).isEqualTo(LATER);

    activeSinceMillis = 0;
    assertThat(shown("state")).isEqualTo("waiting");
    status.stopped();
    assertThat(shown("state")).isEqualTo("stopped");
    activeSinceMillis = LATER;
    assertThat((long) shown("since")).isLessThan(LATER);
  }

  @Test
  void changes_areReportedByTheWorkerWhileThePluginRuns() {
    status.changed();
    status.countsChanged();
    assertThat(tasks).isEmpty();
    status.on();
    status.started();

    status.countsChanged();
    assertThat(tasks).isEmpty(); // only counts have changed
    activeSinceMillis = LATER;
    status.countsChanged();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    status.countsChanged();
    assertThat(tasks).isEmpty();
    status.changed();
    assertThat(tasks).hasSize(1);

    status.stopped();
    status.changed();
    assertThat(tasks).hasSize(1);
  }

  @Test
  void stop_ofAPluginThatNeverRan_saysWhyItIsOff() {
    status.off("the test wants it");
    status.stopped();

    assertThat(shown("state")).isEqualTo("off");
    assertThat(StatusProperty.get()).isEqualTo("off: the test wants it");
  }

  @Test
  void publicStatus_hasCountsButNoPathsOrSettings() {
    status.on();

    assertThat(status.readPublic())
        .containsOnlyKeys("version", "mode", "state", "since", "messages");
  }
}
