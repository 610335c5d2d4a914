/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Deployment.cells;
import static io.flamespan.page.Deployment.frame;
import static io.flamespan.page.Deployment.time;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.cells;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.focused;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.tabTo;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.type;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.Shown.widthOf;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Comparisons in a browser, of a baseline and of ranges of time, with the same requests. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class CompareTest {
  private static final String EVIL = "</script><img src=x onerror=document.title='evil'>";
  private static final long SECOND = START / 1_000 / MS;
  private static final String RANGES =
      "#compare/" + SECOND + "-" + (SECOND + 4) + "/" + (SECOND + 4) + "-" + (SECOND + 9);

  // With so many samples and requests, the difference of a checkout is more than chance.
  private static final int SAMPLES = 10;
  private static final int REQUESTS = 10;
  private static final List<Deployment.Served> BEFORE = many(Deployment.BEFORE);
  private static final List<Deployment.Served> AFTER = many(Deployment.AFTER);
  private static final List<Deployment.Served> BOTH = many(Deployment.BOTH);

  @TempDir Path directory;

  @Test
  void baseline_clickedThrough_hasTheFiguresAndTheDifferentialGraph() throws IOException {
    Path page = baseline(BEFORE, AFTER);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "compare with the baseline");
      assertThat(title(browser)).isEqualTo("Comparison");
      assertTable(browser);

      click(browser, "GET /checkout");
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      assertCheckout(browser);
      click(browser, "Comparison");
      click(browser, "GET /new");
      awaitGraph(browser);
      assertThat(main(browser)).contains("A: no request.", "only in B");
      assertThat(graph(browser, "fresh").getDomAttribute("data-change")).isEqualTo("more3");
      browser.driver().navigate().back();
      assertThat(title(browser)).isEqualTo("Comparison");
      assertQuiet(browser, page);
    }
  }

  /** Two slow requests before and six now: by their samples alone, 140 against 340 are certain. */
  @Test
  void endpoint_thatMayDifferByChance_hasAGreyGraph() throws IOException {
    Path page = baseline(oneSampleAnd(2), oneSampleAnd(6));
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2F/shop"));
      awaitGraph(browser);
      assertThat(main(browser)).contains("That may be chance: with a difference of this size");
      for (String frame : List.of("main", "tax")) {
        assertThat(graph(browser, frame).getDomAttribute("data-change")).isEqualTo("same");
      }
      assertThat(methodCells(browser, "tax", "unsure")).hasSize(4);
      assertQuiet(browser, page);
    }
  }

  private static List<Deployment.Served> oneSampleAnd(int slow) {
    return Stream.of(Collections.nCopies(40, 1), Collections.nCopies(slow, 50))
        .flatMap(List::stream)
        .map(samples -> new Deployment.Served("GET /", 0, 1_000, Map.of("tax", samples)))
        .toList();
  }

  /** Tax is slower by far, which main inherits; its own time did not change by more than chance. */
  @Test
  void methods_ofAComparison_areGreyWhereADifferenceMayBeChance() throws IOException {
    Path page = baseline(BEFORE, AFTER);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2Fcheckout/shop"));
      awaitGraph(browser);
      assertThat(methodCells(browser, "main", "unsure"))
          .containsExactly("Self difference", "Self ±");
      assertThat(methodCells(browser, "tax", "unsure")).isEmpty();
      assertThat(
              browser
                  .driver()
                  .findElement(By.xpath("//td/button[.='render']/ancestor::tr"))
                  .getDomAttribute("class"))
          .isEqualTo("unsure");
      assertQuiet(browser, page);
    }
  }

  /**
   * Of three requests, one has three samples: three times 10 ms / 3, added and taken away, is not
   * 0.
   */
  @Test
  void method_withoutSamplesOfItsOwn_hasNoDifferenceAndIsGrey() throws IOException {
    Deployment.Served idle = new Deployment.Served("GET /", 0, 10, Map.of());
    List<Deployment.Served> same =
        List.of(idle, idle, new Deployment.Served("GET /", 0, 10, Map.of("x", 1, "y", 1, "z", 1)));
    Path page = baseline(same, same);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2F/shop"));
      awaitGraph(browser);
      WebElement row = browser.driver().findElement(By.xpath("//td/button[.='main']/../.."));
      assertThat(row.getText()).startsWith("main 0 ns 0 ns 0 ns 0 ns 10.0 ms 10.0 ms 0 ns ");
      assertThat(row.getDomAttribute("class")).isEqualTo("unsure");
      assertQuiet(browser, page);
    }
  }

  private static List<String> methodCells(Browser browser, String method, String cellClass) {
    return browser
        .driver()
        .findElements(
            By.xpath("//td/button[.='" + method + "']/ancestor::tr/td[@class='" + cellClass + "']"))
        .stream()
        .map(cell -> cell.getDomAttribute("data-title"))
        .toList();
  }

  @Test
  void frames_ofOneName_areToldApart() throws IOException {
    Path before = Files.createDirectory(directory.resolve("memory-before"));
    Files.write(before.resolve("file"), copies(5, 1));
    Path after = Files.createDirectory(directory.resolve("memory-after"));
    Files.write(after.resolve("file"), copies(1, 5));
    Path page =
        JoinRun.with(directory.resolve("memory"), after.toString(), "--baseline", before.toString())
            .page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2Fsearch/shop"));
      assertThat(width(browser, "memcpy [n]")).isCloseTo(0.5, within(0.001));
      assertThat(width(browser, "memcpy [k]")).isCloseTo(0.5, within(0.001));
      for (String kind : List.of("kernel", "native")) {
        click(browser, By.xpath("//td/button[.='memcpy (" + kind + ")']"));
        assertThat(browser.driver().findElements(By.cssSelector(".frame.marked")))
            .extracting(one -> one.getDomAttribute("data-name"))
            .containsExactly("memcpy [" + kind.charAt(0) + "]");
      }
    }
  }

  private static byte[] copies(int ofLibrary, int ofKernel) {
    ProfileData profile =
        new ProfileData()
            .kinds(Map.of("memcpy", "native", "memcpy ", "kernel"))
            .sample(traceId(3), spanId(3), START, ofLibrary, List.of("main", "memcpy"))
            .sample(traceId(3), spanId(3), START, ofKernel, List.of("main", "memcpy "));
    return CollectorFiles.json(Example.shop(), profile.build());
  }

  @Test
  void ranges_draggedOnTheChart_haveTheFiguresOfTheirRequests() throws IOException {
    Path page = ranges(BOTH);
    for (int width : new int[] {360, 1200, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 1200)) {
        browser.open(page);
        click(browser, "Compare two ranges…");
        awaitCharts(browser, 1);
        assertThat(chosen(browser)).as("two halves").containsExactly("0", "4", "4", "9");
        drag(browser, 4.2 / 9, 1);
        assertThat(chosen(browser)).as("A first").containsExactly("4", "9", "4", "9");
        drag(browser, 4.8 / 9, 0.999);
        drag(browser, 3.7 / 9, 0.01 / 9);
        assertThat(chosen(browser)).as("B, then A again").containsExactly("0", "4", "4", "9");
        click(browser, By.cssSelector(".ranges button"));

        assertThat(browser.driver().getCurrentUrl()).endsWith(RANGES);
        assertTable(browser);
        assertThat(main(browser))
            .contains("A is 2026-01-01 00:00:00 to 2026-01-01 00:00:04 UTC, 4 s with 70 requests");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        click(browser, "GET /checkout");
        awaitGraph(browser);
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void keyboard_alone_choosesRangesAndReachesAFrame() throws IOException {
    Path page = ranges(BOTH);
    try (Browser browser = new Browser(1200, 900, true)) {
      browser.open(page);
      tabTo(browser, "Compare two ranges…");
      type(browser, Keys.ENTER);
      tabTo(browser, "A from");
      type(browser, Keys.ARROW_DOWN);
      tabTo(browser, "B to");
      type(browser, Keys.ARROW_UP);
      tabTo(browser, "Compare A with B");
      type(browser, Keys.ENTER);
      assertThat(browser.driver().getCurrentUrl())
          .endsWith(
              "#compare/"
                  + (SECOND + 1)
                  + "-"
                  + (SECOND + 4)
                  + "/"
                  + (SECOND + 4)
                  + "-"
                  + (SECOND + 8));
      List<Deployment.Served> a = BEFORE.stream().filter(one -> one.second() >= 1).toList();
      List<Deployment.Served> b = AFTER.stream().filter(one -> one.second() < 8).toList();
      assertThat(cells(browser, "GET /checkout")).isEqualTo(cells("GET /checkout", a, b, BOTH));

      tabTo(browser, "GET /checkout");
      type(browser, Keys.ENTER);
      awaitGraph(browser);
      tabTo(browser, "GET /checkout: ");
      type(browser, Keys.ARROW_DOWN, Keys.NULL);
      type(browser, Keys.ARROW_DOWN);
      assertThat(focused(browser).getAccessibleName())
          .startsWith("tax: A 200 ms, B 500 ms per request, difference +300 ms ± ");
      type(browser, Keys.ENTER);
      assertThat(widthOf(graph(browser, "tax"))).isCloseTo(1, within(0.001));
      assertQuiet(browser, page);
    }
  }

  @Test
  void links_toComparisons_openThem() throws IOException {
    Path page = baseline(BOTH, BOTH);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + RANGES));
      assertTable(browser);
      browser.open(URI.create(page.toUri() + RANGES + "/endpoint/GET%20%2Fcheckout/shop"));
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      assertCheckout(browser);
      browser.open(URI.create(page.toUri() + "#compare/baseline"));
      assertThat(cells(browser, "GET /checkout")).startsWith("", "433 ms", "433 ms", "0 ns");
      click(browser, "GET /checkout");
      awaitGraph(browser);
      assertThat(graph(browser, "tax").getDomAttribute("data-change")).isEqualTo("same");
      assertQuiet(browser, page);
    }
  }

  @Test
  void links_toRangesThatAreNone_offerToChooseSome() throws IOException {
    Path page = ranges(BOTH);
    try (Browser browser = new Browser(1200, 900, false)) {
      for (String link :
          List.of(
              "#compare",
              "#compare/1-2/3-4",
              "#compare/" + SECOND + "-" + SECOND + "/" + SECOND + "-" + (SECOND + 1),
              "#compare/x/%3Cimg%20src=x%3E",
              "#compare/" + (SECOND + 2) + "-" + SECOND + "/" + SECOND + "-" + (SECOND + 1))) {
        browser.driver().get("about:blank");
        browser.open(URI.create(page.toUri() + link));
        assertThat(main(browser)).startsWith("The link does not name two ranges of time");
        click(browser, By.cssSelector(".ranges button"));
        assertTable(browser);
      }
      browser.open(URI.create(page.toUri() + "#compare/baseline"));
      assertThat(main(browser)).contains("made without a baseline");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void range_thatEndsBeforeItBegins_cannotBeCompared() throws IOException {
    Path page = ranges(BOTH);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "Compare two ranges…");
      List<WebElement> lists = browser.driver().findElements(By.cssSelector(".ranges select"));
      lists.get(2).sendKeys("00:00:08");
      lists.get(3).sendKeys("00:00:05");

      assertThat(browser.driver().findElement(By.cssSelector(".ranges output")).getText())
          .isEqualTo("Range B must end after it begins.");
      assertThat(browser.driver().findElement(By.cssSelector(".ranges button")).isEnabled())
          .isFalse();
      assertQuiet(browser, page);
    }
  }

  @Test
  void names_withMarkup_areShownAsText() throws IOException {
    List<Deployment.Served> evil = List.of(new Deployment.Served(EVIL, 0, 10, Map.of(EVIL, 1)));
    Path page = baseline(evil, evil);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline"));
      click(browser, EVIL);
      width(browser, EVIL);

      assertThat(title(browser)).isEqualTo(EVIL + " – shop");
      assertThat(browser.driver().getTitle()).isEqualTo(EVIL + " – shop");
      assertThat(browser.driver().findElements(By.tagName("img"))).isEmpty();
      assertQuiet(browser, page);
    }
  }

  @Test
  void baseline_withoutSamples_saysSoAndHasNoGraph() throws IOException {
    List<Deployment.Served> idle = List.of(new Deployment.Served("GET /idle", 0, 10, Map.of()));
    Path page = baseline(idle, idle);
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline"));
      assertThat(main(browser))
          .contains("A has no sample of CPU time: perhaps", "B has no sample of CPU time: perhaps");
      assertThat(cells(browser, "GET /idle")).startsWith("", "0 ns", "0 ns", "0 ns", "–", "–");
      click(browser, "GET /idle");
      assertThat(main(browser)).contains("A and B do not have samples of CPU time.");
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2Fgone/shop"));
      assertThat(main(browser)).contains("There is no endpoint “GET /gone shop” in this");
      browser.open(URI.create(page.toUri() + "#compare/1-2/3-4"));
      assertThat(main(browser)).contains("There is no CPU time, so there is no chart over time");
      assertQuiet(browser, page);
    }
  }

  @Test
  void ranges_withoutRequests_saySo() throws IOException {
    ProfileData profile = new ProfileData();
    profile.threadSample("GC", START, 1, List.of("main"));
    profile.threadSample("GC", START + 5_000 * MS, 1, List.of("main"));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build())).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      click(browser, "Compare two ranges…");
      assertThat(main(browser)).contains("Neither A nor B has a request.");
      assertQuiet(browser, page);
    }
  }

  private static List<Deployment.Served> many(List<Deployment.Served> requests) {
    return requests.stream()
        .flatMap(one -> Collections.nCopies(REQUESTS, one.times(SAMPLES)).stream())
        .toList();
  }

  private static void assertTable(Browser browser) {
    assertThat(browser.driver().findElements(By.cssSelector("tbody td:first-child a")))
        .extracting(WebElement::getText)
        .containsExactly("GET /checkout", "GET /new", "GET /old", "GET /search");
    for (String endpoint : List.of("GET /checkout", "GET /new", "GET /old", "GET /search")) {
      assertThat(cells(browser, endpoint)).isEqualTo(cells(endpoint, BEFORE, AFTER));
    }
  }

  /** Widths follow the sum of both sides, marks follow the difference. */
  private static void assertCheckout(Browser browser) {
    awaitGraph(browser);
    double whole = width(browser, "GET /checkout +400 ms");
    double all = 0;
    for (String name : List.of("tax", "render", "audit")) {
      all += frame("GET /checkout", name, BEFORE) + frame("GET /checkout", name, AFTER);
    }
    for (Map.Entry<String, String> expected :
        Map.of("tax", "more3", "render", "same", "audit", "more3").entrySet()) {
      double a = frame("GET /checkout", expected.getKey(), BEFORE);
      double b = frame("GET /checkout", expected.getKey(), AFTER);
      WebElement g = graph(browser, expected.getKey());
      assertThat(g.getDomAttribute("data-change")).isEqualTo(expected.getValue());
      assertThat(widthOf(g) / whole).isCloseTo((a + b) / all, within(0.01));
      assertThat(g.getAccessibleName())
          .startsWith(expected.getKey() + ": A " + time(a) + ", B " + time(b) + " per request");
      assertThat(g.getDomAttribute("data-name"))
          .isEqualTo(expected.getKey() + (a == b ? "" : " +" + time(b - a)));
    }
  }

  private static WebElement graph(Browser browser, String frame) {
    return browser.driver().findElements(By.cssSelector(".frame")).stream()
        .filter(g -> g.getAccessibleName().startsWith(frame + ":"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no frame " + frame));
  }

  private static List<String> chosen(Browser browser) {
    return browser.driver().findElements(By.cssSelector(".ranges select")).stream()
        .map(list -> list.getDomProperty("value"))
        .toList();
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  /** From one part of the chart's width to another. */
  private static void drag(Browser browser, double from, double to) {
    WebElement over = browser.driver().findElement(By.cssSelector(".chart .u-over"));
    int width = over.getSize().getWidth();
    new Actions(browser.driver())
        .moveToElement(over, (int) ((from - 0.5) * width), 0)
        .clickAndHold()
        .moveToElement(over, (int) Math.min((to - 0.5) * width, width / 2.0 - 1), 0)
        .release()
        .perform();
  }

  private Path ranges(List<Deployment.Served> requests) throws IOException {
    return JoinRun.of(directory, Deployment.file(requests)).page();
  }

  private Path baseline(List<Deployment.Served> before, List<Deployment.Served> after)
      throws IOException {
    Path old = Files.write(directory.resolve("before.jsonl"), Deployment.file(before));
    Path now = Files.write(directory.resolve("after.jsonl"), Deployment.file(after));
    return JoinRun.with(directory.resolve("out"), "--baseline", old.toString(), now.toString())
        .page();
  }
}
