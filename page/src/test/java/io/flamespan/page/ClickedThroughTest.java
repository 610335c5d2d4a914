/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.page.serve.PageServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A reader clicks through the page while processes write, and while disk and server fail. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class ClickedThroughTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final long INNER = 500_000_000; // added to the id of a root
  private static final String SCROLLED =
      "return [...document.querySelectorAll('body, body *')].filter((one) =>"
          + " one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML"
          + ".slice(0, 80))";

  /** Finds and clicks at once, as the element may be replaced in between. */
  private static final String CLICK =
      "const one = [...document.querySelectorAll(arguments[0])].find((one) =>"
          + " one.checkVisibility() && one.textContent.startsWith(arguments[1]));"
          + " one?.click(); return Boolean(one)";

  @TempDir Path directory;

  private final AtomicInteger begun = new AtomicInteger(); // requests
  private final AtomicInteger written = new AtomicInteger();
  private Path input;
  private PageServer server;
  private Thread following;
  private int port;

  @BeforeEach
  void start() throws Exception {
    input = Files.createDirectories(directory.resolve("input"));
    serve();
  }

  private void serve() throws Exception {
    ServedFiles files = new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
    server = new PageServer(files, "127.0.0.1", OptionalInt.of(port), TOKEN, "1", line -> {});
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

  @ParameterizedTest
  @ValueSource(ints = {360, 1280, 2560})
  void page_clickedThroughWhileTwoProcessesWrite_showsEachViewAndAllRequests(int width)
      throws Exception {
    List<Thread> writers = new ArrayList<>();
    for (String process : List.of("shop-1", "shop-2")) {
      writeInHalves(process);
      Thread writer = new Thread(() -> writeUntilInterrupted(process));
      writers.add(writer);
    }
    try (Browser browser = new Browser(width, 900, false)) {
      browser.open(URI.create(server.addressWithToken()));
      writers.forEach(Thread::start);
      clickThrough(browser);
      for (Thread writer : writers) {
        writer.interrupt();
        writer.join();
      }
      String all = String.valueOf(written.get());
      await(browser, () -> Shown.cells(browser, "GET /").get(0).equals(all));
      assertThat(browser.complaints()).isEmpty();

      browser.open(JoinRun.of(input).page());
      assertThat(Shown.cells(browser, "GET /").get(0)).isEqualTo(all);
      clickThrough(browser);
      assertThat(browser.complaints()).isEmpty();
    } finally {
      for (Thread writer : writers) {
        writer.interrupt();
        writer.join();
      }
    }
  }

  private static void clickThrough(Browser browser) {
    click(browser, "table[aria-label=Endpoints] a", "GET /");
    awaitTitle(browser, "GET /");
    click(browser, ".frame", "tax");
    await(browser, () -> browser.driver().getCurrentUrl().contains("zoom="));
    for (String view : List.of("Turned round", "Callers", "Callees")) {
      click(browser, "button", view);
    }
    click(browser, "button.plain", "tax");
    assertFits(browser);
    click(browser, "#path a", "All endpoints");
    awaitTitle(browser, "CPU time of endpoints");
    click(browser, "th button", "Requests");
    click(browser, "button", "allocated bytes");
    awaitTitle(browser, "Allocated bytes of endpoints");
    assertFits(browser);
    click(browser, "button", "CPU time");
    click(browser, "table[aria-label='Slowest requests'] a", "");
    await(browser, () -> browser.driver().getCurrentUrl().contains("#request/"));
    click(browser, ".spans a", "price");
    await(browser, () -> browser.driver().getCurrentUrl().contains("/span/"));
    assertFits(browser);
    browser.driver().navigate().back();
    browser.driver().navigate().back();
    awaitTitle(browser, "CPU time of endpoints");
    click(browser, "a", "Compare two ranges");
    await(browser, () -> browser.driver().getCurrentUrl().contains("#compare/"));
    assertFits(browser);
    browser.driver().navigate().back();
    awaitTitle(browser, "CPU time of endpoints");
  }

  @Test
  void server_startedAgainBelowAZoomedGraph_goesOnWhereTheReaderIs() throws Exception {
    writeInHalves("shop");
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(server.addressWithToken()));
      click(browser, "table[aria-label=Endpoints] a", "GET /");
      click(browser, ".frame", "tax");
      await(browser, () -> browser.driver().getCurrentUrl().contains("zoom="));
      String address = browser.driver().getCurrentUrl();

      stop();
      await(browser, () -> state(browser).startsWith("The server does not answer"));
      writeInHalves("shop");
      serve();

      await(browser, () -> state(browser).equals("Live") && main(browser).contains("2 requests"));
      assertThat(browser.driver().getCurrentUrl()).isEqualTo(address);
      assertThat(Shown.width(browser, "tax")).isEqualTo(1);
    }
  }

  @Test
  void directory_deletedAndMadeAgain_addsToWhatWasShown() throws Exception {
    writeInHalves("shop");
    try (Browser browser = new Browser(1280, 900, false)) {
      browser.open(URI.create(server.addressWithToken()));
      await(browser, () -> Shown.cells(browser, "GET /").get(0).equals("1"));
      Files.delete(input.resolve("shop"));
      Files.delete(input);
      await(browser, () -> main(browser).contains("not there or not readable any more"));

      Files.createDirectories(input);
      writeInHalves("shop");
      await(browser, () -> Shown.cells(browser, "GET /").get(0).equals("2"));
      assertThat(main(browser)).doesNotContain("not there or not readable any more");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** On a file system of 64 KB, which only root can mount. */
  @Test
  void disk_fullWhileAProcessWrites_costsOnlyWhatDidNotFit() throws Exception {
    assumeTrue(isDone("mount", "-t", "tmpfs", "-o", "size=64k", "none", input.toString()));
    try (Browser browser = new Browser(1280, 900, false)) {
      Path ballast = Files.write(input.resolve("summary.json"), new byte[40_000]); // is not read
      browser.open(URI.create(server.addressWithToken()));
      boolean fits = true;
      while (fits) {
        fits = writesWhole("shop-1");
      }
      String first = String.valueOf(written.get());
      await(browser, () -> Shown.cells(browser, "GET /").get(0).equals(first));

      byte[] begin = Arrays.copyOf(next(), 20); // of a process that is killed
      Files.write(input.resolve("shop-1"), begin, APPEND);
      Files.delete(ballast);
      while (written.get() < Integer.parseInt(first) + 3) {
        assertThat(writesWhole("shop-2")).isTrue();
      }
      String all = String.valueOf(written.get());
      await(browser, () -> Shown.cells(browser, "GET /").get(0).equals(all));
      assertThat(main(browser)).contains("ends within a message");
      assertThat(browser.complaints()).isEmpty();
    } finally {
      assertThat(isDone("umount", "-l", input.toString())).isTrue();
    }
  }

  private static boolean isDone(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }

  private static void click(Browser browser, String elements, String text) {
    await(
        browser,
        () -> browser.driver().executeScript(CLICK, elements, text).equals(true),
        elements + " " + text);
  }

  private static void awaitTitle(Browser browser, String begin) {
    await(browser, () -> Shown.title(browser).startsWith(begin), begin);
  }

  private static void assertFits(Browser browser) {
    assertThat((List<?>) browser.driver().executeScript(SCROLLED)).isEmpty();
  }

  private void writeUntilInterrupted(String process) {
    try {
      while (true) {
        writeInHalves(process);
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      // It has written whole messages.
    }
  }

  /** As a process writes that is seen at any time. */
  private void writeInHalves(String process) {
    byte[] next = next();
    int half = next.length / 2;
    try {
      Path file = input.resolve(process);
      Files.write(file, Arrays.copyOf(next, half), CREATE, APPEND);
      Files.write(file, Arrays.copyOfRange(next, half, next.length), CREATE, APPEND);
      written.incrementAndGet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether all of it could be written. Else takes it back, as the recorder does. */
  private boolean writesWhole(String process) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(next());
    try (FileChannel file = FileChannel.open(input.resolve(process), CREATE, WRITE)) {
      long before = file.size();
      file.position(before);
      try {
        while (rest.hasRemaining()) {
          file.write(rest);
        }
      } catch (IOException e) {
        file.truncate(before);
        return false;
      }
    }
    written.incrementAndGet();
    return true;
  }

  private byte[] next() {
    int number = begun.incrementAndGet();
    long start = START + number * 100 * MS;
    return CollectorFiles.protobuf(
        new TraceData("shop")
            .root(number, "GET /", start, start + 20 * MS)
            .span(
                traceId(number),
                spanId(number + INNER),
                spanId(number),
                LOCAL_PARENT,
                "price",
                start,
                start + 10 * MS)
            .build(),
        new ProfileData()
            .service("shop")
            .sample(traceId(number), spanId(number), start, 1, List.of("main", "tax"))
            .sample(traceId(number), spanId(number + INNER), start, 1, List.of("main", "tax"))
            .build(),
        new ProfileData()
            .service("shop")
            .type("alloc_space", "bytes")
            .value(traceId(number), spanId(number), 500, List.of("main", "tax"))
            .build());
  }

  private static void await(Browser browser, BooleanSupplier condition) {
    await(browser, condition, "a condition");
  }

  private static void await(Browser browser, BooleanSupplier condition, String what) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .ignoring(RuntimeException.class) // of an element that is replaced meanwhile
        .withMessage(() -> what + " at " + browser.driver().getCurrentUrl() + ": " + main(browser))
        .until(driver -> condition.getAsBoolean());
  }

  private static String main(Browser browser) {
    return browser.driver().findElement(By.id("main")).getText();
  }

  private static String state(Browser browser) {
    return browser.driver().findElement(By.cssSelector(".live output")).getText();
  }
}
