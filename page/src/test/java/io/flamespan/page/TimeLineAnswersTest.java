/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers stay below their limit with sentences of many services and of long names. */
class TimeLineAnswersTest {
  private static final int LIMIT = 4_000;
  private static final int SERVICES = 30;
  private static final List<String> INNERMOST =
      List.of(
          "java.util.concurrent.locks.ReentrantLock.lock",
          "java.lang.Thread.sleep",
          "sun.nio.ch.Net.poll",
          "com.zaxxer.hikari.pool.HikariPool.getConnection",
          "java.util.concurrent.FutureTask.get",
          "native");

  @TempDir Path directory;

  /** The last service has the longest requests, in one trace with all others. */
  private String input(String longName) throws IOException {
    List<Message> messages = new ArrayList<>();
    for (int service = 1; service <= SERVICES; service++) {
      String name = "service-" + service;
      long span = service;
      long millis = 1000 + 10 * service;
      messages.add(
          new TraceData(name)
              .span(
                  traceId(1),
                  spanId(span),
                  service == 1 ? NONE : spanId(1),
                  TraceData.REMOTE_PARENT,
                  "GET /health",
                  START,
                  START + millis * MS)
              .build());
      ProfileData waits =
          new ProfileData()
              .service(name)
              .type("off_cpu", "nanoseconds")
              .period("off_cpu", "nanoseconds", 50 * MS);
      for (int wait = 0; wait < INNERMOST.size(); wait++) {
        List<String> stack =
            List.of("com.acme.C" + wait + "." + longName + service, INNERMOST.get(wait));
        waits.timed(traceId(1), spanId(span), "a", START + (25 + 50L * wait) * MS, 50 * MS, stack);
      }
      messages.add(waits.build());
      messages.add(
          new ProfileData()
              .service(name)
              .sample(
                  traceId(1),
                  spanId(span),
                  START + 500 * MS,
                  20,
                  List.of("com.acme.Cpu." + longName + service))
              .build());
    }
    JoinRun.of(directory, CollectorFiles.json(messages.toArray(new Message[0])));
    return directory.resolve("input").toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"work", "plain$name", "with*markup@", "\ud83d\ude00"})
  void answers_withLongNamesOfManyServices_haveRowsAndStayBelowTheLimit(String part)
      throws IOException {
    String input = input(part.repeat(2_000 / part.length()));

    for (String answer :
        List.of(
            ask("methods", "--endpoint", "GET /health", input),
            ask("waiting", "--endpoint", "GET /health", input),
            ask("endpoints", input),
            ask("request", "--id", "000000000000feed0000000000000001", input))) {
      assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
      assertThat(answer.lines().filter(line -> line.startsWith("| "))).hasSizeGreaterThan(3);
      assertThat(answer).contains("on CPU");
    }
    String ofAll = ask("methods", input);
    assertThat(ofAll.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
    assertThat(ofAll.lines().filter(line -> line.startsWith("| "))).hasSizeGreaterThan(4);
  }

  @Test
  void sentences_ofAnEndpointOfManyServices_areOfTheOneWithTheMostTime() throws IOException {
    String answer = ask("methods", "--endpoint", "GET /health", input("work"));

    assertThat(answer)
        .startsWith(
            "This is about GET /health of service-30. Other services have this endpoint, too: `GET")
        .containsPattern("`GET /health of service-[0-9]+`, and [0-9]+ more[.]\n")
        .containsOnlyOnce("The mean request of ")
        .contains("The mean request of GET /health of service-30: 1.30 s: ");
  }

  @Test
  void request_ofManyLocalRootSpans_hasSpansBelowItsSentences() throws IOException {
    String answer =
        ask("request", "--id", "000000000000feed0000000000000001", input("w".repeat(2_000)));

    assertThat(answer.lines())
        .filteredOn(line -> line.startsWith("GET /health of service-30: 1.30 s"))
        .hasSize(1);
    assertThat(answer.lines())
        .filteredOn(line -> line.matches("\\| GET /health of (service-[0-9]+) \\| \\1 \\|.*"))
        .isNotEmpty();
  }

  private static String ask(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out)).isZero();
    return printed.toString(UTF_8);
  }
}
