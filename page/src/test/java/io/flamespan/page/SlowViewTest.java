/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.title;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Slow requests against typical ones, and the requests of a method, in the browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class SlowViewTest {
  @TempDir Path directory;

  private Path page(SlowRequestsTest.Cause cause) throws IOException {
    return JoinRun.of(directory, CollectorFiles.protobuf(SlowRequestsTest.messages(cause, 1)))
        .page();
  }

  @Test
  void endpoint_saysWhatItsSlowestRequestsHaveMore_andLeadsToTheirGraphs() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    for (int width : new int[] {360, 1280}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        click(browser, "GET /checkout");
        assertThat(sentences(browser))
            .anySatisfy(
                text ->
                    assertThat(text)
                        .matches(
                            "Per request, the 10 above p99 against the 500 up to p50: \\+\\d+ ms,"
                                + " samples explain \\+\\d+ ms; \\+\\d+ ms ± [\\d.]+ ms on CPU"
                                + " in Cache\\.load\\."));

        click(browser, "above p99");
        assertThat(title(browser)).isEqualTo("GET /checkout – above p99");
        assertThat(change(browser, "com.example.Cache.load +")).isEqualTo("more3");
        for (String same : List.of("com.example.Shop.serve", "com.example.Shop.m0")) {
          assertThat(change(browser, same)).as(same).isEqualTo("same");
        }
        assertThat(browser.driver().findElement(By.cssSelector(".methods tbody tr")).getText())
            .as("the method that differs the most and for certain")
            .startsWith("com.example.Cache.load");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);

        click(browser, "p90–p99");
        assertThat(title(browser)).isEqualTo("GET /checkout – p90–p99");
        awaitGraph(browser);
        assertThat(
                browser.driver().findElements(By.cssSelector(".frame")).stream()
                    .map(one -> one.getDomAttribute("data-name")))
            .contains("com.example.Shop.m0")
            .doesNotContain("com.example.Cache.load");
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void endpoint_whoseRequestsDoTheSame_hasNoColouredFrame() throws IOException {
    Path page = page(SlowRequestsTest.Cause.NONE);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /checkout");
      click(browser, "above p90");
      awaitGraph(browser);
      assertThat(sentences(browser).get(0)).contains("no single method is certain");
      assertThat(browser.driver().findElements(By.cssSelector(".frame")))
          .extracting(one -> one.getDomAttribute("data-change"))
          .containsOnly("same");
      assertQuiet(browser, page);
    }
  }

  @Test
  void method_thatIsClicked_namesTheRequestsWithTheMostOfItAndWhen() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /checkout");
      frame(browser, "com.example.Cache.load").click();
      awaitCharts(browser, 1);
      List<WebElement> rows =
          browser
              .driver()
              .findElements(
                  By.cssSelector("[aria-label='Requests with the most of the method'] tbody tr"));
      assertThat(rows).hasSize(3);
      String trace = rows.get(0).findElement(By.tagName("a")).getText();
      assertThat(Integer.parseInt(trace.substring(24), 16) % 100).as(trace).isZero();
      assertThat(rows.get(0).getText()).contains(" ms");

      rows.get(0).findElement(By.tagName("a")).click();
      assertThat(title(browser)).isEqualTo("Trace " + trace);
      assertThat(frame(browser, "com.example.Cache.load")).isNotNull();
      assertQuiet(browser, page);
    }
  }

  @Test
  void requests_splitByAnAttributeOrAPart_haveSentencesThatALinkReturnsTo() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    String difference =
        "Per request, the 10 with 503 against the 990 others: \\+\\d+ ms, samples explain \\+\\d+ ms;"
            + " \\+\\d+ ms ± [\\d.]+ ms on CPU in Cache\\.load\\.";
    for (int width : new int[] {360, 1280}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        click(browser, "GET /checkout");
        click(browser, "http.response.status_code");
        String address = browser.driver().getCurrentUrl();
        assertThat(sentences(browser).get(0)).matches(difference);
        assertThat(change(browser, "com.example.Cache.load +")).isEqualTo("more3");
        assertThat(change(browser, "com.example.Shop.m0")).isEqualTo("same");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);

        click(browser, "tenant");
        assertThat(title(browser)).startsWith("GET /checkout – tenant ");
        assertThat(sentences(browser).get(0)).contains("no single method is certain");
        click(browser, "on CPU");
        assertThat(sentences(browser).get(0)).contains(" on CPU in Cache.load");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        click(browser, "duration");
        assertThat(title(browser)).isEqualTo("GET /checkout – above p99");

        browser.driver().get("about:blank");
        browser.open(URI.create(address));
        assertThat(title(browser)).isEqualTo("GET /checkout – http.response.status_code 503");
        assertThat(sentences(browser).get(0)).matches(difference);
        browser.driver().findElement(By.cssSelector("[aria-label^='Requests by'] tbody a")).click();
        awaitGraph(browser);
        assertThat(browser.driver().getCurrentUrl()).endsWith("/http.response.status_code/alone");
        assertThat(frame(browser, "com.example.Cache.load")).isNotNull();
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void addressOfAnAttributeThatThePageLacks_saysSo() throws IOException {
    Path page = page(SlowRequestsTest.Cause.NONE);
    try (Browser browser = new Browser(1280, 900, false)) {
      String endpoint = page.toUri() + "#slow/GET%20%2Fcheckout/shop/";
      browser.open(URI.create(endpoint + "blue/region"));
      assertThat(shown(browser)).contains("This page does not group these requests by “region”.");
      browser.open(URI.create(endpoint + "green/tenant"));
      assertThat(title(browser)).isEqualTo("GET /checkout – tenant green");
      assertThat(shown(browser)).contains("There is no group “green” on this page.");
      assertQuiet(browser, page);
    }
  }

  private static String shown(Browser browser) {
    title(browser);
    return browser.driver().findElement(By.id("main")).getText();
  }

  @Test
  void methodThatIsMostOfWhatWaitsMore_isColoured() throws IOException {
    Path page = JoinRun.of(directory, SlowRequestsTest.waiting(1)).page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#slow/GET%20%2Fcheckout/shop/p99?measure=waiting"));
      assertThat(change(browser, "com.example.Orders.find0 +")).isEqualTo("more3");
      assertQuiet(browser, page);
    }
  }

  private static List<String> sentences(Browser browser) {
    return browser.driver().findElements(By.cssSelector(".sentence")).stream()
        .map(WebElement::getText)
        .toList();
  }

  private static String change(Browser browser, String begin) {
    awaitGraph(browser);
    return browser.driver().findElements(By.cssSelector(".frame")).stream()
        .filter(one -> one.getDomAttribute("data-name").startsWith(begin))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no frame " + begin))
        .getDomAttribute("data-change");
  }
}
