/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.testing;

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
  private final Logger logger = Logger.getLogger("io.flamespan");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Level levelBefore = logger.getLevel();
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
