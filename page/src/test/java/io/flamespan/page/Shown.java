/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
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

  /** The cells of the endpoint's row, beginning with the third. */
  static List<String> cells(Browser browser, String endpoint) {
    return browser
        .driver()
        .findElement(By.linkText(endpoint))
        .findElements(By.xpath("./ancestor::tr/td"))
        .stream()
        .skip(2)
        .map(cell -> cell.getDomProperty("textContent"))
        .toList();
  }

  /** Waits until the address has changed, which may be after the click. */
  static void click(Browser browser, String link) {
    String before = browser.driver().getCurrentUrl();
    click(browser, By.linkText(link));
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .until(driver -> !before.equals(driver.getCurrentUrl()));
    awaitView(browser);
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

  /** Presses the key until an element with this beginning of its name has the focus. */
  static void tabTo(Browser browser, String name) {
    for (int i = 0; i < 40; i++) {
      type(browser, Keys.TAB);
      if (focused(browser).getAccessibleName().startsWith(name)) {
        return;
      }
    }
    throw new AssertionError("Tab does not reach " + name);
  }

  /** Waits for a view, which is drawn in a task after the address has changed. */
  static void awaitView(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
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

  /** The frame's share of the graph's width. Waits until the graph is drawn. */
  static double width(Browser browser, String frame) {
    return widthOf(frame(browser, frame));
  }

  static double widthOf(WebElement frame) {
    String style = frame.getDomAttribute("style");
    return Double.parseDouble(style.replaceFirst(".*\\bwidth: ([0-9.e-]+)%.*", "$1")) / 100;
  }

  static WebElement frame(Browser browser, String name) {
    awaitGraph(browser);
    Object found = // at once, as graphs are drawn again
        browser
            .driver()
            .executeScript(
                "return [...document.querySelectorAll('.frame')]"
                    + ".find((frame) => frame.dataset.name === arguments[0])",
                name);
    assertThat(found).as("frame %s", name).isNotNull();
    return (WebElement) found;
  }

  /** Waits until the graph is drawn, which is after its width is known. */
  static void awaitGraph(Browser browser) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .until(driver -> !driver.findElements(By.cssSelector(".frame")).isEmpty());
  }

  static void awaitCharts(Browser browser, int charts) {
    new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
        .until(driver -> driver.findElements(By.cssSelector(".chart canvas")).size() == charts);
  }

  static int scrollWidth(Browser browser) {
    return ((Number) browser.driver().executeScript("return document.documentElement.scrollWidth"))
        .intValue();
  }
}
