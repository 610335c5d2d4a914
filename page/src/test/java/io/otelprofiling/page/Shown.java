/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page as a browser shows it. */
final class Shown {
  private Shown() {}

  static void assertQuiet(Browser browser, Path page) {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .isNotEmpty()
        .allMatch(
            address -> address.startsWith(page.toUri().toString()), "no request but the page");
  }

  static String title(Browser browser) {
    awaitView(browser);
    return browser.driver().findElement(By.id("title")).getText();
  }

  static String row(Browser browser, String endpoint) {
    return browser
        .driver()
        .findElement(By.linkText(endpoint))
        .findElement(By.xpath("./ancestor::tr"))
        .getText();
  }

  static void click(Browser browser, String link) {
    click(browser, By.linkText(link));
  }

  static void click(Browser browser, By element) {
    browser.driver().findElement(element).click();
    awaitView(browser);
  }

  /** Sends keys to the element that has the focus. */
  static void type(Browser browser, CharSequence... keys) {
    focused(browser).sendKeys(keys);
    awaitView(browser);
  }

  /** Waits for a view, which is drawn in a task after the address has changed. */
  static void awaitView(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
        .until(
            driver ->
                browser
                    .driver()
                    .executeScript("return document.body.dataset.shows === location.hash")
                    .equals(true));
  }

  static WebElement focused(Browser browser) {
    return browser.driver().switchTo().activeElement();
  }

  /** Waits until the graph with this frame is drawn. */
  static double width(Browser browser, String frame) {
    awaitGraph(browser);
    return browser.driver().findElements(By.cssSelector("g.frame")).stream()
        .filter(g -> frame.equals(g.getDomAttribute("name")))
        .mapToDouble(Shown::drawnWidth)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no frame " + frame));
  }

  /** Waits for the end of the graph's animation. */
  static void awaitGraph(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
        .ignoring(StaleElementReferenceException.class)
        .until(
            driver -> {
              List<WebElement> frames = driver.findElements(By.cssSelector("g.frame"));
              return !frames.isEmpty()
                  && frames.stream()
                      .allMatch(
                          g -> drawnWidth(g) == Double.parseDouble(g.getDomAttribute("width")));
            });
  }

  static void awaitCharts(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
        .until(driver -> driver.findElements(By.cssSelector(".chart canvas")).size() == 2);
  }

  static int scrollWidth(Browser browser) {
    return ((Number) browser.driver().executeScript("return document.documentElement.scrollWidth"))
        .intValue();
  }

  static double drawnWidth(WebElement frame) {
    String width = frame.findElement(By.tagName("rect")).getDomAttribute("width");
    return width == null ? -1 : Double.parseDouble(width);
  }
}
