/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.INNER_SPAN;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Example.STORE_SPAN;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.row;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Clicks in a browser, and the views that they open. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class NavigationTest {
  private static final String EVIL =
      "</script><script>document.title='evil'</script><img src=x onerror=document.title='evil'>";

  @TempDir Path directory;

  @Test
  void page_clickedThrough_showsEndpointAndRequestWithWidthsOfTheData() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      assertThat(title(browser)).isEqualTo("CPU time of endpoints");
      assertThat(row(browser, "GET /checkout"))
          .contains("shop", "2", "150 ms", "200 ms", "70.0 ms", "58.3 %", "35.0 ms");

      click(browser, "GET /checkout");
      assertThat(title(browser)).isEqualTo("GET /checkout – shop");
      double whole = width(browser, "GET /checkout");
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
  void overview_withCharts_opensTheRequestOfADotThatIsClicked() throws IOException {
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .sample(traceId(1), spanId(1), START, 8, List.of("main"))
            .sample(traceId(3), spanId(3), START, 1, List.of("main"))
            .sample(traceId(3), spanId(3), START + 2_000 * MS, 1, List.of("main", "job"));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    for (int width : new int[] {360, 1200, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        awaitCharts(browser, 2);
        List<WebElement> charts = browser.driver().findElements(By.cssSelector(".chart"));
        assertThat(charts)
            .extracting(chart -> chart.getDomAttribute("aria-label"))
            .containsExactly(
                "CPU time over time, by endpoint", "Requests by duration and CPU time");
        assertThat(scrollWidth(browser))
            .as("nothing is wider than the page")
            .isLessThanOrEqualTo(width);
        assertThat(browser.driver().findElement(By.className("legend")).getText())
            .isEqualTo("GET /checkout\nGET /search\nno request");
        assertThat(browser.driver().findElement(By.id("main")).getText())
            .as("after the end of a request")
            .contains("80 % of all CPU time is GET /checkout; 10 % belongs to no request.");

        // The dot of the slowest request is to the right of and above all others.
        WebElement over = charts.get(1).findElement(By.className("u-over"));
        new Actions(browser.driver())
            .moveToElement(
                over,
                // From 20 ms to 500 ms, logarithmic.
                (int)
                    ((Math.log(200 / 20.0) / Math.log(500 / 20.0) - 0.5)
                        * over.getSize().getWidth()),
                (int) ((0.5 - 80 / 84.0) * over.getSize().getHeight()))
            .click()
            .perform();

        assertThat(title(browser)).isEqualTo("Trace 000000000000feed0000000000000001");
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void durations_ofRequests_haveALogarithmicAxisWithReadableTicks() throws IOException {
    Path page = Shop.page(directory);
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, false)) {
        browser.recordDrawnTexts();
        browser.open(page);
        awaitCharts(browser, 2);
        // From 2 ms to 3.95 s.
        assertThat(browser.drawnTexts())
            .as("%d pixels", width)
            .contains("1 ms", "10 ms", "100 ms", "1 s", "duration, logarithmic");
        assertQuiet(browser, page);
      }
    }
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

      click(browser, By.cssSelector(".spans a"));
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
      assertThat(width(browser, "tax")).isCloseTo(width(browser, "price"), within(0.01));
      assertThat(browser.driver().findElements(By.tagName("h2"))).hasSize(1);
      assertQuiet(browser, page);
    }
  }

  /** Of 120 ms of CPU time, 20 ms are of no request. */
  @Test
  void shares_ofAllViews_areOfAllCpuTimeOrSayOfWhat() throws IOException {
    Path page = Example.run(directory).page();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.open(page);
      assertThat(browser.driver().findElement(By.className("result")).getText())
          .isEqualTo("58 % of all CPU time is GET /checkout; 17 % belongs to no request.");
      assertThat(main(browser)).contains("83.3 % of all CPU time belongs to these endpoints");
      for (String table :
          List.of("Endpoints", "CPU time outside requests, by thread", "Not on this page")) {
        assertThat(
                browser
                    .driver()
                    .findElement(By.cssSelector("table[aria-label='" + table + "'] thead"))
                    .getText())
            .contains("Of all CPU time");
      }
      assertThat(row(browser, "GET /checkout")).contains("58.3 %");
      assertThat(row(browser, "reserve")).contains("25.0 %");
      assertThat(row(browser, "(no name)")).contains("16.7 %");

      click(browser, "GET /checkout");
      assertThat(main(browser))
          .contains(
              "70.0 ms of CPU time, 58.3 % of all CPU time, by 7 samples",
              "Shares are of the CPU time of this endpoint.");
      assertThat(frame(browser, "tax").getAccessibleName())
          .startsWith("tax: 71.4 % of this endpoint, 50.0 ms");
      click(browser, "000000000000feed0000000000000001");
      assertThat(frame(browser, "tax").getAccessibleName())
          .startsWith("tax: 44.4 % of this trace, 40.0 ms");
      assertQuiet(browser, page);
    }
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
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
      click(browser, By.linkText("000000000000feed0000000000000009"));
      width(browser, EVIL);

      assertThat(title(browser)).startsWith("Trace ");
      assertThat(browser.driver().getTitle()).startsWith("Trace ");
      assertThat(browser.driver().findElements(By.tagName("img"))).isEmpty();
      assertQuiet(browser, page);
    }
  }
}
