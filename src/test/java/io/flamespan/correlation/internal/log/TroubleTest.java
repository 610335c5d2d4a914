/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TroubleTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final RecentWarnings recent = new RecentWarnings();

  private static long count() {
    Trouble last = Trouble.last();
    return last == null ? 0 : last.count();
  }

  @Test
  void equalWarnings_ofManySdks_areOneLine() {
    try (LogCapturer log = new LogCapturer()) {
      long before = count();
      for (int sdk = 0; sdk < 100; sdk++) {
        Trouble.warn(TroubleTest.class, "Wrong value ''{0}''", "x");
      }
      log.hasOneWarning("Wrong value 'x'");
      assertThat(count() - before).as("for the status").isGreaterThanOrEqualTo(100);
    }
  }

  @Test
  void rateLimitedLoggers_ofManySdks_areOneLine() {
    try (LogCapturer log = new LogCapturer()) {
      for (int sdk = 0; sdk < 100; sdk++) {
        new RateLimitedLogger(TroubleTest.class).warn("The disk is full");
      }
      log.hasOneWarning("The disk is full");
    }
  }

  @Test
  void equalWarnings_withOtherCauses_areLines() {
    try (LogCapturer log = new LogCapturer()) {
      Trouble.warn(TroubleTest.class, "off", new IOException("first"));
      Trouble.warn(TroubleTest.class, "off", new IOException("second"));
      assertThat(log.warnings()).hasSize(2);
    }
  }

  @Test
  void cause_thatCannotBeDescribed_isLogged() {
    Exception hostile =
        new Exception() {
          @Override
          public String toString() {
            throw new IllegalStateException("no text");
          }
        };
    try (LogCapturer log = new LogCapturer()) {
      Trouble.warn(TroubleTest.class, "off", hostile);
      assertThat(log.warnings()).containsExactly("off");
      assertThat(log.thrown()).containsExactly(hostile);
    }
  }

  @Test
  void message_ofALevelThatIsOff_isNotFormatted() {
    StringBuilder formatted = new StringBuilder();
    Object parameter =
        new Object() {
          @Override
          public String toString() {
            formatted.append("yes");
            return "";
          }
        };
    Trouble.log(TroubleTest.class, Level.FINEST, "{0}", parameter);
    assertThat(formatted).isEmpty();
  }

  @Test
  void equalLines_ofOtherLevels_areKept() {
    try (LogCapturer log = new LogCapturer()) {
      Trouble.log(TroubleTest.class, Level.INFO, "on");
      Trouble.log(TroubleTest.class, Level.INFO, "on");
      assertThat(log.messages(Level.INFO)).hasSize(2);
    }
  }

  @Test
  void nextLine_afterAMinute_countsWhatWasLeftOut() {
    assertThat(recent.count("off", 1, 0)).isEqualTo(1);
    assertThat(recent.count("off", 5, MINUTE - 1)).isZero();
    assertThat(recent.count("off", 1, MINUTE)).isEqualTo(6);
    assertThat(recent.count("off", 1, 3 * MINUTE)).isEqualTo(1);
  }

  @Test
  void warnings_ofManyKinds_areForgotten() {
    assertThat(recent.count("first", 1, 0)).isEqualTo(1);
    IntStream.range(0, 200).forEach(i -> assertThat(recent.count("kind " + i, 1, 1)).isOne());
    assertThat(recent.count("first", 1, 2)).isEqualTo(1);
  }
}
