/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

/** Sentences, bars and the lane of the time line, in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class TimeLineViewTest {
  @TempDir Path directory;

  /** A wait for a lock, a stop in the middle of it, and work. */
  private Path page() throws IOException {
    TraceData traces = new TraceData("shop").root(1, "GET /order", START, START + 4000 * MS);
    ProfileData waits =
        new ProfileData()
            .service("shop")
            .type("off_cpu", "nanoseconds")
            .period("off_cpu", "nanoseconds", 50 * MS);
    for (long at = 25; at < 2000; at += 50) {
      List<String> stack =
          List.of("com.acme.OrderBook.reserve", "java.util.concurrent.locks.ReentrantLock.lock");
      waits.timed(traceId(1), spanId(1), "a", START + at * MS, 50 * MS, stack);
    }
    ProfileData cpu =
        new ProfileData()
            .service("shop")
            .sample(traceId(1), spanId(1), START + 2005 * MS, 100, List.of("com.acme.Report.total"))
            .threadSample("job", START, 1, List.of("com.acme.Job.run"));
    ProfileData stops =
        new ProfileData()
            .service("shop")
            .type("jvm_stopped", "nanoseconds")
            .timed(
                NONE,
                NONE,
                "",
                START + 1000 * MS,
                500 * MS,
                List.of("garbage collection", "G1 <b>Full</b> GC"));
    return JoinRun.of(
            directory,
            CollectorFiles.json(traces.build(), waits.build(), cpu.build(), stops.build()))
        .page();
  }

  @Test
  void request_beginsWithTheSentenceAndTheBarOfItsParts() throws IOException {
    Path page = page();
    for (int width : new int[] {360, 1280}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(
            URI.create(
                page.toUri() + "#request/000000000000feed0000000000000001/0000000000000001"));
        WebElement sentence = browser.driver().findElement(By.cssSelector(".sentence"));
        assertThat(sentence.getText())
            .isEqualTo(
                "4.00 s: 1.50 s waiting for a lock (OrderBook.reserve);"
                    + " 1.00 s ± 196 ms on CPU, most of it in Report.total;"
                    + " 1.00 s not known; 500 ms stopped (G1 <b>Full</b> GC)");
        assertThat(sentence.findElements(By.tagName("code")))
            .extracting(WebElement::getText)
            .containsExactly("OrderBook.reserve", "Report.total");
        List<WebElement> pieces = browser.driver().findElements(By.cssSelector(".partsbar .part"));
        assertThat(pieces)
            .extracting(piece -> piece.getDomAttribute("title"))
            .containsExactly(
                "1.50 s waiting for a lock", "1.00 s on CPU", "1.00 s not known", "500 ms stopped");
        double whole = pieces.stream().mapToDouble(piece -> piece.getRect().getWidth()).sum();
        assertThat(pieces.get(0).getRect().getWidth() / whole).isCloseTo(0.375, within(0.02));
        assertThat(browser.driver().findElements(By.cssSelector(".spans .bar .part"))).hasSize(4);
        assertThat(browser.driver().findElement(By.id("main")).getText())
            .contains("No samples of: threads that are ready")
            .contains("flamespan.embedded.profiler.events=cpu,wall,stops");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void endpoint_hasTheSentenceOfItsMeanRequest() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Forder/shop"));
      assertThat(browser.driver().findElement(By.cssSelector(".sentence")).getText())
          .startsWith("The mean request: 4.00 s: 1.50 s waiting for a lock");
      assertQuiet(browser, page);
    }
  }

  /** The first two requests wait, the last two are on CPU, and one of these is stopped. */
  @Test
  void endpoint_inARange_hasThePartsOfTheRequestsThatBeginThere() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData waits = halts("off_cpu").period("off_cpu", "nanoseconds", 50 * MS);
    ProfileData cpu = new ProfileData().service("shop");
    for (int request = 0; request < 4; request++) {
      long start = START + request * 2000 * MS;
      traces.root(request + 1, "GET /order", start, start + 1500 * MS);
      for (int at = 0; at < 1000 && request < 2; at += 50) {
        waits.timed(
            traceId(request + 1),
            spanId(request + 1),
            "a",
            start + (at + 25) * MS,
            50 * MS,
            List.of("com.acme.OrderBook.reserve", "sun.nio.ch.Net.poll"));
      }
      for (int at = 0; at < 1200 && request >= 2; at += 10) {
        cpu.sample(
            traceId(request + 1),
            spanId(request + 1),
            start + (at + 5) * MS,
            1,
            List.of("com.acme.Report.total"));
      }
    }
    ProfileData stops =
        halts("jvm_stopped")
            .timed(NONE, NONE, "", START + 7300 * MS, 100 * MS, List.of("gc", "Full"));
    cpu.threadSample("job", START, 1, List.of("com.acme.Job.run"));
    Path page =
        JoinRun.of(
                directory,
                CollectorFiles.json(traces.build(), waits.build(), cpu.build(), stops.build()))
            .page();
    long second = START / 1_000 / MS;
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(
            URI.create(
                page.toUri()
                    + "#endpoint/GET%20%2Forder/shop?range="
                    + (second + 4)
                    + "-"
                    + (second + 8)));
        assertThat(browser.driver().findElement(By.cssSelector(".sentence")).getText())
            .isEqualTo(
                "The mean request: 1.50 s: 1.20 s ± 152 ms on CPU, most of it in Report.total;"
                    + " 250 ms not known; 50.0 ms stopped");
        assertThat(browser.driver().findElements(By.cssSelector(".partsbar .part")))
            .extracting(piece -> piece.getDomAttribute("title"))
            .containsExactly("1.20 s on CPU", "250 ms not known", "50.0 ms stopped");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertQuiet(browser, page);
        browser.open(URI.create(page.toUri() + "#?range=" + (second + 4) + "-" + (second + 8)));
        Shown.awaitView(browser);
        assertThat(Shown.row(browser, "GET /order")).contains("500 ms").doesNotContain("≈");
        browser.open(
            URI.create(
                page.toUri()
                    + "#endpoint/GET%20%2Forder/shop?range="
                    + second
                    + "-"
                    + (second + 4)));
        Shown.awaitView(browser);
        assertThat(browser.driver().findElement(By.cssSelector(".sentence")).getText())
            .isEqualTo(
                "The mean request: 1.50 s: 1.00 s waiting for I/O (OrderBook.reserve); 500 ms not"
                    + " known");
        assertThat(browser.complaints()).isEmpty();
      }
    }
  }

  @Test
  void requestShorterThanItsSamples_isNotKnownInTheTableToo() throws IOException {
    Path page =
        JoinRun.of(
                directory,
                CollectorFiles.json(
                    new TraceData("shop").root(1, "GET /", START, START + 2 * MS).build(),
                    new ProfileData()
                        .service("shop")
                        .sample(traceId(1), spanId(1), START, 1, List.of("com.acme.A.run"))
                        .build(),
                    halts("jvm_stopped")
                        .timed(NONE, NONE, "", START + 1500 * MS, MS, List.of("gc", "Full"))
                        .build()))
            .page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      awaitCharts(browser, 1);
      List<WebElement> tables = browser.driver().findElements(By.tagName("table"));
      WebElement requests =
          tables.stream()
              .filter(table -> table.getText().contains("000000000000feed"))
              .findFirst()
              .orElseThrow();
      assertThat(requests.getText()).contains("Not known").contains("10.0 ms 2.00 ms");
      assertQuiet(browser, page);
    }
  }

  private static double shareOfHeight(WebElement mark, WebElement lane) {
    return (double) mark.getRect().getHeight() / lane.getRect().getHeight();
  }

  @Test
  void lane_ofStopsAndThrottling_hasBothUponEachOtherAndTheirSums() throws IOException {
    Path page =
        JoinRun.of(
                directory,
                CollectorFiles.json(
                    new TraceData("shop").root(1, "GET /", START, START + 4000 * MS).build(),
                    new ProfileData()
                        .service("shop")
                        .sample(traceId(1), spanId(1), START, 400, List.of("com.acme.A.run"))
                        .sample(traceId(1), spanId(1), START + 3999 * MS, 1, List.of("A.run"))
                        .build(),
                    halts("jvm_stopped")
                        .timed(NONE, NONE, "", START + 100 * MS, MS, List.of("gc", "Young"))
                        .timed(NONE, NONE, "", START + 200 * MS, MS, List.of("gc", "Young"))
                        .timed(NONE, NONE, "", START + 1500 * MS, 1100 * MS, List.of("gc", "Full"))
                        .build(),
                    halts("cpu_throttled")
                        .timed(NONE, NONE, "", START + 1000 * MS, 250 * MS, List.of("throttled"))
                        .build()))
            .page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      awaitCharts(browser, 2);
      WebElement lane = browser.driver().findElement(By.cssSelector(".lane"));
      List<WebElement> marks = lane.findElements(By.tagName("span"));
      assertThat(marks)
          .extracting(mark -> mark.getDomAttribute("data-part"))
          .containsExactly("stopped", "stopped", "throttled", "stopped");
      double[] shares = {0.08, 0.5, 0.25, 0.6};
      for (int mark = 0; mark < shares.length; mark++) {
        assertThat(shareOfHeight(marks.get(mark), lane)).isCloseTo(shares[mark], within(0.05));
      }
      assertThat(marks.get(2).getRect().getY() + marks.get(2).getRect().getHeight())
          .as("throttling is above the stop in the same bin")
          .isCloseTo(marks.get(1).getRect().getY(), within(1));
      assertThat(lane.getDomAttribute("aria-label"))
          .isEqualTo(
              "Over time: 3 stops of the JVM, 1.10 s, most by Full; 250 ms throttled by the"
                  + " container");
      assertThat(
              browser
                  .driver()
                  .findElement(By.cssSelector("[aria-label='Stops and throttling']"))
                  .getText()
                  .lines())
          .containsExactly(
              "3 stops of the JVM, 1.10 s, most by Full", "250 ms throttled by the container");
      assertQuiet(browser, page);
    }
  }

  private static ProfileData halts(String type) {
    return new ProfileData().service("shop").type(type, "nanoseconds");
  }

  @Test
  void lane_aboveTheChart_hasStopsAtTheirTimesWithCauses() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      awaitCharts(browser, 2);
      WebElement lane = browser.driver().findElement(By.cssSelector(".lane"));
      WebElement plot = browser.driver().findElement(By.cssSelector(".chart .u-over"));
      assertThat(lane.getRect().getX()).isCloseTo(plot.getRect().getX(), within(2));
      assertThat(lane.getRect().getWidth()).isCloseTo(plot.getRect().getWidth(), within(2));
      List<WebElement> marks = lane.findElements(By.tagName("span"));
      assertThat(marks)
          .extracting(mark -> mark.getDomAttribute("title"))
          .containsExactly("2026-01-01 00:00:01 UTC: 500 ms stopped by G1 <b>Full</b> GC");
      assertThat(shareOfHeight(marks.get(0), lane)).isCloseTo(0.5, within(0.05));
      assertThat(lane.getDomAttribute("aria-label"))
          .isEqualTo("Over time: 1 stop of the JVM, 500 ms, by G1 <b>Full</b> GC");
      assertThat(Shown.row(browser, "GET /order")).contains("1.00 s");
      assertQuiet(browser, page);
    }
  }
}
