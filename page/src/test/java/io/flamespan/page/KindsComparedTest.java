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
import static io.flamespan.page.Shown.cells;
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

import com.google.protobuf.Message;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Comparisons, charts and ranges of time of waits and of allocation, in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class KindsComparedTest {
  private static final String EVIL = "<img src=x onerror=document.title='evil'>";
  private static final int REQUESTS = 10;
  private static final int SAMPLES = 4;
  private static final long SECOND = START / 1_000 / MS;
  private static final String CHECKOUT = "/endpoint/GET%20%2Fcheckout/shop";
  private static final String RANGES =
      "#compare/" + SECOND + "-" + (SECOND + 4) + "/" + (SECOND + 5) + "-" + (SECOND + 9);

  private static final Load BEFORE = new Load(1, 0, 30, 1_000_000);
  private static final Load AFTER = new Load(101, 5, 70, 2_000_000);

  @TempDir Path directory;

  /**
   * Requests of GET /checkout with as much CPU time on both sides, that wait this long, 10 ms more
   * or less, and allocate so many bytes; and one of GET /idle. They take four seconds.
   */
  private record Load(int first, int second, long waitMillis, int bytes) {
    List<Message> cpuTime() {
      TraceData traces = new TraceData("shop");
      ProfileData cpu = new ProfileData().service("shop");
      for (int number = first; number < first + REQUESTS; number++) {
        long start = START + (second + number % 4) * 1_000 * MS;
        traces.root(number, "GET /checkout", start, start + 200 * MS);
        cpu.sample(traceId(number), spanId(number), start, 2, List.of("main", "tax"));
      }
      long start = START + second * 1_000 * MS;
      traces.root(first + REQUESTS, "GET /idle", start, start + MS);
      return List.of(traces.build(), cpu.build());
    }

    List<Message> all() {
      ProfileData waits = profile().type("off_cpu", "nanoseconds");
      ProfileData allocations =
          profile()
              .type("alloc_space", "bytes")
              .kinds(Map.of("byte[]", "class"))
              .lines(Map.of("tax", 17));
      for (int number = first; number < first + REQUESTS; number++) {
        long nanos = (waitMillis + (number % 2 == 0 ? 10 : -10)) * MS;
        waits.value(traceId(number), spanId(number), nanos, List.of("main", EVIL, "read"));
        for (int sample = 0; sample < SAMPLES; sample++) {
          List<String> stack = List.of("main", "tax", "byte[]");
          allocations.value(traceId(number), spanId(number), bytes / SAMPLES, stack);
        }
      }
      List<Message> all = new ArrayList<>(cpuTime());
      all.addAll(List.of(waits.build(), allocations.build()));
      return all;
    }

    private ProfileData profile() {
      return new ProfileData().service("shop").time(START + second * 1_000 * MS);
    }
  }

  @Test
  void baseline_comparedByWaiting_saysHowMuchLongerARequestWaitsAndWhere() throws IOException {
    Path page = baseline(BEFORE.all(), AFTER.all());
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, false)) {
        browser.open(page);
        click(browser, "compare with the baseline");
        assertThat(buttons(browser)).containsExactly("CPU time", "allocated bytes", "waiting time");
        press(browser, "waiting time");
        assertThat(browser.driver().getCurrentUrl()).endsWith("#compare/baseline?measure=waiting");
        assertThat(text(browser)).contains("A is the baseline, with 10 waits of 300 ms of waiting");
        assertThat(cells(browser, "GET /checkout"))
            .startsWith("", "30.0 ms", "70.0 ms", "+40.0 ms", "24.6 ms", "+133.3", "20", "100.0 %")
            .endsWith("20.0 ms", "20.0 ms", "1.00 MB", "2.00 MB");
        assertThat(cells(browser, "GET /idle")).startsWith("", "0 ns", "0 ns", "0 ns", "–");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);

        click(browser, "GET /checkout");
        assertThat(title(browser)).isEqualTo("GET /checkout – shop");
        assertThat(text(browser))
            .contains("The difference is +40.0 ms ± 24.6 ms of waiting per request.");
        assertThat(frame(browser, "read +40.0 ms").getAccessibleName())
            .isEqualTo(
                "read: A 30.0 ms, B 70.0 ms per request, difference +40.0 ms ± 20.1 ms, +133.3 %"
                    + " (jvm)");
        assertThat(frame(browser, "read +40.0 ms").getDomAttribute("data-change"))
            .isEqualTo("more3");
        assertThat(rows(browser, "Methods of"))
            .contains("read 30.0 ms 70.0 ms +40.0 ms 20.1 ms 30.0 ms 70.0 ms +40.0 ms 20.1 ms 20");
        assertThat(frame(browser, EVIL + " +40.0 ms")).isNotNull();
        assertThat(browser.driver().findElements(By.tagName("img"))).isEmpty();
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        click(browser, "Comparison");
        assertThat(cells(browser, "GET /checkout")).contains("+40.0 ms");
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void baseline_comparedByAllocation_hasPlusMinusOfSamplesAndTheClasses() throws IOException {
    Path page = baseline(BEFORE.all(), AFTER.all());
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline" + CHECKOUT));
      assertThat(frame(browser, "tax").getDomAttribute("data-change")).isEqualTo("same");
      press(browser, "allocated bytes");
      assertThat(text(browser))
          .contains("The difference is +1.00 MB ± 824 kB of allocation per request.");
      assertThat(frame(browser, "byte[] [c] +1.00 MB")).isNotNull();
      assertThat(rows(browser, "Methods of"))
          .startsWith("tax 1.00 MB 2.00 MB +1.00 MB 675 kB 1.00 MB 2.00 MB +1.00 MB 675 kB 80");
      assertThat(rows(browser, "Classes of"))
          .containsExactly("byte[] 1.00 MB 2.00 MB +1.00 MB 675 kB 80");

      browser.driver().get("about:blank");
      browser.open(URI.create(page.toUri() + "#compare/baseline/endpoint/GET%20%2Fidle/shop"));
      assertThat(text(browser)).contains("A and B do not have samples of CPU time.");
      press(browser, "waiting time");
      assertThat(text(browser)).contains("A and B do not have samples of waiting.");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void kind_ofOneSideOnly_isComparedAndTheOtherSideNamed() throws IOException {
    Path page = baseline(BEFORE.cpuTime(), AFTER.all());
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline?measure=waiting"));
      assertThat(text(browser))
          .contains("A has no sample of waiting: perhaps its profiler did not record any")
          .doesNotContain("B has no sample");
      assertThat(cells(browser, "GET /checkout")).startsWith("", "0 ns", "70.0 ms", "+70.0 ms");
      press(browser, "CPU time");
      assertThat(text(browser)).doesNotContain("has no sample");
      assertQuiet(browser, page);
    }
    page = baseline(BEFORE.all(), AFTER.cpuTime());
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline" + CHECKOUT + "?measure=waiting"));
      assertThat(frame(browser, "read −30.0 ms").getDomAttribute("data-change")).isEqualTo("less3");
      assertQuiet(browser, page);
    }
  }

  @Test
  void kinds_fourOfOneRequestEach_areGreyWithoutPlusMinusAndNotBesideOneAnother()
      throws IOException {
    Path page = baseline(oneOfEachKind(1, 30), oneOfEachKind(2, 70));
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#compare/baseline?measure=waiting"));
      assertThat(buttons(browser)).hasSize(4);
      assertThat(cells(browser, "GET /one"))
          .startsWith("", "30.0 ms", "70.0 ms", "+40.0 ms", "–", "+133.3", "2")
          .endsWith("+40.0 ms");
      WebElement name = browser.driver().findElement(By.xpath("//td[a[.='GET /one']]"));
      assertThat(name.findElement(By.xpath("..")).getDomAttribute("class")).isEqualTo("unsure");
      press(browser, "CPU time");
      assertThat(cells(browser, "GET /one")).startsWith("", "10.0 ms", "10.0 ms", "0 ns", "–");
      press(browser, "waiting time");
      click(browser, "GET /one");
      assertThat(text(browser))
          .contains("The difference is +40.0 ms of waiting per request. That may be chance: one");
      assertQuiet(browser, page);
    }
  }

  private static List<Message> oneOfEachKind(int number, long millis) {
    byte[] trace = traceId(number);
    byte[] span = spanId(number);
    List<String> stack = List.of("main");
    TraceData traces = new TraceData("shop");
    traces.root(number, "GET /one", START, START + millis * MS);
    return List.of(
        traces.build(),
        new ProfileData().sample(trace, span, START, 1, stack).build(),
        new ProfileData()
            .type("off_cpu", "nanoseconds")
            .value(trace, span, millis * MS, stack)
            .build(),
        new ProfileData().type("alloc_space", "bytes").value(trace, span, 1_000, stack).build(),
        new ProfileData().type("lock", "nanoseconds").value(trace, span, MS, stack).build());
  }

  @Test
  void link_withAKindThatThePageLacks_isOfCpuTime() throws IOException {
    Path page = baseline(BEFORE.cpuTime(), AFTER.cpuTime());
    try (Browser browser = new Browser(1280, 900, false)) {
      for (String view : List.of("#compare/baseline", "#", "#compare/baseline" + CHECKOUT)) {
        for (String measure : List.of("waiting", "constructor", "%3Cimg%3E")) {
          browser.driver().get("about:blank");
          browser.open(URI.create(page.toUri() + view + "?measure=" + measure));
          assertThat(text(browser)).contains("CPU time").doesNotContain("aiting time", "llocat");
          assertThat(buttons(browser)).isEmpty();
        }
      }
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void range_ofWaiting_narrowsTheSentenceTheChartTheTableAndTheGraph() throws IOException {
    Path page = both();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.recordDrawnTexts();
      browser.open(
          URI.create(page.toUri() + "#?range=" + SECOND + "-" + (SECOND + 4) + "&measure=waiting"));
      awaitCharts(browser, 2);
      assertThat(browser.driver().findElement(By.className("result")).getText())
          .endsWith(
              "UTC: 100 % of all waiting time is GET /checkout; all of it belongs to requests.");
      assertThat(browser.driver().findElements(By.cssSelector(".chart")))
          .extracting(chart -> chart.getDomAttribute("aria-label"))
          .containsExactly(
              "Waiting time over time, by endpoint", "Requests by duration and waiting time");
      assertThat(browser.drawnTexts()).contains("Waiting threads", "Waiting");
      assertThat(row(browser, "GET /checkout")).contains("10.0 MB", "300 ms", "100.0 %", "30.0 ms");
      assertThat(text(browser)).doesNotContain("≈");

      click(browser, "GET /checkout");
      assertThat(text(browser))
          .contains("10.0 MB of allocation by 40 samples, 300 ms of waiting by 10 samples");
      assertThat(width(browser, "read")).isEqualTo(1);
      press(browser, "allocated bytes");
      assertThat(rows(browser, "Classes of")).containsExactly("byte[] 10.0 MB 100.0 % 40");

      click(browser, "All endpoints");
      awaitCharts(browser, 2);
      assertThat(browser.drawnTexts()).contains("Allocated per second", "Allocated");
      press(browser, "CPU time");
      awaitCharts(browser, 2);
      assertThat(browser.driver().findElement(By.className("hint")).getText()).startsWith("CPUs. ");
      assertQuiet(browser, page);
    }
  }

  @Test
  void ranges_comparedByWaiting_haveTheDifferenceOfTheirRequests() throws IOException {
    Path page = both();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + RANGES));
      press(browser, "waiting time");
      awaitCharts(browser, 1);
      assertThat(cells(browser, "GET /checkout"))
          .startsWith("", "30.0 ms", "70.0 ms", "+40.0 ms", "24.6 ms");
      click(browser, By.xpath("//button[.='Compare A with B']"));
      assertThat(browser.driver().getCurrentUrl()).endsWith("?measure=waiting");
      click(browser, "GET /checkout");
      assertThat(width(browser, "read +40.0 ms")).isCloseTo(1, within(0.001));
      assertQuiet(browser, page);
    }
  }

  @Test
  void method_thatAllocates_hasItsLines() throws IOException {
    Path page = both();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Fcheckout/shop?measure=allocated"));
      awaitGraph(browser);
      click(browser, By.xpath("//td/button[.='tax']"));
      assertThat(text(browser)).contains("Lines of tax: 17 with 30.0 MB");
      press(browser, "CPU time");
      assertThat(text(browser)).doesNotContain("Lines of tax");
      assertQuiet(browser, page);
    }
  }

  private Path both() throws IOException {
    Message[] all =
        Stream.concat(BEFORE.all().stream(), AFTER.all().stream()).toArray(Message[]::new);
    return JoinRun.of(directory, CollectorFiles.json(all)).page();
  }

  private Path baseline(List<Message> before, List<Message> after) throws IOException {
    Path a = Files.write(directory.resolve("before.jsonl"), json(before));
    Path b = Files.write(directory.resolve("after.jsonl"), json(after));
    return JoinRun.with(directory.resolve("out"), "--baseline", a.toString(), b.toString()).page();
  }

  private static byte[] json(List<Message> messages) {
    return CollectorFiles.json(messages.toArray(Message[]::new));
  }

  private static void press(Browser browser, String measure) {
    click(browser, By.xpath("//button[.='" + measure + "']"));
  }

  private static List<String> buttons(Browser browser) {
    return browser.driver().findElements(By.cssSelector("[aria-label=Measure] button")).stream()
        .map(button -> button.getText())
        .toList();
  }

  private static String text(Browser browser) {
    awaitView(browser);
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static List<String> rows(Browser browser, String table) {
    awaitGraph(browser);
    String rows = "table[aria-label^='" + table + "'] tbody tr";
    return browser.driver().findElements(By.cssSelector(rows)).stream()
        .map(row -> row.getText().replace('\n', ' '))
        .toList();
  }
}
