/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.INNER_SPAN;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.row;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Allocation and waits for locks beside CPU time, in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class KindsTest {
  private static final int MB = 1_000_000;

  @TempDir Path directory;

  /** Checkout has CPU time only; search allocates 12 MB and waits for a lock, a thread 4 MB. */
  private Path page() throws IOException {
    ProfileData allocations =
        new ProfileData()
            .service("shop")
            .type("alloc_space", "bytes")
            .kinds(Map.of("byte[]", "class", "java.lang.String", "class"))
            .value(traceId(3), spanId(3), 6 * MB, List.of("main", "read", "byte[]"))
            .value(traceId(3), spanId(3), 2 * MB, List.of("main", "read", "byte[]"))
            .value(traceId(3), spanId(3), MB, List.of("main", "read", "java.lang.String"))
            .value(traceId(3), spanId(3), 3 * MB, List.of("main", "parse", "byte[]"))
            .value(NONE, NONE, 4 * MB, List.of("loop", "byte[]"));
    ProfileData locks =
        new ProfileData()
            .service("shop")
            .type("lock", "nanoseconds")
            .kinds(Map.of("shop.Cache", "class"))
            .value(traceId(3), spanId(3), 30 * MS, List.of("main", "get", "shop.Cache"));
    return JoinRun.of(
            directory,
            CollectorFiles.json(
                Example.shop(), Example.shopProfile(), allocations.build(), locks.build()))
        .page();
  }

  @Test
  void overview_switchedToAllocation_isOfBytesAndSoAreItsLinks() throws IOException {
    Path page = page();
    for (int width : new int[] {360, 1280}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        assertThat(title(browser)).isEqualTo("CPU time of endpoints");
        assertThat(measures(browser))
            .containsExactly("CPU time", "allocated bytes", "lock waiting");
        assertThat(browser.driver().getCurrentUrl()).doesNotContain("measure");
        assertThat(row(browser, "GET /search")).contains("12.0 MB", "30.0 ms");

        measure(browser, "allocated bytes");
        assertThat(title(browser)).isEqualTo("Allocated bytes of endpoints");
        assertThat(text(browser))
            .contains(
                "75 % of all allocated bytes is GET /search; 25 % belongs to no request.",
                "5 samples of 16.0 MB of allocation were received.",
                "1 wait for locks of 30.0 ms were received.",
                "Allocated bytes outside requests, by thread");
        assertThat(row(browser, "GET /search")).contains("12.0 MB", "75.0 %");
        assertThat(browser.driver().findElement(By.cssSelector("tbody tr")).getText())
            .as("the most first")
            .contains("GET /search");
        assertThat(row(browser, "(no name)")).contains("4.00 MB", "25.0 %");

        click(browser, "GET /search");
        assertThat(browser.driver().getCurrentUrl()).contains("?measure=allocated");
        assertThat(width(browser, "byte[] [c]")).isCloseTo(8 / 12.0, within(0.001));
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        click(browser, "All endpoints");
        assertThat(title(browser)).isEqualTo("Allocated bytes of endpoints");
        measure(browser, "CPU time");
        assertThat(browser.driver().getCurrentUrl()).doesNotContain("measure");
        assertThat(text(browser)).contains("% of all CPU time is GET /checkout");
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void endpoint_byAllocation_hasMethodsThatAllocateAndTheClasses() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Fsearch/shop?measure=allocated"));
      awaitGraph(browser);
      assertThat(text(browser))
          .contains("12.0 MB of allocation by 4 samples, 30.0 ms of waits for locks by 1 sample");
      assertThat(rows(browser, "Methods of"))
          .containsExactly(
              "read 9.00 MB 10.4 MB 75.0 % 9.00 MB 10.4 MB 75.0 % 3",
              "parse 3.00 MB 6.00 MB 25.0 % 3.00 MB 6.00 MB 25.0 % 1",
              "main 0 B – 0.0 % 12.0 MB 12.0 MB 100.0 % 4");
      assertThat(rows(browser, "Classes of"))
          .containsExactly("byte[] 11.0 MB 91.7 % 3", "java.lang.String 1.00 MB 8.3 % 1");
      assertThat(frame(browser, "java.lang.String [c]").getAccessibleName())
          .isEqualTo(
              "java.lang.String: 8.3 % of this endpoint, 1.00 MB ± 2.00 MB, 1 sample,"
                  + " self 1.00 MB ± 2.00 MB (class)");
      assertThat(frame(browser, "byte[] [c]").getDomAttribute("data-kind")).isEqualTo("class");

      click(browser, By.xpath("//button[.='Turned round']"));
      assertThat(width(browser, "byte[] [c]")).isCloseTo(11 / 12.0, within(0.001));

      click(browser, By.xpath("//button[.='Callers above']"));
      frame(browser, "parse").click();
      assertThat(details(browser)).startsWith("parse: 25.0 % of this endpoint, 3.00 MB");
      click(browser, By.xpath("//table[starts-with(@aria-label,'Classes')]//button[.='Samples']"));
      assertThat(browser.driver().getCurrentUrl()).contains("sort-classes");

      measure(browser, "lock waiting");
      assertThat(details(browser)).isBlank();
      assertThat(text(browser)).contains("parse has nothing of the lock waiting.");
      assertThat(browser.driver().findElements(By.cssSelector("button:disabled")))
          .extracting(WebElement::getText)
          .containsExactly("Callers of a method", "Callees of a method");
      click(browser, By.xpath("//button[.='Reset']"));
      assertThat(browser.driver().getCurrentUrl()).doesNotContain("sort-classes");
      assertThat(browser.driver().getCurrentUrl()).contains("measure=locking");
      assertThat(rows(browser, "Methods of"))
          .containsExactly(
              "get 30.0 ms 100.0 % 30.0 ms 100.0 % 1", "main 0 ns 0.0 % 30.0 ms 100.0 % 1");
      assertThat(rows(browser, "Classes of")).containsExactly("shop.Cache 30.0 ms 100.0 % 1");
      assertQuiet(browser, page);
    }
  }

  @Test
  void requestAndThread_byAllocation_haveTheirGraphs() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#?measure=allocated"));
      click(browser, "(no name)");
      assertThat(width(browser, "byte[] [c]")).isEqualTo(1);
      assertThat(text(browser)).contains("4.00 MB of allocation by 1 sample");

      click(browser, "All endpoints");
      click(browser, "000000000000feed0000000000000003");
      assertThat(width(browser, "parse")).isCloseTo(0.25, within(0.001));
      assertThat(text(browser)).contains("allocated 12.0 MB", "lock waiting 30.0 ms");
      assertQuiet(browser, page);
    }
  }

  @Test
  void endpoint_withoutAllocation_showsCpuTimeAndSaysSo() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Fcheckout/shop?measure=allocated"));
      assertThat(width(browser, "tax")).isCloseTo(5 / 7.0, within(0.001));
      assertThat(text(browser))
          .contains("Nothing of the allocated bytes is in this graph, so it shows the CPU time.");
      assertQuiet(browser, page);
    }
  }

  @Test
  void kind_chosenInAGraphOfASpan_isThatOfItsOtherGraph() throws IOException {
    ProfileData cpu = new ProfileData().service("shop");
    ProfileData allocations = new ProfileData().service("shop").type("alloc_space", "bytes");
    for (long span : new long[] {1, INNER_SPAN}) {
      cpu.sample(traceId(1), spanId(span), START, 1, List.of("run"));
      allocations.value(traceId(1), spanId(span), MB, List.of("copy"));
    }
    byte[] files = CollectorFiles.json(Example.shop(), cpu.build(), allocations.build());
    Path page = JoinRun.of(directory, files).page();
    String request =
        page.toUri() + "#request/000000000000feed000000000000000%1$d/000000000000000%1$d";
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(request.formatted(1) + "/span/0000000000000001"));
      awaitGraph(browser);
      measure(browser, "allocated bytes");
      assertThat(browser.driver().findElements(By.cssSelector(".frame")))
          .extracting(one -> one.getDomAttribute("data-name"))
          .containsExactly("GET /checkout", "copy", "GET /checkout", "copy");
      assertThat(browser.driver().findElements(By.cssSelector("[aria-pressed=true]")))
          .extracting(WebElement::getText)
          .filteredOn("allocated bytes"::equals)
          .hasSize(2);

      browser.open(URI.create(request.formatted(2) + "?measure=allocated"));
      Shown.awaitView(browser);
      assertThat(text(browser)).contains("There is no sample of allocated bytes.");
      assertQuiet(browser, page);
    }
  }

  @Test
  void page_withCpuTimeOnly_hasNoSwitch() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      assertThat(measures(browser)).isEmpty();
      click(browser, "GET /checkout");
      awaitGraph(browser);
      assertThat(measures(browser)).isEmpty();
      assertThat(rows(browser, "Classes of")).isEmpty();
      assertThat(text(browser)).doesNotContain("Classes", "llocat");
      assertQuiet(browser, page);
    }
  }

  @Test
  void charts_ofLittleAndOfMuch_haveUnitsOfTheirAmountsAndRoomForTheirTexts() throws IOException {
    Map<Long, List<String>> expected =
        Map.of(
            2_000L, List.of("2 kB", "2.00 kB"),
            1_000_000_000_000_000L, List.of("1,000 TB", "1,000 TB"));
    for (Map.Entry<Long, List<String>> one : expected.entrySet()) {
      Path page = overTime(START, one.getKey());
      try (Browser browser = new Browser(1280, 900, false)) {
        browser.recordDrawnTexts();
        browser.open(URI.create(page.toUri() + "#?measure=allocated"));
        awaitCharts(browser, 2);
        assertThat(browser.drawnTexts())
            .contains("Allocated per second", "Allocated", one.getValue().get(0))
            .as("without a unit")
            .doesNotContain("0");
        assertThat(browser.leftmostText()).as("right of the axis' title").isGreaterThan(20);
        WebElement over = browser.driver().findElement(By.className("u-over"));
        new Actions(browser.driver())
            .moveToElement(over, 2 - over.getSize().getWidth() / 2, 0)
            .perform();
        assertThat(browser.driver().findElement(By.className("legend")).getText())
            .isEqualTo("GET /search of shop " + one.getValue().get(1));

        measure(browser, "CPU time");
        awaitCharts(browser, 2);
        assertThat(browser.drawnTexts()).contains("CPUs", "CPU time", "20 ms", "0.02");
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void endpoints_ofTwoServicesWithOneName_haveTheServiceInTheSentenceAndInLegends()
      throws IOException {
    Path page = overTime(START, MB);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      awaitCharts(browser, 2);
      assertThat(text(browser)).contains("67 % of all CPU time is GET /search of shop; all of it");
      assertThat(browser.driver().findElements(By.className("legend")))
          .extracting(legend -> legend.getText())
          .containsExactly(
              "GET /search of shop\nGET /search of billing",
              "GET /search of shop\nGET /search of billing\nGET /checkout");
      assertQuiet(browser, page);
    }
  }

  @Test
  void allocation_afterTheCpuTime_isSaidToBeBesideTheChart() throws IOException {
    Path page = overTime(START + 60_000 * MS, MB);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#?measure=allocated"));
      assertThat(text(browser))
          .contains(
              "1.00 MB of allocation are before or after the chart, which begins and ends with the"
                  + " CPU time.");
      assertQuiet(browser, page);
    }
  }

  /** Two services have GET /search, with 30 ms of CPU time in 4 s. That of the shop allocates. */
  private Path overTime(long allocatedAt, long bytes) throws IOException {
    ProfileData shop =
        new ProfileData().service("shop").sample(traceId(3), spanId(3), START, 2, List.of("main"));
    ProfileData billing =
        new ProfileData()
            .service("billing")
            .sample(traceId(4), spanId(4), START + 4_000 * MS, 1, List.of("main"));
    ProfileData allocations =
        new ProfileData()
            .service("shop")
            .type("alloc_space", "bytes")
            .time(allocatedAt)
            .value(traceId(3), spanId(3), bytes, List.of("main"));
    TraceData search = new TraceData("billing").root(4, "GET /search", START, START + 50 * MS);
    return JoinRun.of(
            directory,
            CollectorFiles.json(
                Example.shop(), search.build(), shop.build(), billing.build(), allocations.build()))
        .page();
  }

  private static void measure(Browser browser, String name) {
    click(browser, By.xpath("//button[.='" + name + "']"));
  }

  private static List<String> measures(Browser browser) {
    return browser.driver().findElements(By.cssSelector("[aria-label=Measure] button")).stream()
        .map(button -> button.getText())
        .toList();
  }

  private static String details(Browser browser) {
    return browser.driver().findElement(By.className("details")).getText();
  }

  private static String text(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static List<String> rows(Browser browser, String table) {
    String rows = "table[aria-label^='" + table + "'] tbody tr";
    return browser.driver().findElements(By.cssSelector(rows)).stream()
        .map(row -> row.getText().replace('\n', ' '))
        .toList();
  }
}
