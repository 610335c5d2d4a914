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
import static io.flamespan.page.Shown.awaitView;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** All views on small and on large screens. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class WidthsTest {
  private static final int SMALL = 360;
  private static final long SECOND = START / 1_000 / MS;
  private static final String ENDPOINT =
      URLEncoder.encode(Shop.LONG, StandardCharsets.UTF_8).replace("+", "%20")
          + "/shop-of-a-service-with-a-long-name";
  private static final String RANGES =
      "#compare/" + SECOND + "-" + (SECOND + 30) + "/" + (SECOND + 30) + "-" + (SECOND + 60);
  private static final String REQUEST =
      "#request/000000000000feed00000000000000b2/00000000000000b2";

  private static final List<String> VIEWS =
      List.of(
          "#",
          "#?range=" + SECOND + "-" + (SECOND + 30),
          "#endpoint/" + ENDPOINT,
          "#endpoint/" + ENDPOINT + "?view=turned",
          "#slow/" + ENDPOINT + "/p50",
          "#slow/" + ENDPOINT + "/asia/com.example.shop.warehouse.region_of_the_customer",
          "#slow/" + ENDPOINT + "/asia/com.example.shop.warehouse.region_of_the_customer/alone",
          "#slow/" + ENDPOINT + "?box=none",
          "#slow/" + ENDPOINT + "?box=2500000-99999999,0-99999999",
          REQUEST,
          REQUEST + "/span/00000000000000b2",
          "#thread/shop-of-a-service-with-a-long-name/GC",
          "#compare/baseline",
          "#compare/baseline/endpoint/" + ENDPOINT,
          RANGES,
          RANGES + "/endpoint/" + ENDPOINT,
          "#?measure=waiting",
          "#compare/baseline?measure=waiting",
          "#compare/baseline/endpoint/" + ENDPOINT + "?measure=waiting",
          RANGES + "?measure=waiting",
          "#find/000000000000feed");

  /** What is wider than the screen, or than a part of the page that scrolls. */
  private static final String SCROLLED =
      """
      return [...document.querySelectorAll('body, body *')]
        .filter((one) => (one.scrollWidth > one.clientWidth + 1
            && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX))
          || one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
      """;

  @TempDir Path directory;

  @Test
  void views_onAScreenOfAnyWidth_doNotScrollSideways() throws IOException {
    Path page = Shop.page(directory);
    for (int width : new int[] {SMALL, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, false)) {
        for (String view : VIEWS) {
          open(browser, page, view);
          assertThat((List<?>) browser.driver().executeScript(SCROLLED))
              .as("%d pixels, %s", width, view)
              .isEmpty();
        }
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void table_onASmallScreen_hasATitleAtEachValueAndCanBeSorted() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(SMALL, 900, false)) {
      open(browser, page, "#");
      List<WebElement> cells = cells(browser);
      assertThat(cells.get(0).getText()).isEqualTo("GET /list");
      assertThat(before(browser, cells.get(2))).isEqualTo("\"Requests\"");
      assertThat(before(browser, cells.get(4))).isEqualTo("\"p99\"");

      browser.driver().findElement(By.xpath("//th/button[.='Endpoint']")).click();
      assertThat(cells(browser).get(0).getText()).isEqualTo("GET /health");
      assertQuiet(browser, page);
    }
  }

  @Test
  void spans_deepInATrace_areReadableOnASmallScreen() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(SMALL, 900, false)) {
      open(browser, page, REQUEST);
      List<WebElement> names = browser.driver().findElements(By.cssSelector(".spans .what"));
      assertThat(names).hasSize(13);
      assertThat(names)
          .allSatisfy(
              name -> {
                assertThat(name.getDomProperty("scrollWidth"))
                    .as(name.getText())
                    .isEqualTo(name.getDomProperty("clientWidth"));
                assertThat(name.getSize().getWidth()).isGreaterThan(SMALL / 2);
              });
    }
  }

  @Test
  void tables_belowAChartThatIsPointedAt_stayWhereTheyAre() throws IOException {
    Path page = Shop.page(directory);
    for (int width : new int[] {SMALL, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, false)) {
        open(browser, page, "#");
        awaitCharts(browser, 2);
        WebElement over = browser.driver().findElement(By.className("u-over"));
        WebElement table =
            browser.driver().findElement(By.cssSelector("table[aria-label='Slowest requests']"));
        new Actions(browser.driver()).moveToElement(over).perform();
        assertThat(browser.driver().findElement(By.className("hint")).getText())
            .startsWith("CPUs at ");
        int pointed = table.getLocation().getY();
        new Actions(browser.driver()).moveToElement(table).perform();
        assertThat(browser.driver().findElement(By.className("hint")).getText())
            .startsWith("CPUs. ");
        assertThat(table.getLocation().getY()).as("%d pixels", width).isEqualTo(pointed);
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void graph_whoseFramesArePointedAt_staysWhereItIs() throws IOException {
    Path page = Shop.page(directory);
    for (int width : new int[] {SMALL, 1280}) {
      try (Browser browser = new Browser(width, 900, false)) {
        open(browser, page, "#endpoint/" + ENDPOINT);
        awaitGraph(browser);
        WebElement graph = browser.driver().findElement(By.cssSelector(".flame"));
        int before = graph.getLocation().getY();
        for (WebElement frame : browser.driver().findElements(By.cssSelector(".frame"))) {
          browser
              .driver()
              .executeScript(
                  "arguments[0].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))",
                  frame);
          assertThat(graph.getLocation().getY())
              .as("%d pixels, %s", width, frame.getAccessibleName())
              .isEqualTo(before);
        }
        assertQuiet(browser, page);
      }
    }
  }

  private static void open(Browser browser, Path page, String view) {
    browser.driver().get("about:blank");
    browser.open(URI.create(page.toUri() + view));
    awaitView(browser);
    assertThat(browser.driver().findElement(By.id("main")).getText())
        .doesNotContain(
            "There is no endpoint",
            "There is no thread",
            "There is no request",
            "There is no group",
            "does not group",
            "one by one");
  }

  private static List<WebElement> cells(Browser browser) {
    return browser.driver().findElements(By.cssSelector("table[aria-label=Endpoints] td"));
  }

  private static Object before(Browser browser, WebElement cell) {
    return browser
        .driver()
        .executeScript("return getComputedStyle(arguments[0], '::before').content", cell);
  }
}
