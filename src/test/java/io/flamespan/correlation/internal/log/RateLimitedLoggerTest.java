/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitedLoggerTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger target = loggerInto(records);
  private final AtomicLong clock = new AtomicLong(1_000);
  private final RateLimitedLogger logger = new RateLimitedLogger(target, clock::get);

  @BeforeEach
  void forgetOtherTests() {
    ForgottenWarnings.forget();
  }

  @Test
  void firstOccurrence_always_isLoggedAtOnce() {
    logger.warn("first");

    assertThat(texts()).containsExactly("first");
    assertThat(records.get(0).getLevel()).isEqualTo(Level.WARNING);
  }

  @Test
  void handlerOfTheApplication_failing_doesNotReachTheCaller() {
    Logger failing = Logger.getAnonymousLogger();
    failing.setUseParentHandlers(false);
    failing.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            throw new IllegalStateException("disk is full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    assertThatCode(() -> new RateLimitedLogger(failing, clock::get).warn("first"))
        .doesNotThrowAnyException();
  }

  @Test
  void step_thatThrowsAnError_endsWithALine() {
    OutOfMemoryError error = new OutOfMemoryError("as a test");
    Step fails =
        () -> {
          throw error;
        };

    assertThat(logger.attempt("no step", fails)).isFalse();
    assertThat(logger.attempt("no step", () -> {})).isTrue();
    assertThat(fails.failure()).isSameAs(error);
    assertThat(texts()).containsExactly("no step");
    assertThat(records.get(0).getThrown()).isSameAs(error);
  }

  @Test
  void result_ofWhatThrows_isTheOtherOne() {
    assertThat(logger.orElse("other", "no result", () -> "result")).isEqualTo("result");
    assertThat(
            logger.orElse(
                "other",
                "no result",
                () -> {
                  throw new LinkageError();
                }))
        .isEqualTo("other");
    assertThat(texts()).containsExactly("no result");
  }

  @Test
  void furtherOccurrences_withinAMinute_areNotLogged() {
    logger.warn("first");
    clock.addAndGet(MINUTE - 1);
    logger.warn("second");

    assertThat(texts()).containsExactly("first");
  }

  @Test
  void nextLine_afterAMinute_countsWhatWasLeftOut() {
    logger.warn("first");
    logger.warn("second");
    logger.warn("third");
    clock.addAndGet(MINUTE);
    logger.warn("fourth");

    assertThat(texts()).hasSize(2);
    assertThat(texts().get(1)).startsWith("fourth").contains("3 times");
  }

  @Test
  void nextLine_afterAQuietMinute_hasNoCount() {
    logger.warn("first");
    clock.addAndGet(10 * MINUTE);
    logger.warn("second");

    assertThat(texts()).containsExactly("first", "second");
  }

  @Test
  void minute_afterEachLine_beginsAnew() {
    logger.warn("first");
    clock.addAndGet(MINUTE + MINUTE / 2);
    logger.warn("second");
    clock.addAndGet(MINUTE - 1);
    logger.warn("third");

    assertThat(texts()).containsExactly("first", "second");
  }

  @Test
  void clock_overflowing_isUnderstood() {
    clock.set(Long.MAX_VALUE - 1);
    RateLimitedLogger late = new RateLimitedLogger(target, clock::get);

    late.warn("first");
    clock.addAndGet(MINUTE - 1);
    late.warn("second");
    assertThat(texts()).containsExactly("first");
    clock.addAndGet(1);
    late.warn("third");

    assertThat(texts()).hasSize(2);
  }

  @Test
  void cause_given_isAttached() {
    Exception cause = new Exception("cause");
    logger.warn("with", cause);

    assertThat(records.get(0).getThrown()).isSameAs(cause);
  }

  @Test
  void braces_inAMessage_areNoParameters() {
    logger.warn("odd {0} it's");

    assertThat(texts()).containsExactly("odd {0} it's");
    assertThat(records.get(0).getParameters()).isNull();
  }

  @Test
  void realClock_twoOccurrences_logsOne() {
    RateLimitedLogger real = new RateLimitedLogger(target, System::nanoTime);
    IntStream.range(0, 1_000).forEach(i -> real.warn("line " + i));

    assertThat(texts()).containsExactly("line 0");
  }

  @Test
  void occurrences_onManyThreads_areAllCounted() throws Exception {
    int threads = 4;
    int each = 5_000;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  clock.addAndGet(MINUTE / 100);
                  logger.warn("line");
                }
                done.countDown();
              })
          .start();
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    clock.addAndGet(MINUTE);
    logger.warn("line");

    Pattern count = Pattern.compile("(\\d+) times");
    long counted = 0;
    for (String text : texts()) {
      Matcher matcher = count.matcher(text);
      counted += matcher.find() ? Long.parseLong(matcher.group(1)) : 1;
    }
    assertThat(counted).isEqualTo((long) threads * each + 1);
    // 200 minutes and the first one, with a tolerance for interleaved threads.
    assertThat(records).hasSizeLessThanOrEqualTo(203);
  }

  private List<String> texts() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  private static Logger loggerInto(List<LogRecord> records) {
    Logger logger = Logger.getAnonymousLogger();
    logger.setUseParentHandlers(false);
    logger.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            records.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    return logger;
  }
}
