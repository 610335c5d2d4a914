/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Shown.assertQuiet;
import static io.flamespan.page.Shown.awaitCharts;
import static io.flamespan.page.Shown.awaitGraph;
import static io.flamespan.page.Shown.click;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Pictures of the page, and of its file in speedscope. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class ScreenshotsTest {
  private static final int LARGEST_PICTURE = 150_000;

  @TempDir Path directory;

  /**
   * Shows other data if a directory is set, as `make -C examples/flame-graphs screenshots` does.
   */
  @Test
  void screenshots_ofTheOverviewAndTheSlowestRequest_areSmall() throws IOException {
    String input = System.getProperty("page.test.screenshot", "");
    JoinRun run = input.isEmpty() ? Example.run(directory) : JoinRun.of(Path.of(input));
    try (Browser browser = new Browser(1280, 800, false)) {
      browser.open(run.page());
      if (!input.isEmpty()) {
        awaitCharts(browser, 2);
      }
      takePicture(browser, "cpu-overview.png");
      click(browser, By.cssSelector("tbody a"));
      awaitGraph(browser);
      click(browser, By.cssSelector("tbody a"));
      awaitGraph(browser);
      takePicture(browser, "flame-graphs.png");
      assertQuiet(browser, run.page());
    }
  }

  private static void takePicture(Browser browser, String name) throws IOException {
    Path picture =
        Files.createDirectories(Path.of(System.getProperty("page.test.output"))).resolve(name);
    Object data =
        browser
            .driver()
            .executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"))
            .get("data");
    Files.write(picture, Base64.getDecoder().decode(String.valueOf(data)));

    assertThat(Files.size(picture)).isBetween(1_000L, (long) LARGEST_PICTURE);
  }

  @Test
  void speedscope_opensTheFile_withTheEndpointAsProfile() throws IOException {
    JoinRun run = Example.run(directory);
    // Like speedscope's command: its page reads a script with the file as base64.
    String base64 =
        Base64.getEncoder()
            .encodeToString(Files.readAllBytes(run.output().resolve("speedscope.json")));
    Path script = directory.resolve("profile.js");
    Files.writeString(
        script, "speedscope.loadFileFromBase64(\"speedscope.json\", \"" + base64 + "\")");
    Path page = Path.of(System.getProperty("page.test.speedscope"), "index.html");
    try (Browser browser = new Browser(1200, 900, false)) {
      browser.driver().get(page.toUri() + "#localProfilePath=" + script);

      new WebDriverWait(browser.driver(), Duration.ofMinutes(1))
          .until(
              driver ->
                  driver
                      .findElement(By.tagName("body"))
                      .getText()
                      .contains("GET /checkout of shop"));
    }
  }
}
