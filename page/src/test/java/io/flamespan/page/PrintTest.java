/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page on paper. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class PrintTest {
  // A4, without margins of 1 cm, at 96 pixels an inch.
  private static final int WIDTH = 718;
  private static final int HEIGHT = 1047;

  @TempDir Path directory;

  @Test
  void overview_inADarkBrowser_isPrintedOnWhiteWithoutControls() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(1280, 900, true)) {
      browser.recordDrawnTexts();
      browser.open(page);
      awaitCharts(browser, 2);
      assertThat(style(browser, "body", "backgroundColor")).isEqualTo("rgb(23, 25, 28)");
      browser.print(WIDTH, HEIGHT);

      new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
          .until(driver -> "#1b1b1b".equals(browser.driver().executeScript("return window.ink")));
      assertThat(style(browser, "body", "backgroundColor")).isEqualTo("rgb(255, 255, 255)");
      assertThat(browser.driver().findElements(By.cssSelector("#find, .ranges, select, .hint")))
          .isNotEmpty()
          .noneMatch(one -> one.isDisplayed());
      assertThat(style(browser, "thead", "display")).isEqualTo("table-header-group");
      for (String wide : List.of(".chart canvas", ".wide table")) {
        assertThat(browser.driver().findElements(By.cssSelector(wide)))
            .isNotEmpty()
            .allMatch(one -> one.getRect().getX() + one.getRect().getWidth() <= WIDTH);
      }
    }
  }

  @Test
  void graph_thatScrollsOnTheScreen_isPrintedAsAWhole() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(1280, 200, false)) {
      browser.open(page);
      click(browser, "GET /list");
      awaitGraph(browser);
      assertThat(hidden(browser)).as("on the screen").isPositive();
      browser.print(WIDTH, HEIGHT);

      assertThat(hidden(browser)).isZero();
      assertThat(browser.driver().findElements(By.cssSelector(".panel .tools button")))
          .isNotEmpty()
          .noneMatch(one -> one.isDisplayed());
      assertThat(style(browser, ".frame", "printColorAdjust")).isEqualTo("exact");
    }
  }

  @Test
  void comparison_onPaper_hasAllOfItsColumns() throws IOException {
    Path page = Shop.page(directory);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline"));
      browser.print(WIDTH, HEIGHT);

      assertThat(browser.driver().findElements(By.cssSelector("th, td")))
          .isNotEmpty()
          .allMatch(one -> one.getRect().getX() + one.getRect().getWidth() <= WIDTH);
    }
  }

  private static Object style(Browser browser, String element, String property) {
    return browser
        .driver()
        .executeScript(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]",
            element,
            property);
  }

  private static long hidden(Browser browser) {
    return (Long)
        browser
            .driver()
            .executeScript(
                "const flame = document.querySelector('.flame');"
                    + "return getComputedStyle(flame).overflowY === 'visible' ? 0"
                    + "  : flame.scrollHeight - flame.clientHeight");
  }
}
