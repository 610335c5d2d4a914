/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.log.ForgottenWarnings;
import java.text.MessageFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the plug-in's log lines while it is open, and keeps them off the console. */
public final class LogCapturer implements AutoCloseable {
  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Level levelBefore;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public LogCapturer() {
    this("io.flamespan");
  }

  /** Captures the lines of another logger. */
  public LogCapturer(String name) {
    ForgottenWarnings.forget();
    logger = Logger.getLogger(name);
    levelBefore = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  /** Returns the texts logged at this level or above. */
  public List<String> messages(Level atLeast) {
    return records.stream()
        .filter(record -> record.getLevel().intValue() >= atLeast.intValue())
        .map(LogCapturer::text)
        .toList();
  }

  public List<String> warnings() {
    return messages(Level.WARNING);
  }

  /** Asserts that one line was logged at the level WARNING, and that it contains these texts. */
  public void hasOneWarning(String... contents) {
    assertThat(warnings()).singleElement().asString().contains(contents);
  }

  /** Returns the exceptions that were logged at the level WARNING or above. */
  public List<Throwable> thrown() {
    return records.stream()
        .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogRecord::getThrown)
        .filter(Objects::nonNull)
        .toList();
  }

  private static String text(LogRecord record) {
    return record.getParameters() == null || record.getParameters().length == 0
        ? record.getMessage()
        : new MessageFormat(record.getMessage(), java.util.Locale.ROOT)
            .format(record.getParameters());
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(levelBefore);
  }
}
