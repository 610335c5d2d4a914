/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page;

import static io.otelprofiling.page.Example.MS;
import static io.otelprofiling.page.Example.START;
import static io.otelprofiling.page.Shown.assertQuiet;
import static io.otelprofiling.page.Shown.click;
import static io.otelprofiling.page.Shown.focused;
import static io.otelprofiling.page.Shown.row;
import static io.otelprofiling.page.Shown.title;
import static io.otelprofiling.page.Shown.type;
import static io.otelprofiling.page.Shown.width;
import static io.otelprofiling.page.TraceData.spanId;
import static io.otelprofiling.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Flame graphs in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class FlameGraphTest {
  @TempDir Path directory;

  @Test
  void frames_ofSeveralKinds_areMarkedAndInTheLegend() throws IOException {
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .kinds(Map.of("[libjvm.so]", "native", "memcpy", "native", "do_syscall_64", "kernel"))
            .sample(traceId(3), spanId(3), START, 2, List.of("main", "[libjvm.so]", "memcpy"))
            .sample(traceId(3), spanId(3), START, 1, List.of("main", "do_syscall_64"));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      width(browser, "main");

      assertThat(browser.driver().findElement(By.className("legend")).getText())
          .isEqualTo("Java\nJVM [v]\nnative [n]\nkernel [k]");
      assertThat(
              browser
                  .driver()
                  .findElements(By.cssSelector("g.frame[data-kind]:not([data-kind=''])")))
          .extracting(
              frame -> frame.getDomAttribute("name"), frame -> frame.getDomAttribute("data-kind"))
          .containsExactlyInAnyOrder(
              tuple("main", "java"),
              tuple("[libjvm.so] [v]", "vm"),
              tuple("memcpy [n]", "native"),
              tuple("do_syscall_64 [k]", "kernel"));
      assertThat(browser.driver().findElement(By.cssSelector(".flame")).getText())
          .contains("do_syscall_64 [k]");
      assertQuiet(browser, page);
    }
  }

  @Test
  void waiting_ofAnEndpoint_isBesideItsCpuTimeAndToldApart() throws IOException {
    ProfileData waits =
        new ProfileData()
            .service("shop")
            .type("off_cpu", "nanoseconds")
            .value(traceId(3), spanId(3), 20 * MS, List.of("main", "java.lang.Thread.sleep", "x"))
            .value(traceId(3), spanId(3), 5 * MS, List.of("main", "sun.nio.ch.Net.poll"))
            .value(
                traceId(3),
                spanId(3),
                3 * MS,
                List.of("main", "java.util.concurrent.locks.ReentrantLock.lock", "futex_wait"))
            .value(traceId(3), spanId(3), 2 * MS, List.of("main", "futex_wait"));
    Path page =
        JoinRun.of(
                directory,
                CollectorFiles.json(Example.shopProfile(), waits.build(), Example.shop()))
            .page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      assertThat(row(browser, "GET /search")).contains("30.0 ms", "20.0 ms");

      click(browser, "GET /search");
      assertThat(browser.driver().findElement(By.id("main")).getText())
          .contains(
              "30.0 ms: sleep 20.0 ms, a lock 3.00 ms, I/O 5.00 ms, unknown 2.00 ms.",
              "Virtual threads");
      double whole = width(browser, "GET /search");
      assertThat(width(browser, "java.lang.Thread.sleep") / whole)
          .isCloseTo(20 / 30.0, within(0.01));
      assertQuiet(browser, page);
    }
  }

  @Test
  void search_forAFrame_marksItAndTellsItsShare() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "GET /checkout");
      width(browser, "tax");
      browser.driver().findElement(By.cssSelector("input[type=search]")).sendKeys("TAX (");
      assertThat(browser.driver().findElements(By.cssSelector("g.match"))).isEmpty();
      browser.driver().findElement(By.cssSelector("input[type=search]")).clear();
      browser.driver().findElement(By.cssSelector("input[type=search]")).sendKeys("TAX");

      assertThat(browser.driver().findElement(By.tagName("output")).getText())
          .isEqualTo("1 frame with 71.4 % of the CPU time");
      assertThat(browser.driver().findElement(By.cssSelector("g.match")).getDomAttribute("name"))
          .isEqualTo("tax");
      assertQuiet(browser, page);
    }
  }

  @Test
  void keyboard_alone_opensAnEndpointAndZoomsIntoAFrame() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, true)) {
      browser.open(page);
      type(browser, Keys.TAB);
      type(browser, Keys.ENTER);
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      double whole = width(browser, "GET /checkout");

      // The link back, the search field, the button, the graph.
      for (int i = 0; i < 4; i++) {
        type(browser, Keys.TAB);
      }
      for (int i = 0; i < 3; i++) {
        type(browser, Keys.ARROW_DOWN);
      }
      type(browser, Keys.ARROW_RIGHT);
      assertThat(focused(browser).getAccessibleName())
          .isEqualTo("render: 28.6 %, 20.0 ms, 2 samples (jvm)");
      type(browser, Keys.ENTER);

      assertThat(width(browser, "render")).isCloseTo(whole, within(1.0));
      assertQuiet(browser, page);
    }
  }
}
