/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles C code for tests, and checks what this machine has and allows. */
public final class NativeProgram {
  /** The compiler flags for the TLS model that profilers look for, and for the other one. */
  public static final String TLSDESC = isArm() ? "-mtls-dialect=desc" : "-mtls-dialect=gnu2";

  public static final String NO_TLSDESC = isArm() ? "-mtls-dialect=trad" : "-mtls-dialect=gnu";

  private static final String OURS =
      "/io/flamespan/correlation/internal/nativelib/elastic-jvmti-linux-%s.so";

  private NativeProgram() {}

  /** Returns a source file of the tests. */
  public static String source(String name) {
    return Path.of("src", "test", "native", name).toAbsolutePath().toString();
  }

  /** Compiles a program. Skips the test if the compiler is not installed. */
  public static Path compile(String compiler, Path output, String... arguments) {
    assumeWorks(compiler + " is not installed", compiler, "--version");
    List<String> command = new ArrayList<>(List.of(compiler, "-std=gnu11", "-O1", "-pthread"));
    command.addAll(List.of("-o", output.toString()));
    command.addAll(List.of(arguments));
    command.add("-ldl");
    Output result = run(command);
    if (result.status() != 0) {
      throw new IllegalArgumentException(result.text());
    }
    return output;
  }

  /** Compiles a shared library whose symbols are resolved when it is loaded. */
  public static Path library(String compiler, Path output, String... arguments) {
    List<String> all = new ArrayList<>(List.of("-shared", "-fPIC", "-Wl,-z,now"));
    all.addAll(List.of(arguments));
    return compile(compiler, output, all.toArray(new String[0]));
  }

  /** Copies the plug-in's library from the jar into a directory. */
  public static Path ours(Path directory) {
    String name = String.format(OURS, isArm() ? "arm64" : "x64");
    Path file = directory.resolve(name.substring(name.lastIndexOf('/') + 1));
    try (InputStream library = NativeProgram.class.getResourceAsStream(name)) {
      Files.copy(library, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  /** Skips the test unless this command works. */
  public static void assumeWorks(String reason, String... command) {
    boolean works;
    try {
      works = run(List.of(command)).status() == 0;
    } catch (UncheckedIOException e) {
      works = false;
    }
    assumeTrue(works, reason);
  }

  /** Runs a command that must succeed. */
  public static void check(String... command) {
    Output output = run(List.of(command));
    if (output.status() != 0) {
      throw new IllegalStateException(List.of(command) + ": " + output.text());
    }
  }

  /** The exit status of a command, and its output on both streams. */
  public record Output(int status, String text) {}

  public static Output run(List<String> command, String... environment) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    for (int i = 0; i < environment.length; i += 2) {
      builder.environment().put(environment[i], environment[i + 1]);
    }
    try {
      Process process = builder.start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Output(process.waitFor(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }
}
