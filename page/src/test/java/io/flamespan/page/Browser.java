/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Headless Chromium or Chrome, with a record of its log messages and requests. */
final class Browser implements AutoCloseable {
  private static final String DEFAULT = "chromium";
  private static final String CHROME = "google-chrome";
  private static final String DRIVER = "chromedriver";
  private static final String MISSING =
      " is missing: install Chromium or Chrome and its driver (Debian: chromium chromium-driver),"
          + " or leave the tests in a browser out by -Dpage.test.chromium=none";

  /** The directory of Chrome's driver, which GitHub's runners name. */
  private static final String DRIVER_DIRECTORY = System.getenv("CHROMEWEBDRIVER");

  private final ChromeDriver driver;
  private final List<Map<String, String>> features; // of the screen, for media queries

  Browser(int width, int height, boolean dark) {
    File chromium = browser(System.getProperty("page.test.chromium"));
    File chromedriver = driverOf(chromium);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-device-scale-factor=1",
        "--window-size=" + width + "," + height);
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(chromedriver).build(), options);
    features = List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"));
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", features));
    resize(width, height);
  }

  void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  private static File browser(String program) {
    Stream<String> names =
        !program.equals(DEFAULT)
            ? Stream.of(program)
            : DRIVER_DIRECTORY == null ? Stream.of(DEFAULT, CHROME) : Stream.of(CHROME, DEFAULT);
    return names
        .flatMap(name -> find(name).stream())
        .findFirst()
        .orElseThrow(() -> new AssertionError(program + MISSING));
  }

  /** A driver only works with a browser of the same version. */
  private static File driverOf(File browser) {
    Optional<File> ofChrome =
        Optional.ofNullable(DRIVER_DIRECTORY).flatMap(directory -> find(directory + "/" + DRIVER));
    Optional<File> first = browser.getName().startsWith(CHROME) ? ofChrome : Optional.empty();
    return first
        .or(() -> find(DRIVER))
        .or(() -> ofChrome)
        .orElseThrow(() -> new AssertionError(DRIVER + MISSING));
  }

  /** Finds a program by its path, or by its name in the directories of PATH. */
  private static Optional<File> find(String program) {
    return Stream.concat(Stream.of(""), Stream.of(System.getenv("PATH").split(File.pathSeparator)))
        .map(directory -> Path.of(directory, program))
        .filter(file -> file.isAbsolute() && Files.isExecutable(file))
        .map(Path::toFile)
        .findFirst();
  }

  ChromeDriver driver() {
    return driver;
  }

  /**
   * Records the texts that pages draw on canvases from now on, for {@link #drawnTexts}, and where
   * the longest of those that are aligned to the right begins.
   */
  void recordDrawnTexts() {
    driver.executeCdpCommand(
        "Page.addScriptToEvaluateOnNewDocument",
        Map.of(
            "source",
            "window.drawn = [];"
                + "const fillText = CanvasRenderingContext2D.prototype.fillText;"
                + "CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {"
                + "  window.drawn.push(text);"
                + "  window.ink = this.fillStyle;"
                + "  if (this.textAlign === 'right') {"
                + "    const left = x - this.measureText(text).width;"
                + "    window.leftmost = Math.min(window.leftmost ?? left, left);"
                + "  }"
                + "  return fillText.call(this, text, x, ...rest);"
                + "};"));
  }

  List<String> drawnTexts() {
    return ((List<?>) driver.executeScript("return window.drawn"))
        .stream().map(String::valueOf).toList();
  }

  double leftmostText() {
    return ((Number) driver.executeScript("return window.leftmost")).doubleValue();
  }

  /** Shows the page as it would be printed on paper of this width. */
  void print(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia", Map.of("media", "print", "features", features));
    resize(width, height);
  }

  void open(Path page) {
    open(page.toUri());
  }

  void open(URI page) {
    driver.get(page.toString());
  }

  /** Warnings and errors of the page and of its policy. */
  List<String> complaints() {
    return StreamSupport.stream(driver.manage().logs().get(LogType.BROWSER).spliterator(), false)
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** The addresses of all requests since the last call. */
  List<String> requests() {
    return StreamSupport.stream(
            driver.manage().logs().get(LogType.PERFORMANCE).spliterator(), false)
        .map(LogEntry::getMessage)
        .filter(message -> message.contains("\"Network.requestWillBeSent\""))
        .map(
            message ->
                message.replaceFirst(
                    "(?s).*\"documentURL\":\"([^\"]*)\".*\"url\":\"([^\"]*)\".*", "$2"))
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
