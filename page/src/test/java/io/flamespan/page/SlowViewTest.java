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
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.tabTo;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.type;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.openqa.selenium.Keys;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

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
  void requests_ofEqualDurations_areComparedWithNothing() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 22; number++) {
      traces.root(number, "GET /ties", START, number > 20 ? START - MS : START + 10 * MS);
      profile.sample(traceId(number), spanId(number), START, 1, List.of("main", "work"));
    }
    Path page = JoinRun.of(directory, CollectorFiles.json(traces.build(), profile.build())).page();
    try (Browser browser = new Browser(1280, 900, false)) {
      for (String address :
          List.of("#slow/GET%20%2Fties/shop", "#slow/GET%20%2Fties/shop?box=0-20000,0-90000")) {
        browser.driver().get("about:blank");
        browser.open(URI.create(page.toUri() + address));
        assertThat(browser.driver().findElement(By.tagName("main")).getText())
            .contains(
                "There is nothing to compare", "2 requests of unknown duration are in no group")
            .doesNotContain("difference", "The mean of");
        assertThat(browser.driver().findElements(By.cssSelector(".frame"))).isEmpty();
        assertThat(
                browser
                    .driver()
                    .findElements(By.cssSelector("[aria-label^='Requests by'] tbody tr"))
                    .stream()
                    .map(WebElement::getText)
                    .filter(row -> row.contains(" 0 ")))
            .isNotEmpty()
            .allMatch(row -> row.endsWith(" 0 – –"));
      }
      browser.driver().get("about:blank");
      browser.open(URI.create(page.toUri() + "#slow/GET%20%2Fties/shop"));
      click(browser, "above p99");
      assertThat(browser.driver().findElement(By.tagName("main")).getText())
          .contains("No request is in this group.");
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

  private static final String OF_BOX = "GET /checkout – requests in the box";

  /** The ten slow ones, which are on the right, perhaps with a few large ones. */
  private static void assertTheSlowRequests(Browser browser) {
    assertThat(title(browser)).isEqualTo(OF_BOX);
    assertThat(browser.driver().getCurrentUrl())
        .matches(".*#slow/GET%20%2Fcheckout/shop\\?(range=0-1&)?box=.*");
    assertThat(shown(browser))
        .containsPattern("\\n1[0-3] requests are in the box, 9\\d\\d are not");
    assertThat(change(browser, "com.example.Cache.load +")).isEqualTo("more3");
    assertThat(change(browser, "com.example.Shop.m0")).isEqualTo("same");
    assertThat(browser.driver().findElement(By.cssSelector(".methods tbody tr")).getText())
        .startsWith("com.example.Cache.load");
  }

  private static WebElement dots(Browser browser) {
    click(browser, "GET /checkout");
    click(browser, "a box drawn over dots of duration and CPU time");
    awaitCharts(browser, 1);
    assertThat(shown(browser)).contains("All 1,000 requests have dots.");
    return browser.driver().findElement(By.className("u-over"));
  }

  @Test
  void box_drawnByAMouse_comparesItsRequestsWithAllOthers_asItsAddressDoes() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    for (int width : new int[] {360, 1280}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        WebElement over = dots(browser);
        Rectangle at = over.getRect();
        browser.driver().executeScript("getSelection().selectAllChildren(document.body)");
        new Actions(browser.driver())
            .moveToElement(over, at.getWidth() * 3 / 10, -at.getHeight() / 10)
            .clickAndHold()
            .moveToElement(over, at.getWidth() / 2 - 1, 2 - at.getHeight() / 10)
            .release()
            .perform();
        assertTheSlowRequests(browser);
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertThat(
                browser
                    .driver()
                    .findElements(By.cssSelector("[aria-label='Requests in the box'] tbody tr")))
            .hasSizeBetween(10, 13);
        String address = browser.driver().getCurrentUrl();

        click(browser, "in the box");
        assertThat(title(browser)).isEqualTo(OF_BOX);
        assertThat(frame(browser, "com.example.Cache.load")).isNotNull();
        click(browser, "Compare with the others");
        assertThat(browser.driver().getCurrentUrl()).isEqualTo(address);

        browser.driver().get("about:blank");
        browser.open(URI.create(address));
        assertTheSlowRequests(browser);
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void box_drawnByAFinger_isTheSame() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    try (Browser browser = new Browser(360, 900, false)) {
      browser.open(page);
      browser
          .driver()
          .executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", true));
      WebElement over = dots(browser);
      List<?> corner =
          (List<?>)
              browser
                  .driver()
                  .executeScript(
                      "const {left, top, width, height} = arguments[0].getBoundingClientRect();"
                          + " return [left + width * 0.8, top + height - 1, left + width, top]",
                      over);
      List<Double> points = corner.stream().map(one -> ((Number) one).doubleValue()).toList();
      touch(browser, "touchStart", points.get(0), points.get(1));
      for (int step = 1; step <= 10; step++) {
        double right = Math.min(1, step / 5.);
        double up = Math.max(0, (step - 5) / 5.);
        touch(
            browser,
            "touchMove",
            points.get(0) + right * (points.get(2) - points.get(0)),
            points.get(1) + up * (points.get(3) - points.get(1)));
      }
      browser
          .driver()
          .executeCdpCommand(
              "Input.dispatchTouchEvent", Map.of("type", "touchEnd", "touchPoints", List.of()));
      assertTheSlowRequests(browser);
      assertQuiet(browser, page);
    }
  }

  private static void touch(Browser browser, String type, double x, double y) {
    browser
        .driver()
        .executeCdpCommand(
            "Input.dispatchTouchEvent",
            Map.of("type", type, "touchPoints", List.of(Map.of("x", x, "y", y))));
  }

  @Test
  void box_namedByTheKeyboard_isTheSame_andCanBeNamedAgain() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      dots(browser);
      tabTo(browser, "Duration from");
      type(browser, "500");
      tabTo(browser, "CPU time from");
      type(browser, "500", Keys.ENTER);
      assertTheSlowRequests(browser);
      String address = browser.driver().getCurrentUrl();

      tabTo(browser, "CPU time to");
      type(browser, Keys.ENTER);
      assertThat(browser.driver().getCurrentUrl()).isEqualTo(address);
      type(browser, Keys.chord(Keys.CONTROL, "a"), "1", Keys.ENTER);
      assertThat(shown(browser)).contains("CPU time must end after it begins.");
      assertQuiet(browser, page);
    }
  }

  @Test
  void box_thatCutsCpuTime_doesNotJudgeIt() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    try (Browser browser = new Browser(1280, 900, false)) {
      String endpoint = page.toUri() + "#slow/GET%20%2Fcheckout/shop?box=";
      browser.open(URI.create(endpoint + "0-9999999,500000-9999999"));
      awaitGraph(browser);
      assertThat(shown(browser))
          .containsPattern("\\n1[01] requests are in the box, 9\\d\\d are not")
          .contains("chosen by the CPU time that is compared: its difference is not judged.")
          .doesNotContain("The mean of");
      assertThat(browser.driver().findElements(By.cssSelector(".frame")))
          .extracting(one -> one.getDomAttribute("data-change"))
          .containsOnly("same");
      browser.open(URI.create(endpoint + "500000-9999999,0-9999999"));
      awaitGraph(browser);
      assertThat(shown(browser))
          .doesNotContain("is not judged")
          .contains("The mean of A, outside the box:", "The mean of B, in the box:");
      assertThat(change(browser, "com.example.Cache.load +")).isEqualTo("more3");
      assertQuiet(browser, page);
    }
  }

  @Test
  void box_hasTheRangeOfItsAddress_andLargeNumbers() throws IOException {
    Path page = page(SlowRequestsTest.Cause.OWN_METHOD);
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(
          URI.create(
              page.toUri() + "#slow/GET%20%2Fcheckout/shop?range=0-1&box=500000-9999999,0-1"));
      tabTo(browser, "CPU time to");
      type(browser, Keys.chord(Keys.CONTROL, "a"), "100000000000", Keys.ENTER);
      assertTheSlowRequests(browser);
      assertThat(browser.driver().getCurrentUrl()).contains("range=0-1");
      assertQuiet(browser, page);
    }
  }

  @Test
  void box_ofAnEndpointWithOneRequest_saysWhyThereIsNone() throws IOException {
    byte[] one =
        CollectorFiles.protobuf(
            new TraceData("shop").root(1, "GET /", START, START + 20 * MS).build(),
            new ProfileData()
                .service("shop")
                .sample(traceId(1), spanId(1), START, 2, List.of("main", "tax"))
                .build());
    Path page = JoinRun.of(directory, one).page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#slow/GET%20%2F/shop?box=none"));
      assertThat(shown(browser))
          .contains("fewer than two of its requests are known")
          .doesNotContain("the 20 endpoints");
      assertQuiet(browser, page);
    }
  }

  @Test
  void address_thatIsNoBox_saysSo() throws IOException {
    Path page = page(SlowRequestsTest.Cause.NONE);
    try (Browser browser = new Browser(1280, 900, false)) {
      String endpoint = page.toUri() + "#slow/GET%20%2Fcheckout/shop?box=";
      browser.open(URI.create(endpoint + "5-4,0-1"));
      assertThat(shown(browser)).contains("“5-4,0-1” is no box.");
      browser.open(URI.create(endpoint + "0-1,0-1"));
      assertThat(shown(browser)).contains("0 requests are in the box, 1,000 are not.");
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
