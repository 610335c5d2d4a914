/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers name the code to change, below a server and above libraries. */
class OwnCodeTest {
  private static final String REPORT = "void com.acme.shop.Report.make(java.lang.String)";
  private static final String FIND = "boolean com.acme.shop.Search.find(java.lang.String)";

  @TempDir Path directory;

  /** The frames of a server, with those of the application below them. */
  private static List<String> stack(String... frames) {
    List<String> stack = new ArrayList<>(List.of("java.lang.Thread.run()"));
    IntStream.range(0, 40)
        .mapToObj(number -> "void org.eclipse.jetty.Handler" + number + ".handle()")
        .forEach(stack::add);
    stack.add("void com.corp.platform.Dispatcher.dispatch()");
    stack.addAll(List.of(frames));
    return stack;
  }

  private String shop(String name, int ofReport) throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().service("shop");
    List<String> pattern = new ArrayList<>(stack(FIND));
    for (int i = 0; i < 60; i++) {
      pattern.add("boolean java.util.regex.Pattern$Node" + i + ".match()");
    }
    for (int request = 1; request <= 3; request++) {
      traces.root(request, "GET /search", START, START + 10_000 * MS);
      traces.root(10 + request, "GET /report", START, START + 10_000 * MS);
      for (int depth = stack(FIND).size() + 1; depth <= pattern.size(); depth++) {
        profile.sample(traceId(request), spanId(request), START, 1, pattern.subList(0, depth));
      }
      profile
          .sample(traceId(request), spanId(request), START, 6, stack(FIND, "parse()"))
          .sample(
              traceId(10 + request),
              spanId(10 + request),
              START,
              ofReport,
              stack(REPORT, "void com.vendor.pdf.Writer.write()", "deflate()"))
          .sample(traceId(10 + request), spanId(10 + request), START, 2, stack(REPORT));
    }
    ProfileData waits =
        new ProfileData()
            .type("off_cpu", "nanoseconds")
            .kinds(Map.of("__futex_abstimed_wait", "native"))
            .value(
                traceId(1),
                spanId(1),
                300 * MS,
                stack(FIND, "void java.lang.Thread.sleep0(long)", "__futex_abstimed_wait"))
            .value(
                traceId(1),
                spanId(1),
                100 * MS,
                stack(
                    FIND,
                    "void java.util.concurrent.locks.ReentrantLock.lock()",
                    "void jdk.internal.misc.Unsafe.park(boolean, long)",
                    "__futex_abstimed_wait"));
    return Files.write(
            directory.resolve(name),
            CollectorFiles.json(traces.build(), profile.build(), waits.build()))
        .toString();
  }

  @Test
  void methods_belowAServerAndAboveALibrary_areTheFirst() throws IOException {
    String input = shop("now", 8);

    String answer = ask(0, "methods", "--endpoint", "GET /search", input);

    assertThat(rows(answer).get(0)).contains("com.acme.shop.Search.find", "| 1980.000 | 100.0 |");
    assertThat(answer)
        .contains("(42 methods that all samples share)", "Own code: com.acme")
        .doesNotContain("org.eclipse.jetty.Handler");
    assertThat(rows(ask(0, "methods", input)).subList(0, 2))
        .anySatisfy(row -> assertThat(row).contains("Search.find"))
        .anySatisfy(row -> assertThat(row).contains("Report.make", "| 300.000 |"));
    assertThat(rows(ask(0, "methods", "--sort", "total", "--package", "com.vendor", input)).get(0))
        .contains("com.acme.shop.Search.find", "| 0.000 | 0.0 |");
    assertThat(ask(0, "methods", "--package", "com.vendor", input)).contains("| 240.000 |");
    assertThat(ask(2, "methods", "--sort", "name", input))
        .contains("no order is named name; sort by own, self or total");
  }

  @Test
  void request_isAnsweredByItsOwnCode() throws IOException {
    assertThat(rows(ask(0, "request", "--id", "000000000000000b", shop("now", 8))))
        .anySatisfy(
            row ->
                assertThat(row).startsWith("| void com.acme.shop.Report.make").contains("100.0"));
  }

  @Test
  void waits_areToldByReasonAndInnermostJavaMethod() throws IOException {
    String input = shop("now", 8);

    String answer = ask(0, "waiting", "--endpoint", "GET /search", input);

    assertThat(answer)
        .contains(
            "| sleep | 300.000 | 75.0 |",
            "| a lock | 100.000 | 25.0 |",
            "Search.find(java.lang.String) | – |"
                + " void java.lang.Thread.sleep0(long) | sleep | 300.000",
            "| void jdk.internal.misc.Unsafe.park(boolean, long) | a lock | 100.000 |");
    assertThat(ask(0, "request", "--kind", "wall", "--id", "0000000000000001", input))
        .contains("| sleep | 300.000 | 75.0 |");
  }

  @Test
  void compare_ofAnEndpoint_namesTheMethodsThatChanged() throws IOException {
    String before = shop("before", 8);
    String now = shop("now", 28);

    String answer = ask(0, "compare", "--endpoint", "GET /report", "--baseline", before, now);

    assertThat(rows(answer).get(0))
        .contains("com.acme.shop.Report.make")
        .contains("| 100.000 | 300.000 | +200.000 | +0.000 | ")
        .contains(" | +200.000 | ");
    assertThat(answer)
        .contains("deflate() | 0.000 | 0.000 | +0.000 | +200.000 | ")
        .contains("shop: 3 requests, then 3; difference +200.000 ms")
        .doesNotContain("Search");
    assertThat(ask(2, "compare", "--endpoint", "nothing", "--baseline", before, now))
        .contains("no endpoint is named nothing");
  }

  static List<String> rows(String answer) {
    return answer
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| --"))
        .filter(line -> !line.matches("[|] (method|own code|endpoint|class|reason) .*"))
        .toList();
  }

  static String ask(int status, String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out))
        .as(printed.toString(UTF_8))
        .isEqualTo(status);
    assertThat(printed.toByteArray()).hasSizeLessThan(4_300); // with notes
    return printed.toString(UTF_8);
  }
}
