/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that prints lines, and sometimes waits for a line on its standard input. */
public final class RunningCommand implements AutoCloseable {
  // Only ends a process that hangs. The limit allows for longer tests, as with test.races.
  private static final int LIMIT_MINUTES = 5 + Integer.getInteger("test.races", 0) / 500;

  private final Process process;
  private final BufferedReader lines;

  private RunningCommand(Process process) {
    this.process = process;
    this.lines = process.inputReader();
    CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES)
        .execute(process::destroyForcibly);
  }

  public static RunningCommand start(List<String> command) {
    try {
      return new RunningCommand(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the numbers in the next line that starts with the first of these keys: "a=1 b=2". */
  public Map<String, Long> numbers(String first) {
    Map<String, Long> numbers = new HashMap<>();
    for (String entry : awaitLine(first + "=").split(" ")) {
      numbers.put(entry.replaceAll("=.*", ""), Long.valueOf(entry.replaceAll(".*=", "")));
    }
    return numbers;
  }

  /** Returns the next line with this prefix. */
  public String awaitLine(String beginning) {
    StringBuilder others = new StringBuilder();
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(beginning)) {
          return line;
        }
        others.append(line).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("ended without " + beginning + ": " + others);
  }

  public long pid() {
    return process.pid();
  }

  /** Writes the line that the process waits for. */
  public void goOn() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
