/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Opens the page of a large input in a browser. System properties set the size. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class LargePageTest {
  private static final int SAMPLES = Integer.getInteger("page.test.samples");
  private static final int SPANS = Integer.getInteger("page.test.spans");
  private static final int MANY = 1_000_000;
  private static final double ALLOWED_MILLIS = 2_000;
  private static final int ELEMENTS = 5_000;
  private static final int CHARTS = 2;

  /** Notes when the table and both charts have been painted; 0 is when the navigation began. */
  private static final String WATCH =
      """
      const watch = new MutationObserver(() => {
        if (document.querySelectorAll('.chart canvas').length === 2
            && document.querySelector('tbody a')) {
          watch.disconnect();
          requestAnimationFrame(() => setTimeout(() => { window.shownAfter = performance.now(); }));
        }
      });
      watch.observe(document, {childList: true, subtree: true});
      """;

  @TempDir Path directory;

  @Test
  void page_ofALargeInput_showsItsFirstScreenInTime() throws IOException {
    Path input = Files.createDirectories(directory.resolve("input"));
    LargeInput.traces(input.resolve("traces.json"), SPANS);
    LargeInput.profiles(input.resolve("profiles.json"), SAMPLES, 1_000, SPANS);
    JoinRun run = JoinRun.of(input);
    assertThat(run.status()).isZero();
    try (Browser browser = new Browser(1200, 900, false)) {
      browser
          .driver()
          .executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
      browser.open(run.page());
      new WebDriverWait(browser.driver(), Duration.ofSeconds(60))
          .until(driver -> number(browser, "return window.shownAfter ?? 0") > 0);
      double millis = number(browser, "return window.shownAfter");
      System.out.printf(
          "first screen of %d samples and %d bytes after %.0f ms%n",
          SAMPLES, Files.size(run.page()), millis);

      // The number of drawn elements must not grow with the input.
      assertThat(number(browser, "return document.querySelectorAll('*').length"))
          .isLessThan(ELEMENTS);
      assertThat(number(browser, "return document.querySelectorAll('.chart canvas').length"))
          .isEqualTo(CHARTS);
      if (SAMPLES >= MANY) { // for less, other work on the machine decides the time
        assertThat(millis).isLessThan(ALLOWED_MILLIS);
      }
    }
  }

  private static double number(Browser browser, String script) {
    return ((Number) browser.driver().executeScript(script)).doubleValue();
  }
}
