/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class RecurringWarningTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong(1_000);

  private RecurringWarning into(Consumer<String> log) {
    Logger logger = Logger.getAnonymousLogger();
    logger.setUseParentHandlers(false);
    logger.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            log.accept(record.getLevel() + " " + record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    return new RecurringWarning(logger, clock::get);
  }

  @Test
  void occurrences_withinAMinute_areCountedInTheNextLine() {
    RecurringWarning warning = into(lines::add);
    warning.log("first");
    warning.log("second");
    clock.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    warning.log("third");
    assertThat(lines).containsExactly("WARNING first");

    clock.addAndGet(1);
    warning.log("fourth");

    assertThat(lines)
        .containsExactly("WARNING first", "WARNING fourth (3 times since the last report)");
  }

  @Test
  void failingLogHandler_always_doesNotReachTheCaller() {
    RecurringWarning warning =
        into(
            line -> {
              throw new IllegalStateException("disk is full");
            });

    assertThatCode(() -> warning.log("first")).doesNotThrowAnyException();
  }
}
