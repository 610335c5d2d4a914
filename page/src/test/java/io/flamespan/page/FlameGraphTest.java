/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.focused;
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.row;
import static io.flamespan.page.Shown.tabTo;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.type;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
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
import org.openqa.selenium.WebElement;

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

      assertThat(browser.driver().findElement(By.cssSelector(".panel .legend")).getText())
          .isEqualTo("Java\nJVM [v]\nnative [n]\nkernel [k]");
      assertThat(browser.driver().findElements(By.cssSelector(".frame")))
          .extracting(
              frame -> frame.getDomAttribute("data-name"),
              frame -> frame.getDomAttribute("data-kind"))
          .containsExactlyInAnyOrder(
              tuple("GET /search", "root"),
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
              "Waiting 30.0 ms: sleep 20.0 ms, a lock 3.00 ms, I/O 5.00 ms, unknown 2.00 ms.",
              "The mean request: 50.0 ms: 20.0 ms asleep (Thread.sleep); 20.0 ms not known; ");
      assertThat(width(browser, "java.lang.Thread.sleep")).isCloseTo(20 / 30.0, within(0.01));
      assertQuiet(browser, page);
    }
  }

  @Test
  void search_byRegularExpression_marksFramesAndTellsTheirShareOfWhatIsShown() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "GET /checkout");
      awaitGraph(browser);
      search(browser, "^(TAX|render)$");
      assertThat(result(browser))
          .isEqualTo("2 frames with 100.0 % of the CPU time of this endpoint");
      search(browser, "TAX");
      assertThat(result(browser)).isEqualTo("1 frame with 71.4 % of the CPU time of this endpoint");
      assertThat(
              browser.driver().findElement(By.cssSelector(".match")).getDomAttribute("data-name"))
          .isEqualTo("tax");

      frame(browser, "render").click();
      assertThat(result(browser)).isEqualTo("0 frames with 0.0 % of what is shown of the CPU time");
      frame(browser, "GET /checkout").click();
      assertThat(result(browser)).isEqualTo("1 frame with 71.4 % of the CPU time of this endpoint");
      frame(browser, "tax").click();
      assertThat(result(browser))
          .isEqualTo("1 frame with 100.0 % of what is shown of the CPU time");

      search(browser, "TAX (");
      assertThat(result(browser)).contains("0 frames", "no regular expression");
      assertThat(browser.driver().findElements(By.cssSelector(".match"))).isEmpty();
      click(browser, By.xpath("//button[.='Reset']"));
      assertThat(result(browser)).isEmpty();
      assertThat(width(browser, "tax")).isCloseTo(5 / 7.0, within(0.01));
      assertThat(browser.driver().getCurrentUrl()).endsWith("#endpoint/GET%20%2Fcheckout/shop");
      assertQuiet(browser, page);
    }
  }

  @Test
  void keyboard_alone_opensAnEndpointAndZoomsIntoAFrame() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, true)) {
      browser.open(page);
      tabTo(browser, "GET /checkout");
      type(browser, Keys.ENTER);
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      awaitGraph(browser);

      tabTo(browser, "GET /checkout: ");
      for (int i = 0; i < 3; i++) {
        type(browser, Keys.ARROW_DOWN);
      }
      type(browser, Keys.ARROW_RIGHT);
      assertThat(focused(browser).getAccessibleName())
          .isEqualTo(
              "render: 28.6 % of this endpoint, 20.0 ms ± 40.0 ms, 2 samples, self 20.0 ms ± 40.0"
                  + " ms (jvm)");
      type(browser, Keys.ENTER);

      assertThat(width(browser, "render")).isCloseTo(1, within(0.001));
      assertThat(focused(browser).getDomAttribute("data-name")).isEqualTo("render");
      assertQuiet(browser, page);
    }
  }

  private static void search(Browser browser, String text) {
    WebElement field =
        browser.driver().findElement(By.cssSelector("input[placeholder='Search frames']"));
    field.clear();
    field.sendKeys(text);
  }

  private static String result(Browser browser) {
    return browser.driver().findElement(By.cssSelector(".graph output")).getText();
  }
}
