/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import io.flamespan.examples.demo.SentRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a page of flame graphs of the demo's shop as a user would: runs the shop with the embedded
 * profiler, which writes files, lets clients visit it, ends it, and makes the page from the files.
 * Then checks that files and page agree, and that each sample is at the endpoint whose method it
 * hit.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class EmbeddedPage {

  private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
  private final EmbeddedShop shop;
  private final Path pageJar;
  private final Path page;

  private EmbeddedPage(String classpath, Path pageJar, Path directory) {
    this.shop = new EmbeddedShop(java, classpath, directory);
    this.pageJar = pageJar;
    this.page = directory.resolve("page");
  }

  /**
   * Runs everything. The arguments are the class path of the shop with the embedded profiler, the
   * jar that makes the page, the directory for files, page and log, how many seconds clients visit
   * the shop, and how many samples a second of CPU time has.
   */
  public static void main(String[] args) throws InterruptedException {
    int status = 2;
    try {
      EmbeddedPage run = new EmbeddedPage(args[0], Path.of(args[1]), Path.of(args[2]));
      status = run.run(Duration.ofSeconds(number(args[3])), number(args[4]));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("The page was not made: " + e.getMessage());
    }
    System.exit(status);
  }

  static int number(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException(text + " is not a whole number from 1 to 9999");
    }
    return Integer.parseInt(text);
  }

  private int run(Duration load, int rate) throws IOException, InterruptedException {
    EmbeddedShop.delete(page);
    List<SentRequest> sent = shop.visit(load, rate);
    Path files = shop.files();
    List<String> command = List.of(java.toString(), "-jar", pageJar.toString());
    System.out.println(String.join(" ", command) + " --out " + page + " " + files);
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of("--out", page.toString(), files.toString()));
    int joined = new ProcessBuilder(whole).inheritIO().start().waitFor();
    if (joined == 2) {
      throw new IOException("the files could not be read; the shop's log is " + shop.log());
    }
    PageChecks checks = new PageChecks(WrittenFiles.read(files), page);
    int failed = checks.conclude(sent) + joined;
    if (failed > 0) {
      System.out.println("The shop's log is " + shop.log());
    }
    System.out.println("Page: file://" + page.resolve("flame-graphs.html").toAbsolutePath());
    return failed == 0 ? 0 : 1;
  }
}
