/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import static io.otelprofiling.examples.flamegraphs.Example.INNER_SPAN;
import static io.otelprofiling.examples.flamegraphs.Example.MS;
import static io.otelprofiling.examples.flamegraphs.Example.START;
import static io.otelprofiling.examples.flamegraphs.Example.STORE_SPAN;
import static io.otelprofiling.examples.flamegraphs.TraceData.spanId;
import static io.otelprofiling.examples.flamegraphs.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

@DisabledIfSystemProperty(
    named = "join.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Djoin.test.chromium=none")
class BrowserTest {
  private static final String EVIL =
      "</script><script>document.title='evil'</script><img src=x onerror=document.title='evil'>";
  private static final int LARGEST_PICTURE = 150_000;

  @TempDir Path directory;

  @Test
  void page_clickedThrough_showsEndpointAndRequestWithWidthsOfTheData() throws IOException {
    Path page = example().page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      assertThat(title(browser)).isEqualTo("CPU time of endpoints");
      assertThat(row(browser, "GET /checkout"))
          .contains("shop", "2", "150 ms", "200 ms", "70.0 ms", "70.0 %", "35.0 ms");

      click(browser, "GET /checkout");
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      double whole = width(browser, "GET /checkout");
      assertThat(whole).isGreaterThan(900);
      assertThat(width(browser, "checkout") / whole).isCloseTo(1, within(0.01));
      assertThat(width(browser, "tax") / whole).isCloseTo(5 / 7.0, within(0.01));
      assertThat(width(browser, "render") / whole).isCloseTo(2 / 7.0, within(0.01));

      click(browser, "000000000000feed0000000000000001");
      assertThat(title(browser)).isEqualTo("Trace 000000000000feed0000000000000001");
      whole = width(browser, "trace 000000000000feed0000000000000001");
      assertThat(width(browser, "reserve of store") / whole).isCloseTo(3 / 9.0, within(0.01));
      assertThat(width(browser, "tax") / whole).isCloseTo(4 / 9.0, within(0.01));
      List<WebElement> bars = browser.driver().findElements(By.cssSelector(".spans .bar"));
      assertThat(bars).hasSize(3);
      double line = bars.get(0).getSize().getWidth();
      assertThat(bars.get(1).getSize().getWidth() / line).isCloseTo(60 / 200.0, within(0.01));
      assertThat(bars.get(2).getSize().getWidth() / line).isCloseTo(40 / 200.0, within(0.01));

      browser.driver().navigate().back();
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      assertQuiet(browser, page);
    }
  }

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
  void overview_withCharts_opensTheRequestOfADotThatIsClicked() throws IOException {
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .sample(traceId(1), spanId(1), START, 8, List.of("main"))
            .sample(traceId(3), spanId(3), START + 2_000 * MS, 1, List.of("main"));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    for (int width : new int[] {360, 1200, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        awaitCharts(browser);
        List<WebElement> charts = browser.driver().findElements(By.cssSelector(".chart"));
        assertThat(charts)
            .extracting(chart -> chart.getDomAttribute("aria-label"))
            .containsExactly(
                "CPU time over time, by endpoint", "Requests by duration and CPU time");
        assertThat(scrollWidth(browser))
            .as("nothing is wider than the page")
            .isLessThanOrEqualTo(width);
        assertThat(charts.get(0).getText()).contains("GET /checkout", "GET /search");

        // The slowest request is the dot at the right and above all others.
        WebElement over = charts.get(1).findElement(By.className("u-over"));
        new Actions(browser.driver())
            .moveToElement(
                over,
                (int) ((200 / 204.0 - 0.5) * over.getSize().getWidth()),
                (int) ((0.5 - 80 / 84.0) * over.getSize().getHeight()))
            .click()
            .perform();

        assertThat(title(browser)).isEqualTo("Trace 000000000000feed0000000000000001");
        assertQuiet(browser, page);
      }
    }
  }

  private static int scrollWidth(Browser browser) {
    return ((Number) browser.driver().executeScript("return document.documentElement.scrollWidth"))
        .intValue();
  }

  @Test
  void span_ofARequest_hasAGraphByItselfAndOneWithTheSpansBelowIt() throws IOException {
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .sample(traceId(1), spanId(1), START, 2, List.of("main", "render"))
            .sample(traceId(1), spanId(INNER_SPAN), START, 6, List.of("main", "tax"))
            .sample(traceId(1), spanId(STORE_SPAN), START, 3, List.of("main", "lock"));
    Path page =
        JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop(), Example.store()))
            .page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "GET /checkout");
      click(browser, "000000000000feed0000000000000001");
      assertThat(browser.driver().findElements(By.cssSelector(".spans .what")))
          .extracting(WebElement::getText)
          .containsExactly(
              "GET /checkout – shop – 200 ms – CPU 80.0 ms, by itself 20.0 ms",
              "price – shop – 60.0 ms – CPU 60.0 ms, by itself 60.0 ms",
              "reserve – store – 40.0 ms – CPU 30.0 ms, by itself 30.0 ms");

      browser.driver().findElement(By.cssSelector(".spans a")).click();
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      awaitGraph(browser);
      assertThat(browser.driver().findElements(By.tagName("h2")))
          .extracting(WebElement::getText)
          .containsExactly("With the spans below it", "By itself");
      double whole = width(browser, "GET /checkout");
      assertThat(width(browser, "tax") / whole).isCloseTo(6 / 8.0, within(0.01));
      assertThat(width(browser, "render") / whole).isCloseTo(2 / 8.0, within(0.01));

      click(browser, "Trace 000000000000feed0000000000000001");
      click(browser, "price");
      assertThat(width(browser, "tax")).isCloseTo(width(browser, "price"), within(1.0));
      assertThat(browser.driver().findElements(By.tagName("h2"))).hasSize(1);
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
    Path page = example().page();
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
    Path page = example().page();
    try (Browser browser = new Browser(1200, 900, true)) {
      browser.open(page);
      focused(browser).sendKeys(Keys.TAB);
      focused(browser).sendKeys(Keys.ENTER);
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      double whole = width(browser, "GET /checkout");

      // Way back, search, the button, the graph.
      for (int i = 0; i < 4; i++) {
        focused(browser).sendKeys(Keys.TAB);
      }
      for (int i = 0; i < 3; i++) {
        focused(browser).sendKeys(Keys.ARROW_DOWN);
      }
      focused(browser).sendKeys(Keys.ARROW_RIGHT);
      assertThat(focused(browser).getAccessibleName())
          .isEqualTo("render: 28.6 %, 20.0 ms, 2 samples (jvm)");
      focused(browser).sendKeys(Keys.ENTER);

      assertThat(width(browser, "render")).isCloseTo(whole, within(1.0));
      assertQuiet(browser, page);
    }
  }

  @Test
  void names_withMarkup_areShownAsText() throws IOException {
    TraceData traces = new TraceData(EVIL).root(9, EVIL, START, START + MS);
    ProfileData profile = new ProfileData().sample(traceId(9), spanId(9), START, 1, List.of(EVIL));
    Path page = JoinRun.of(directory, CollectorFiles.json(traces.build(), profile.build())).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      assertThat(row(browser, EVIL)).contains(EVIL);
      click(browser, EVIL);
      browser.driver().findElement(By.linkText("000000000000feed0000000000000009")).click();
      width(browser, EVIL);

      assertThat(title(browser)).startsWith("Trace ");
      assertThat(browser.driver().getTitle()).startsWith("Trace ");
      assertThat(browser.driver().findElements(By.tagName("img"))).isEmpty();
      assertQuiet(browser, page);
    }
  }

  /** Of other data if a directory is named: `make -C examples/flame-graphs screenshots` does. */
  @Test
  void screenshots_ofTheOverviewAndTheSlowestRequest_areSmall() throws IOException {
    String input = System.getProperty("join.test.screenshot", "");
    JoinRun run = input.isEmpty() ? example() : JoinRun.of(Path.of(input));
    try (Browser browser = new Browser(860, 640, false)) {
      browser.open(run.page());
      if (!input.isEmpty()) {
        awaitCharts(browser);
      }
      takePicture(browser, "cpu-overview.png");
      browser.driver().findElement(By.cssSelector("tbody a")).click();
      awaitGraph(browser);
      browser.driver().findElement(By.cssSelector("tbody a")).click();
      awaitGraph(browser);
      takePicture(browser, "flame-graphs.png");
      assertQuiet(browser, run.page());
    }
  }

  private static void takePicture(Browser browser, String name) throws IOException {
    Path picture =
        Files.createDirectories(Path.of(System.getProperty("join.test.output"))).resolve(name);
    Object data =
        browser
            .driver()
            .executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"))
            .get("data");
    Files.write(picture, Base64.getDecoder().decode(String.valueOf(data)));

    assertThat(Files.size(picture)).isBetween(1_000L, (long) LARGEST_PICTURE);
  }

  private static void awaitCharts(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
        .until(driver -> driver.findElements(By.cssSelector(".chart canvas")).size() == 2);
  }

  @Test
  void speedscope_opensTheFile_withTheEndpointAsProfile() throws IOException {
    JoinRun run = example();
    // As speedscope's own command does: its page takes a script with the file as base64.
    String base64 =
        Base64.getEncoder()
            .encodeToString(Files.readAllBytes(run.output().resolve("speedscope.json")));
    Path script = directory.resolve("profile.js");
    Files.writeString(
        script, "speedscope.loadFileFromBase64(\"speedscope.json\", \"" + base64 + "\")");
    Path page = Path.of(System.getProperty("join.test.speedscope"), "index.html");
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.driver().get(page.toUri() + "#localProfilePath=" + script);

      new WebDriverWait(browser.driver(), Duration.ofSeconds(20))
          .until(
              driver ->
                  driver
                      .findElement(By.tagName("body"))
                      .getText()
                      .contains("GET /checkout of shop"));
    }
  }

  private JoinRun example() throws IOException {
    return JoinRun.of(
        directory,
        CollectorFiles.json(
            Example.shopProfile(), Example.storeProfile(), Example.shop(), Example.store()));
  }

  private static void assertQuiet(Browser browser, Path page) {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .isNotEmpty()
        .allMatch(
            address -> address.startsWith(page.toUri().toString()), "no request but the page");
  }

  private static String title(Browser browser) {
    return browser.driver().findElement(By.id("title")).getText();
  }

  private static String row(Browser browser, String endpoint) {
    return browser
        .driver()
        .findElement(By.linkText(endpoint))
        .findElement(By.xpath("./ancestor::tr"))
        .getText();
  }

  private static void click(Browser browser, String link) {
    browser.driver().findElement(By.linkText(link)).click();
  }

  private static WebElement focused(Browser browser) {
    return browser.driver().switchTo().activeElement();
  }

  /** Of the frame with this name, once the graph is drawn. */
  private static double width(Browser browser, String frame) {
    awaitGraph(browser);
    return browser.driver().findElements(By.cssSelector("g.frame")).stream()
        .filter(g -> frame.equals(g.getDomAttribute("name")))
        .mapToDouble(BrowserTest::drawnWidth)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no frame " + frame));
  }

  /** The graph grows in a short animation. */
  private static void awaitGraph(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
        .ignoring(StaleElementReferenceException.class)
        .until(
            driver -> {
              List<WebElement> frames = driver.findElements(By.cssSelector("g.frame"));
              return !frames.isEmpty()
                  && frames.stream()
                      .allMatch(
                          g -> drawnWidth(g) == Double.parseDouble(g.getDomAttribute("width")));
            });
  }

  private static double drawnWidth(WebElement frame) {
    String width = frame.findElement(By.tagName("rect")).getDomAttribute("width");
    return width == null ? -1 : Double.parseDouble(width);
  }
}
