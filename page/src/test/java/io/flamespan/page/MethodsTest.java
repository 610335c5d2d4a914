/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.awaitView;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.frame;
import static io.flamespan.page.Shown.scrollWidth;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.Shown.width;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The methods of a graph, and the graph from their point of view, in a browser. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class MethodsTest {
  private static final String EVIL = "<img src=x onerror=document.title='evil'>";
  private static final String MAIN = "shop.Main.main()";
  private static final String SORT = "shop.lists.Sort.sort()";
  private static final String SWAP = "shop.lists.Swap.swap()";
  private static final String HASH = "java.util.HashMap.hash()";

  @TempDir Path directory;

  /** Hash is called at two places, sort calls itself; 10 samples in all. */
  private Path page() throws IOException {
    return page(Map.of());
  }

  private Path page(Map<String, Integer> lines) throws IOException {
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .lines(lines)
            .sample(traceId(3), spanId(3), START, 4, List.of(MAIN, SORT, SORT, SWAP))
            .sample(traceId(3), spanId(3), START, 2, List.of(MAIN, SORT, HASH))
            .sample(traceId(3), spanId(3), START, 3, List.of(MAIN, EVIL, HASH))
            .sample(traceId(3), spanId(3), START, 1, List.of(MAIN));
    return JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
  }

  @Test
  void methods_ofAnEndpoint_areSortedBySelfTimeAndMarkedInTheGraph() throws IOException {
    Path page = page();
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        click(browser, "GET /search");
        awaitGraph(browser);
        assertThat(rows(browser))
            .containsExactly(
                "HashMap.hash 50.0 ms 44.7 ms 50.0 % 50.0 ms 44.7 ms 50.0 % 5",
                "Swap.swap 40.0 ms 40.0 ms 40.0 % 40.0 ms 40.0 ms 40.0 % 4",
                "Main.main 10.0 ms 20.0 ms 10.0 % 100 ms 63.2 ms 100.0 % 10",
                "Sort.sort 0 ns – 0.0 % 60.0 ms 49.0 ms 60.0 % 6",
                EVIL + " 0 ns – 0.0 % 30.0 ms 34.6 ms 30.0 % 3");
        click(browser, By.xpath("//th/button[.='Total']"));
        assertThat(rows(browser).get(0)).startsWith("Main.main");
        click(browser, By.xpath("//th/button[.='Total']"));
        assertThat(rows(browser).get(0)).startsWith(EVIL);

        filter(browser, "sort|swap");
        assertThat(rows(browser)).hasSize(2);
        assertThat(browser.driver().findElement(By.cssSelector(".methods output")).getText())
            .isEqualTo("2 of 5 methods");
        filter(browser, "");
        click(browser, By.xpath("//td/button[.='HashMap.hash']"));
        assertThat(browser.driver().findElements(By.cssSelector(".frame.marked")))
            .extracting(one -> one.getDomAttribute("data-name"))
            .containsExactly("HashMap.hash", "HashMap.hash");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertThat(browser.driver().findElements(By.tagName("img"))).isEmpty();
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void graph_turnedRound_hasCallersBelowMethods() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      click(browser, By.xpath("//button[.='Turned round']"));
      assertThat(width(browser, "HashMap.hash")).isCloseTo(0.5, within(0.001));
      assertThat(width(browser, EVIL)).isCloseTo(0.3, within(0.001));

      frame(browser, "HashMap.hash").click();
      click(browser, By.xpath("//button[.='Callers of HashMap.hash']"));
      assertThat(width(browser, "HashMap.hash")).isEqualTo(1);
      assertThat(width(browser, EVIL)).isCloseTo(0.6, within(0.001));
      assertThat(width(browser, "Sort.sort")).isCloseTo(0.4, within(0.001));

      click(browser, By.xpath("//td/button[.='Sort.sort']"));
      click(browser, By.xpath("//button[.='Callees of Sort.sort']"));
      assertThat(width(browser, "HashMap.hash")).isCloseTo(2 / 6.0, within(0.001));
      assertThat(frame(browser, "Sort.sort").getAccessibleName())
          .startsWith(
              "shop.lists.Sort.sort(): 60.0 % of this endpoint, 60.0 ms ± 49.0 ms, 6 samples");
      assertQuiet(browser, page);
    }
  }

  @Test
  void recursionAndPackages_foldedOnDemand_shortenTheGraph() throws IOException {
    Path page = page(Map.of(SWAP, 7));
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      awaitGraph(browser);
      assertThat(names(browser)).filteredOn("Sort.sort"::equals).hasSize(2);
      click(browser, By.xpath("//button[.='Fold recursion']"));
      assertThat(names(browser)).filteredOn("Sort.sort"::equals).hasSize(1);
      assertThat(width(browser, "Swap.swap")).isCloseTo(0.4, within(0.001));

      By line = By.cssSelector("td[data-title=Line]");
      assertThat(browser.driver().findElements(line)).hasSize(5);
      click(browser, By.xpath("//button[.='Packages']"));
      assertThat(browser.driver().findElements(line)).as("packages do not have lines").isEmpty();
      assertThat(names(browser))
          .containsExactlyInAnyOrder(
              "GET /search",
              "shop.* [p]",
              "shop.lists.* [p]",
              "java.util.* [p]",
              EVIL,
              "java.util.* [p]");
      assertQuiet(browser, page);
    }
  }

  @Test
  void link_toAView_hasOrderAndFilterOfTheTable() throws IOException {
    Path page = page();
    String link;
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      awaitGraph(browser);
      click(browser, By.xpath("//th/button[.='Total']"));
      click(browser, By.xpath("//th/button[.='Total']"));
      filter(browser, "s[ow]");
      link = browser.driver().getCurrentUrl();
      assertThat(link).endsWith("?sort=Total&filter=s%5Bow%5D");
    }
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(link));
      assertThat(rows(browser)).hasSize(2);
      assertThat(rows(browser).get(0)).startsWith("Swap.swap");
      assertThat(rows(browser).get(1)).startsWith("Sort.sort");
      assertThat(browser.driver().findElement(By.cssSelector(".methods th[aria-sort]")).getText())
          .isEqualTo("Total");

      click(browser, By.xpath("//button[.='Reset']"));
      assertThat(rows(browser)).hasSize(5);
      assertThat(rows(browser).get(0)).startsWith("HashMap.hash");
      assertThat(browser.driver().getCurrentUrl()).endsWith("#endpoint/GET%20%2Fsearch/shop");
      assertQuiet(browser, page);
    }
  }

  @Test
  void link_toAView_hasZoomSearchMethodAndDirection() throws IOException {
    Path page = page();
    String link;
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      awaitGraph(browser);
      click(browser, By.xpath("//td/button[.='HashMap.hash']"));
      click(browser, By.xpath("//button[.='Callers of HashMap.hash']"));
      frame(browser, EVIL).click();
      browser
          .driver()
          .findElement(By.cssSelector("input[placeholder='Search frames']"))
          .sendKeys("main");
      link = browser.driver().getCurrentUrl();
    }
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(link));
      assertThat(width(browser, EVIL)).as("zoomed").isEqualTo(1);
      assertThat(browser.driver().findElement(By.cssSelector(".frame.match")).getText())
          .isEqualTo("Main.main");
      assertThat(browser.driver().findElement(By.cssSelector("tr.chosen")).getText())
          .startsWith("HashMap.hash");
      assertThat(
              browser
                  .driver()
                  .findElement(By.xpath("//button[.='Callers of HashMap.hash']"))
                  .getDomAttribute("aria-pressed"))
          .isEqualTo("true");
      assertQuiet(browser, page);
    }
  }

  @Test
  void methods_ofOneName_areChosenByKindAndFile() throws IOException {
    String native1 = "memcpy";
    String native2 = "memcpy ";
    String kernel = "memcpy  ";
    ProfileData profile =
        new ProfileData()
            .service("shop")
            .kinds(Map.of(native1, "native", native2, "native", kernel, "kernel"))
            .files(Map.of(native1, "libc.so.6", native2, "libz.so.1"))
            .sample(traceId(3), spanId(3), START, 4, List.of(MAIN, SORT, native1))
            .sample(traceId(3), spanId(3), START, 3, List.of(MAIN, SORT, native2))
            .sample(traceId(3), spanId(3), START, 2, List.of(MAIN, SORT, kernel, "clear_page"))
            .sample(traceId(3), spanId(3), START, 1, List.of(MAIN, HASH, kernel));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    String link;
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      awaitGraph(browser);
      assertThat(rows(browser))
          .extracting(row -> row.replaceFirst(" \\d.*", ""))
          .contains("memcpy (native, libc.so.6)", "memcpy (native, libz.so.1)", "memcpy (kernel)");
      click(browser, By.xpath("//td/button[.='memcpy (kernel)']"));
      assertThat(marked(browser)).containsOnly("memcpy [k]").hasSize(2);
      link = browser.driver().getCurrentUrl();
      click(browser, By.xpath("//td/button[.='memcpy (native, libz.so.1)']"));
      assertThat(marked(browser)).containsExactly("memcpy [n]");
      assertThat(width(browser, "Sort.sort")).isCloseTo(0.9, within(0.001));
      click(browser, By.xpath("//button[.='Callers of memcpy (native, libz.so.1)']"));
      assertThat(details(browser, "memcpy [n]")).contains(": 30.0 % of", "(native, libz.so.1)");
    }
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(link));
      awaitGraph(browser);
      assertThat(chosen(browser)).startsWith("memcpy (kernel)");
      click(browser, By.xpath("//button[.='Callers of memcpy (kernel)']"));
      assertThat(width(browser, "HashMap.hash")).isCloseTo(1 / 3.0, within(0.001));
      click(browser, By.xpath("//button[.='Callers above']"));
      frame(browser, "memcpy [k]").click();
      awaitView(browser);
      assertThat(details(browser, "memcpy [k]")).contains("(kernel)");
      assertThat(width(browser, "memcpy [k]")).as("zoomed").isEqualTo(1);
      link = browser.driver().getCurrentUrl();
      assertQuiet(browser, page);
    }
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(link));
      assertThat(width(browser, "memcpy [k]")).as("zoomed").isEqualTo(1);
      browser.open(URI.create(page.toUri() + "#endpoint/GET%20%2Fsearch/shop?method=memcpy"));
      awaitGraph(browser);
      assertThat(chosen(browser)).as("old link").startsWith("memcpy (native, libc.so.6)");
    }
  }

  private static List<String> marked(Browser browser) {
    return browser.driver().findElements(By.cssSelector(".frame.marked")).stream()
        .map(one -> one.getDomAttribute("data-name"))
        .toList();
  }

  private static String chosen(Browser browser) {
    return browser.driver().findElement(By.cssSelector("tr.chosen")).getText();
  }

  private static String details(Browser browser, String name) {
    return frame(browser, name).getAccessibleName();
  }

  @Test
  void graph_whenTheWindowBecomesNarrower_followsIt() throws IOException {
    Path page = page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      int wide = frame(browser, "GET /search").getSize().getWidth();
      browser.resize(700, 900);

      assertThat(frame(browser, "GET /search").getSize().getWidth())
          .isLessThan(700)
          .isLessThan(wide);
      assertThat(scrollWidth(browser)).isLessThanOrEqualTo(700);
      assertQuiet(browser, page);
    }
  }

  @Test
  void thread_withoutARequest_opensWithItsGraphAndMethods() throws IOException {
    ProfileData profile = new ProfileData().service("shop");
    profile.threadSample("C2 CompilerThre", START, 3, List.of("compile", EVIL));
    profile.threadSample("C2 CompilerThre", START, 1, List.of("compile"));
    profile.threadSample("GC#1", START, 2, List.of("mark"));
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    for (int width : new int[] {360, 1280, 2560}) {
      try (Browser browser = new Browser(width, 900, width == 360)) {
        browser.open(page);
        click(browser, "JIT C2");
        assertThat(title(browser)).isEqualTo("Thread JIT C2 of shop");
        assertThat(width(browser, "compile")).isEqualTo(1);
        assertThat(width(browser, EVIL)).isCloseTo(0.75, within(0.001));
        assertThat(rows(browser))
            .containsExactly(
                EVIL + " 30.0 ms 34.6 ms 75.0 % 30.0 ms 34.6 ms 75.0 % 3",
                "compile 10.0 ms 20.0 ms 25.0 % 40.0 ms 40.0 ms 100.0 % 4");
        assertThat(scrollWidth(browser)).isLessThanOrEqualTo(width);
        assertQuiet(browser, page);
      }
    }
  }

  @Test
  void framesThatAllSamplesShare_areOneUntilAskedFor() throws IOException {
    List<String> server =
        IntStream.range(0, 40).mapToObj(number -> "org.server.Handler" + number + ".x()").toList();
    List<String> search = new ArrayList<>(server);
    search.add("shop.Search.find()");
    ProfileData profile =
        new ProfileData()
            .sample(traceId(3), spanId(3), START, 2, search)
            .sample(traceId(3), spanId(3), START, 1, server);
    Path page = JoinRun.of(directory, CollectorFiles.json(profile.build(), Example.shop())).page();
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(page);
      click(browser, "GET /search");
      awaitGraph(browser);
      String folded = "(39 frames that all samples share)";
      assertThat(names(browser))
          .containsExactly("GET /search", folded, "Handler39.x", "Search.find");
      assertThat(frame(browser, folded).getAccessibleName())
          .contains("from org.server.Handler0.x() to org.server.Handler38.x()");
      assertThat(rows(browser)).hasSize(3);
      click(browser, By.xpath("//button[.='Shared frames']"));
      assertThat(names(browser)).hasSize(42).doesNotContain(folded);
      assertQuiet(browser, page);
    }
  }

  private static void filter(Browser browser, String text) {
    WebElement field =
        browser.driver().findElement(By.cssSelector("input[placeholder='Filter methods']"));
    field.clear();
    field.sendKeys(text.isEmpty() ? "x\b" : text);
  }

  private static List<String> names(Browser browser) {
    return browser.driver().findElements(By.cssSelector(".frame")).stream()
        .map(frame -> frame.getDomAttribute("data-name"))
        .toList();
  }

  private static List<String> rows(Browser browser) {
    return browser.driver().findElements(By.cssSelector(".methods tbody tr")).stream()
        .map(row -> row.getText().replace('\n', ' '))
        .toList();
  }
}
