/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.StreamSupport;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Headless Chromium, with a record of its log messages and requests. */
final class Browser implements AutoCloseable {
  private static final String MISSING =
      " is missing: install Chromium and its driver (Debian: chromium chromium-driver), or leave the"
          + " tests in a browser out by -Djoin.test.chromium=none";

  private final ChromeDriver driver;

  Browser(int width, int height, boolean dark) {
    File chromium = find(System.getProperty("join.test.chromium"));
    File chromedriver = find("chromedriver");
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
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  private static File find(String program) {
    Path named = Path.of(program);
    if (named.isAbsolute() && Files.isExecutable(named)) {
      return named.toFile();
    }
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      Path file = Path.of(directory, program);
      if (Files.isExecutable(file)) {
        return file.toFile();
      }
    }
    throw new AssertionError(program + MISSING);
  }

  ChromeDriver driver() {
    return driver;
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
