/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.row;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Ways to a request and to a range of time, in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class AnyRequestTest {
  private static final int REQUESTS = 30;
  private static final int ROWS = 20; // shown at first
  private static final long SECOND = START / 1_000 / MS;

  @TempDir Path directory;

  /**
   * A request in each second, each faster than the one before it and with one sample more. Those in
   * the first ten seconds call render, the others sort.
   */
  private Path page() throws IOException {
    return page(number -> number + 1);
  }

  private Path page(IntUnaryOperator samples) throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().service("shop");
    for (int number = 0; number < REQUESTS; number++) {
      long start = START + number * 1_000 * MS;
      traces.root(number + 1, "GET /list", start, start + (900 - 10 * number) * MS);
      profile.sample(
          traceId(number + 1),
          spanId(number + 1),
          start,
          samples.applyAsInt(number),
          List.of("main", number < 10 ? "render" : "sort"));
      profile.threadSample("GC#" + number % 2, start, number < 10 ? 1 : 3, List.of("mark"));
    }
    traces.root(100, "GET /once", START, START + MS);
    return JoinRun.of(directory, CollectorFiles.json(traces.build(), profile.build())).page();
  }

  @Test
  void range_draggedOnTheChart_narrowsThePageWithoutLeavingIt() throws IOException {
    Path page = page();
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        awaitCharts(browser, 2);
        // 465 samples in requests, 70 without.
        assertThat(result(browser))
            .isEqualTo("87 % of all CPU time is GET /list; 13 % belongs to no request.");
        drag(browser, 0.3 / 30, 9.7 / 30);
        awaitCharts(browser, 2);
        assertThat(result(browser))
            .isEqualTo(
                "2026-01-01 00:00:00 to 2026-01-01 00:00:10 UTC: 85 % of all CPU time is GET /list;"
                    + " 15 % belongs to no request.");
        assertThat(row(browser, "GET /list")).contains("10", "855 ms", "550 ms", "55.0 ms");
        assertThat(browser.driver().getCurrentUrl())
            .endsWith("#?range=" + SECOND + "-" + (SECOND + 10));
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);

        click(browser, "GET /list");
        assertThat(main(browser))
            .contains("10 requests, mean 855 ms, p99 900 ms, 550 ms of CPU time");
        assertThat(width(browser, "render")).isCloseTo(1, within(0.001));
        assertThat(browser.driver().findElements(By.cssSelector("td a"))).hasSize(10);
        click(browser, "All endpoints");
        assertThat(result(browser)).contains("00:00:10 UTC");
        click(browser, By.xpath("//button[.='Whole time']"));
        assertThat(row(browser, "GET /list")).contains("4.65 s");
        assertQuiet(browser, page);
      }
    }
  }

  /**
   * Every third of a duration was waited for; the durations of the first half are from 1 s to 2.45
   * s.
   */
  @Test
  void range_ofRequestsWithWaits_narrowsP99AndWaitingAndSaysWhatItDoesNot() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#?range=" + SECOND + "-" + (SECOND + 30)));
      assertThat(row(browser, Shop.LONG)).contains("30 1.73 s 2.45 s", "17.2 s", "33.3 s");
      assertThat(main(browser))
          .contains(
              "In the whole time, not only in the range: 540 samples",
              "Of the whole time, not of the range: the page does not know threads by time.",
              "Of the whole time, not of the range.")
          .doesNotContain("≈");

      click(browser, Shop.LONG);
      assertThat(main(browser))
          .contains(
              "30 requests, mean 1.73 s, p99 2.45 s, ",
              "17.2 s of waiting by 30 samples",
              "Waiting 17.2 s: unknown 17.2 s.")
          .doesNotContain("whole time only");
      click(browser, "All endpoints");
      click(browser, "GC");
      assertThat(main(browser)).contains("All of it is of the whole time, not of the range");
      assertQuiet(browser, page);
    }
  }

  /** Of 1,000 requests, the page knows the 10 slowest and each tenth of the others. */
  @Test
  void p99_ofRequestsThatAreNotAllKnown_isEstimated() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      Object times =
          browser
              .driver()
              .executeScript(
                  script("format.js")
                      + script("lens.js")
                      + script("narrow.js")
                      + script("requests.js")
                      + """
                      const request = (number, listed) => ({duration: number * 1e6, listed});
                      const known = Array.from({length: 10}, (_, place) => request(1000 - place, {}));
                      for (let number = 985; number > 0; number -= 10) {
                        known.push(request(number));
                      }
                      return [p99Of(known, 1000), p99Of(known.slice(0, 10), 10)];
                      """);
      assertThat(times)
          .isEqualTo(
              List.of(
                  Map.of("p99", 985_000_000L, "about", true),
                  Map.of("p99", 1_000_000_000L, "about", false)));
    }
  }

  /** Each second has a request of 10 ms and one that ends before it begins. */
  @Test
  void mean_ofARange_isOfKnownDurations() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().service("shop");
    for (int number = 0; number < 2 * REQUESTS; number++) {
      long start = START + number / 2 * 1_000 * MS;
      traces.root(number + 1, "GET /list", start, start + (number % 2 == 0 ? 10 : -10) * MS);
      profile.sample(traceId(number + 1), spanId(number + 1), start, 1, List.of("main"));
    }
    Path page = JoinRun.of(directory, CollectorFiles.json(traces.build(), profile.build())).page();
    String range = SECOND + "-" + (SECOND + 10);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      assertThat(row(browser, "GET /list")).contains("60 10.0 ms 10.0 ms");

      browser.open(URI.create(page.toUri() + "#?range=" + range));
      assertThat(row(browser, "GET /list")).contains("20 10.0 ms 10.0 ms");
      browser.open(
          URI.create(
              page.toUri() + "#compare/" + range + "/" + (SECOND + 10) + "-" + (SECOND + 30)));
      click(browser, "GET /list");
      assertThat(main(browser))
          .contains("A: 20 requests, mean 10.0 ms", "B: 40 requests, mean 10.0 ms");
      assertQuiet(browser, page);
    }
  }

  private static String script(String name) throws IOException {
    try (InputStream in = AnyRequestTest.class.getResourceAsStream("/page/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void range_withoutARequestOfTheEndpoint_saysSo() throws IOException {
    Path page = page();
    String range = "?range=" + (SECOND + 10) + "-" + (SECOND + 20);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Fonce/shop" + range));
      assertThat(main(browser))
          .isEqualTo(
              "2026-01-01 00:00:10 to 2026-01-01 00:00:20 UTC. The whole time\n"
                  + "No request of this endpoint begins in the range.");
      assertQuiet(browser, page);
    }
  }

  @Test
  void range_comparedWithTheRest_isB() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#?range=" + (SECOND + 10) + "-" + (SECOND + 20)));
      click(browser, "Compare with the rest…");
      assertThat(main(browser))
          .contains(
              "A is 2026-01-01 00:00:00 to 2026-01-01 00:00:10 UTC, 10 s with 11 requests",
              "B is 2026-01-01 00:00:10 to 2026-01-01 00:00:20 UTC, 10 s with 10 requests");
      assertQuiet(browser, page);
    }
  }

  @Test
  void dot_withoutDetails_leadsToTheRequestAndToItsEndpointAtThatTime() throws IOException {
    Path page = page(number -> REQUESTS - number);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      awaitCharts(browser, 2);
      // The fastest request has the fewest samples.
      WebElement over =
          browser
              .driver()
              .findElements(By.cssSelector(".chart"))
              .get(1)
              .findElement(By.className("u-over"));
      browser.driver().executeScript("arguments[0].scrollIntoView({block: 'center'})", over);
      new Actions(browser.driver())
          .moveToElement(
              over,
              // From 0.5 ms to 1 s, logarithmic.
              (int)
                  ((Math.log(610 / 0.5) / Math.log(1_000 / 0.5) - 0.5) * over.getSize().getWidth()),
              (int) ((0.5 - 10 / 315.0) * over.getSize().getHeight()))
          .click()
          .perform();
      assertThat(title(browser)).isEqualTo("Trace 000000000000feed000000000000001e");
      assertThat(main(browser)).contains("took 610 ms, 10.0 ms of CPU time", "are not on the page");

      click(browser, "Its endpoint at that time");
      assertThat(title(browser)).isEqualTo("GET /list – shop");
      assertThat(main(browser)).contains("2 requests");
      awaitGraph(browser);
      assertQuiet(browser, page);
    }
  }

  @Test
  void id_ofATraceOrSpan_findsAnyRequest() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      find(browser, "000000000000FEED000000000000001e");
      assertThat(title(browser)).isEqualTo("Trace 000000000000feed000000000000001e");
      find(browser, "0000000000000001");
      assertThat(title(browser)).isEqualTo("Trace 000000000000feed0000000000000001");
      awaitGraph(browser);
      find(browser, "000000000000feed");
      assertThat(main(browser)).startsWith("31 requests of 31");
      find(browser, "<b>x");
      assertThat(title(browser)).isEqualTo("Requests with <b>x");
      assertThat(main(browser)).startsWith("0 requests of 31");
      assertQuiet(browser, page);
    }
  }

  @Test
  void requests_ofAnEndpoint_areSortedByDurationOrCpuTime() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /list");
      assertThat(browser.driver().findElements(By.cssSelector("td a"))).hasSize(ROWS);
      assertThat(browser.driver().findElement(By.cssSelector("td a")).getText()).endsWith("01");
      click(browser, By.xpath("//table[@aria-label='Slowest requests']//button[.='CPU time']"));
      assertThat(browser.driver().findElement(By.cssSelector("td a")).getText()).endsWith("1e");
      click(browser, By.xpath("//button[.='Show 10 more rows']"));
      assertThat(browser.driver().findElements(By.cssSelector("td a"))).hasSize(REQUESTS);
      // As if the page did not know all of them.
      String all = "\"requests\":" + REQUESTS;
      assertThat(Files.readString(page)).containsOnlyOnce(all);
      Files.writeString(page, Files.readString(page).replace(all, "\"requests\":100"));
      browser.driver().navigate().refresh();
      Shown.awaitView(browser);
      assertThat(main(browser)).endsWith("70 other requests are not listed.");
      assertQuiet(browser, page);
    }
  }

  @Test
  void orders_ofTheTablesOfAView_areInItsLink() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, By.xpath("//table[@aria-label='Endpoints']//button[.='p99']"));
      click(browser, By.xpath("//table[@aria-label='Slowest requests']//button[.='Start']"));
      click(browser, By.xpath("//table[@aria-label='Slowest requests']//button[.='Start']"));
      String link = browser.driver().getCurrentUrl();
      assertThat(link).endsWith("#?sort-endpoints=-p99&sort-requests=-Start");
      browser.driver().get("about:blank");
      browser.open(URI.create(link));
      assertThat(first(browser, "Endpoints")).isEqualTo(Shop.LONG);
      assertThat(first(browser, "Slowest requests")).endsWith("b2");
      click(browser, "GET /list");
      browser.driver().navigate().back();
      Shown.awaitView(browser);
      assertThat(first(browser, "Slowest requests")).endsWith("b2");
      browser.open(
          URI.create(page.toUri() + "#?sort-endpoints=-constructor&sort-requests=%3Cb%3E"));
      Shown.awaitView(browser);
      assertThat(first(browser, "Endpoints")).isEqualTo("GET /list");
      assertQuiet(browser, page);
    }
  }

  @Test
  void endpoints_ofWhichThereAreMany_areFilteredByALink() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 12; number++) {
      traces.root(number, "GET /page-" + number, START, START + MS);
    }
    ProfileData profile =
        new ProfileData().sample(traceId(1), spanId(1), START, 1, List.of("main"));
    Path page = JoinRun.of(directory, CollectorFiles.json(traces.build(), profile.build())).page();
    String link;
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      browser
          .driver()
          .findElement(By.cssSelector("input[placeholder='Filter endpoints']"))
          .sendKeys("page-1[12]");
      assertThat(main(browser)).contains("2 of 12 endpoints");
      link = browser.driver().getCurrentUrl();
    }
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(link));
      assertThat(browser.driver().findElements(By.cssSelector("table[aria-label=Endpoints] td a")))
          .extracting(WebElement::getText)
          .containsExactly("GET /page-11", "GET /page-12");
      assertQuiet(browser, page);
    }
  }

  private static String first(Browser browser, String table) {
    return browser
        .driver()
        .findElement(By.cssSelector("table[aria-label='" + table + "'] td"))
        .getText();
  }

  @Test
  void links_toWhatIsNotThere_showTheFirstScreenAndSaySo() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      for (String link :
          List.of(
              "#endpoint/length",
              "#endpoint/0",
              "#endpoint/GET%20%2Fnone/shop",
              "#endpoint/%25E0%25A4%25A/shop",
              "#request/000000000000feed00000000000000ff/00000000000000ff",
              "#thread/shop/__proto__",
              "#?range=1-2")) {
        browser.driver().get("about:blank");
        browser.open(URI.create(page.toUri() + link));
        awaitCharts(browser, 2);
        assertThat(main(browser)).as(link).startsWith("There is no ");
        assertThat(row(browser, "GET /list")).contains("4.65 s");
      }
      browser.driver().get("about:blank");
      browser.open(
          URI.create(
              page.toUri()
                  + "#endpoint/GET%20%2Flist/shop?range=5-x&zoom=!&view=constructor&method=none"));
      assertThat(main(browser)).startsWith("There is no range “5-x” on this page.\n30 requests");
      assertThat(width(browser, "GET /list")).isEqualTo(1);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void find(Browser browser, String id) {
    WebElement field =
        browser.driver().findElement(By.cssSelector("input[placeholder='Trace or span id']"));
    field.clear();
    field.sendKeys(id, Keys.ENTER);
    Shown.awaitView(browser);
  }

  private static String result(Browser browser) {
    return browser.driver().findElement(By.className("result")).getText();
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static void drag(Browser browser, double from, double to) {
    WebElement over = browser.driver().findElement(By.cssSelector(".chart .u-over"));
    int width = over.getSize().getWidth();
    new Actions(browser.driver())
        .moveToElement(over, (int) ((from - 0.5) * width), 0)
        .clickAndHold()
        .moveToElement(over, (int) ((to - 0.5) * width), 0)
        .release()
        .perform();
  }
}
