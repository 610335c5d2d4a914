/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.flamespan.page.serve.PageServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A reader of the served page chooses ranges of ClickHouse. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class ClickHouseRangeTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final long LATER = START + 10 * 60_000 * MS;
  private static final String FROM = "2026-01-01T00:05:00Z";
  private static final String TO = "2026-01-01T00:30:00Z";

  @TempDir Path directory;

  @Test
  void range_chosenOnThePage_isShownWhereTheReaderIsAndInTheAddress() throws Exception {
    try (ClickHouse clickHouse = new ClickHouse(directory)) {
      clickHouse.store(
          "otel",
          new TraceData("shop")
              .root(1, "GET /", START, START + 20 * MS)
              .root(2, "GET /", LATER, LATER + 20 * MS)
              .root(3, "GET /early", START, START + 20 * MS)
              .build(),
          profile(1, START, "early"),
          profile(2, LATER, "late"));
      String[] arguments = clickHouse.arguments("otel");
      ServedTables tables = new ServedTables(Arguments.of(arguments).clickHouse().orElseThrow());
      PageServer server =
          new PageServer(tables, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", line -> {});
      Thread following = new Thread(server::follow);
      following.start();
      try (server;
          tables;
          Browser browser = new Browser(1280, 900, false)) {
        choose(server, browser);
        assertThat(saved(server, "?from=" + FROM + "&to=" + TO))
            .isEqualTo(
                Files.readString(
                    JoinRun.with(
                            directory.resolve("page"),
                            clickHouse.arguments(
                                "otel", "--from", FROM, "--to", TO, "--time-limit", "600"))
                        .page()));
      } finally {
        following.interrupt();
        following.join();
      }
    }
  }

  private static void choose(PageServer server, Browser browser) {
    browser.open(URI.create(server.addressWithToken()));
    click(browser, "GET /");
    awaitGraph(browser);
    click(browser, By.cssSelector(".frame[data-name='tax']"));
    String fragment = URI.create(browser.driver().getCurrentUrl()).getRawFragment();
    assertThat(fragment).contains("zoom=");
    assertThat(main(browser)).contains("early");

    click(browser, By.cssSelector(".live summary"));
    assertThat(field(browser, "Range", 1).getDomProperty("value"))
        .isEqualTo("2025-12-31T23:59:00Z");
    fill(browser, "Range", FROM, TO);
    await(browser, () -> !main(browser).contains("early"));
    awaitGraph(browser);
    URI address = URI.create(browser.driver().getCurrentUrl());
    assertThat(address.getRawFragment()).isEqualTo(fragment);
    assertThat(address.getQuery()).isEqualTo("from=" + FROM + "&to=" + TO);
    assertThat(Shown.width(browser, "tax")).isEqualTo(1);
    assertThat(main(browser)).contains("late");
    assertThat(browser.driver().findElement(By.linkText("Save")).getDomProperty("href"))
        .endsWith("flame-graphs.html?" + address.getRawQuery());
    assertThat(browser.complaints()).isEmpty();

    browser.driver().navigate().back();
    await(browser, () -> main(browser).contains("early") && state(browser).equals("Live"));
    browser.open(address); // a bookmark
    await(browser, () -> main(browser).contains("late"));
    assertThat(main(browser)).doesNotContain("early");
    await(browser, () -> state(browser).equals("Live"));
    assertThat(browser.complaints()).isEmpty();

    List<String> unused = browser.requests();
    click(browser, By.xpath("//button[text()='Pause']"));
    await(
        browser,
        () -> browser.requests().stream().anyMatch(one -> one.contains("/data?keep&from=")));
    click(browser, By.xpath("//button[text()='Pause']"));

    click(browser, By.cssSelector(".live summary"));
    fill(browser, "Last minutes", "5");
    await(browser, () -> state(browser).contains("no span and no samples in this range"));
    assertThat(state(browser)).startsWith("-5m to now: ").contains("This is still " + FROM);
    assertThat(main(browser)).contains("late");
    fill(browser, "Range", "yesterday", "now");
    await(browser, () -> state(browser).contains("it has to be a time such as"));
  }

  private static void fill(Browser browser, String form, String... values) {
    for (int i = 0; i < values.length; i++) {
      WebElement field = field(browser, form, i + 1);
      field.clear();
      field.sendKeys(values[i]);
    }
    field(browser, form, 1).sendKeys(Keys.ENTER);
  }

  private static WebElement field(Browser browser, String form, int number) {
    return browser
        .driver()
        .findElement(
            By.cssSelector(
                "form[aria-label='" + form + "'] label:nth-of-type(" + number + ") input"));
  }

  private static Message profile(long number, long time, String method) {
    return new ProfileData()
        .time(time)
        .service("shop")
        .sample(traceId(number), spanId(number), time, 2, List.of("main", "tax", method))
        .build();
  }

  private static String saved(PageServer server, String query) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "flame-graphs.html" + query))
            .header("Authorization", "Bearer " + TOKEN)
            .build();
    HttpResponse.BodyHandler<String> text = HttpResponse.BodyHandlers.ofString();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, text);
    while (answer.body().startsWith("This range is read")) {
      answer = HttpClient.newHttpClient().send(request, text);
    }
    return answer.body();
  }

  private static void await(Browser browser, BooleanSupplier condition) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .ignoring(RuntimeException.class) // of an element that is replaced meanwhile
        .until(driver -> condition.getAsBoolean());
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static String state(Browser browser) {
    return browser.driver().findElement(By.cssSelector(".live output")).getText();
  }
}
