/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.cells;
import static io.flamespan.page.Shown.click;
import static io.flamespan.page.Shown.title;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.serve.PageServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page in a browser, while a process writes. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class FollowTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String LOST = "The server does not answer";

  @TempDir Path directory;

  private Path input;
  private PageServer server;
  private Thread following;
  private int port;

  @BeforeEach
  void start() throws Exception {
    input = Files.createDirectories(directory.resolve("input"));
    serve(TOKEN);
  }

  private void serve(String token) throws Exception {
    ServedFiles files = new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
    server = new PageServer(files, "127.0.0.1", OptionalInt.of(port), token, "1", line -> {});
    port = URI.create(server.address()).getPort();
    following = new Thread(server::follow);
    following.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.close();
    following.interrupt();
    following.join();
  }

  @Test
  void page_whileAProcessWrites_showsItAndKeepsWhereTheReaderIs() throws IOException {
    try (Browser browser = new Browser(1200, 500, false)) {
      browser.open(URI.create(server.addressWithToken()));
      await(browser, () -> browser.driver().getPageSource().contains("There is no file in"));
      for (int number = 1; number <= 12; number++) {
        write("GET /" + number, number, "tax");
      }
      await(browser, () -> !browser.driver().findElements(By.linkText("GET /12")).isEmpty());
      assertThat(browser.driver().getCurrentUrl())
          .startsWith(server.address())
          .doesNotContain("token");

      browser
          .driver()
          .findElement(By.cssSelector("[placeholder='Filter endpoints']"))
          .sendKeys("GET /1");
      browser.driver().executeScript("scrollTo(0, 120)");
      write("GET /1", 13, "tax");
      await(browser, () -> cells(browser, "GET /1").get(0).equals("2"));

      assertThat(scrolled(browser)).isEqualTo(120);
      assertThat(shownEndpoints(browser)).isEqualTo(4);
      assertThat(Shown.focused(browser).getDomProperty("value")).isEqualTo("GET /1");
      assertThat(Shown.focused(browser).getDomProperty("selectionStart")).isEqualTo("6");
      Shown.focused(browser).sendKeys("2");
      assertThat(shownEndpoints(browser)).isEqualTo(1);
      assertThat(browser.complaints()).isEmpty();
      assertThat(browser.requests())
          .isNotEmpty()
          .allMatch(address -> address.startsWith(server.address()), "no other server");
    }
  }

  @Test
  void graph_zoomed_staysWhileItGrows() throws IOException {
    write("GET /", 1, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "");
      click(browser, "GET /");
      awaitGraph(browser);
      click(browser, By.cssSelector(".frame[data-name='tax']"));
      String address = browser.driver().getCurrentUrl();
      assertThat(address).contains("zoom=");

      write("GET /", 2, "render");
      await(browser, () -> main(browser).contains("render"));

      assertThat(browser.driver().getCurrentUrl()).isEqualTo(address);
      awaitGraph(browser);
      assertThat(Shown.width(browser, "tax")).isEqualTo(1);
      assertThat(browser.driver().findElements(By.cssSelector(".frame[data-name='render']")))
          .isEmpty();
    }
  }

  @Test
  void bookmark_ofTheServer_isOneOfTheFile() throws IOException {
    write("GET /", 1, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "");
      click(browser, "GET /");
      String title = title(browser);
      String fragment = URI.create(browser.driver().getCurrentUrl()).getRawFragment();

      browser.open(URI.create(JoinRun.of(input).page().toUri() + "#" + fragment));
      assertThat(title(browser)).isEqualTo(title);
      open(browser, "#" + fragment);
      assertThat(title(browser)).isEqualTo(title);
      assertThat(browser.driver().findElement(By.linkText("Save")).getDomProperty("href"))
          .startsWith(server.address() + "flame-graphs.html");
    }
  }

  @Test
  void page_paused_staysAsItIs() throws IOException {
    write("GET /", 1, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "");
      click(browser, By.xpath("//button[text()='Pause']"));
      write("GET /", 2, "tax");
      Object before = version(browser);
      browser
          .driver()
          .executeAsyncScript(
              "setTimeout(arguments[arguments.length - 1], 3000)"); // three questions
      assertThat(version(browser)).isEqualTo(before);
      assertThat(browser.driver().findElements(By.linkText("Save the newest"))).hasSize(1);

      click(browser, By.xpath("//button[text()='Pause']"));
      assertThat(browser.driver().findElements(By.linkText("Save"))).hasSize(1);
      await(browser, () -> cells(browser, "GET /").get(0).equals("2"));
    }
  }

  @Test
  void page_withMarkedText_staysAsItIs() throws IOException {
    write("GET /", 1, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "");
      await(browser, () -> !browser.driver().findElements(By.linkText("GET /")).isEmpty());
      browser
          .driver()
          .executeScript("getSelection().selectAllChildren(document.querySelector('tbody a'))");
      await(browser, () -> state(browser).startsWith("Waits"));
      write("GET /", 2, "tax");
      assertThat(browser.driver().executeScript("return getSelection().toString()"))
          .isEqualTo("GET /");

      browser.driver().executeScript("getSelection().removeAllRanges()");
      await(browser, () -> cells(browser, "GET /").get(0).equals("2"));
      assertThat(state(browser)).isEqualTo("Live");
    }
  }

  @Test
  void page_onWhichABoxIsNamedOrDrawn_staysAsItIs() throws IOException {
    write("GET /", 1, "tax");
    write("GET /", 2, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "#slow/GET%20%2F/shop?box=none");
      await(browser, () -> main(browser).contains("All 2 requests have dots."));
      field(browser).sendKeys("1");
      browser.driver().executeScript("document.activeElement.blur()");
      await(browser, () -> state(browser).startsWith("Waits"));
      write("GET /", 3, "tax");
      assertThat(field(browser).getDomProperty("value")).isEqualTo("1");

      field(browser).sendKeys(Keys.BACK_SPACE);
      await(browser, () -> main(browser).contains("All 3 requests have dots."));

      field(browser).click();
      write("GET /", 4, "tax");
      await(browser, () -> main(browser).contains("All 4 requests have dots."));
      WebElement over = browser.driver().findElement(By.className("u-over"));
      field(browser).click();
      new Actions(browser.driver())
          .moveToElement(over)
          .clickAndHold()
          .moveByOffset(50, 0)
          .perform();
      await(browser, () -> state(browser).startsWith("Waits"));
      write("GET /", 5, "tax");
      assertThat(over.isDisplayed()).isTrue();
      new Actions(browser.driver()).release().perform();
      await(browser, () -> main(browser).contains("All 5 requests have dots."));
      assertThat(browser.driver().getCurrentUrl()).contains("box=").doesNotContain("box=none");
    }
  }

  private static WebElement field(Browser browser) {
    return browser.driver().findElement(By.cssSelector("[aria-label^='Duration from']"));
  }

  @Test
  void server_lost_isToldAndFoundAgain() throws Exception {
    write("GET /", 1, "tax");
    try (Browser browser = new Browser(1200, 900, false)) {
      open(browser, "");
      Files.delete(input.resolve("file"));
      Files.delete(input);
      await(browser, () -> main(browser).contains("not there or not readable any more"));
      assertThat(cells(browser, "GET /").get(0)).isEqualTo("1");

      stop();
      await(browser, () -> state(browser).startsWith(LOST));
      assertThat(cells(browser, "GET /").get(0)).isEqualTo("1");

      Files.createDirectories(input);
      write("GET /again", 2, "tax");
      serve(TOKEN);
      await(browser, () -> !browser.driver().findElements(By.linkText("GET /again")).isEmpty());
      await(browser, () -> state(browser).equals("Live"));

      stop();
      serve("another-token-of-this-run");
      await(browser, () -> state(browser).contains("open the address"));
    }
  }

  private void open(Browser browser, String fragment) {
    browser.open(URI.create(server.addressWithToken() + fragment));
    await(browser, () -> !browser.driver().findElements(By.linkText("Save")).isEmpty());
  }

  private void write(String endpoint, long number, String method) throws IOException {
    byte[] both = // at once, so that they are one version
        CollectorFiles.protobuf(
            new TraceData("shop").root(number, endpoint, START, START + 20 * MS).build(),
            new ProfileData()
                .service("shop")
                .sample(traceId(number), spanId(number), START, 2, List.of("main", method))
                .build());
    Files.write(input.resolve("file"), both, CREATE, APPEND);
  }

  private static void await(Browser browser, BooleanSupplier condition) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .ignoring(RuntimeException.class) // of an element that is replaced meanwhile
        .until(driver -> condition.getAsBoolean());
  }

  private static int shownEndpoints(Browser browser) {
    By rows = By.cssSelector("table[aria-label='Endpoints'] tbody tr");
    return browser.driver().findElements(rows).size();
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static String state(Browser browser) {
    return browser.driver().findElement(By.cssSelector(".live output")).getText();
  }

  private static Object version(Browser browser) {
    return browser.driver().executeScript("return document.body.dataset.version");
  }

  private static int scrolled(Browser browser) {
    return ((Number) browser.driver().executeScript("return Math.round(scrollY)")).intValue();
  }
}
