/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.Results;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs the service that takes orders, with all settings for services that move from Elastic's
 * agent. Lets its callers send orders, and checks what the other services and the recording servers
 * receive.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class ElasticExample {
  private ElasticExample() {}

  /** The arguments are the service's class path, its settings file and the plug-in's version. */
  public static void main(String[] args) {
    System.exit(status(args));
  }

  private static int status(String[] args) {
    if (args.length != 3) {
      System.err.println("Usage: ElasticExample CLASS-PATH SETTINGS-FILE VERSION");
      return 2;
    }
    Results results = new Results();
    try {
      Settings settings = Settings.read(Path.of(args[1]));
      new SendingRuns(results, args[0], settings, args[2]).all();
      new SilentRuns(results, args[0], settings).all();
    } catch (IOException e) {
      System.err.println("The example failed: " + e.getMessage());
      return 2;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 2;
    }
    System.out.printf("%n%d checks failed%n", results.failed());
    return results.failed() == 0 ? 0 : 1;
  }
}
