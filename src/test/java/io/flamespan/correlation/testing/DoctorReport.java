/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The doctor's JSON report on a process. The doctor is started as users start it. */
public record DoctorReport(int status, String output, Map<String, Check> checks) {
  private static final int LIMIT_MINUTES = 2;
  private static final Pattern CHECK =
      Pattern.compile(
          "\\{\"id\":\"([^\"]*)\",\"verdict\":\"([^\"]*)\",\"seen\":\"((?:[^\"\\\\]|\\\\.)*)\","
              + "\"remedy\":\"((?:[^\"\\\\]|\\\\.)*)\"}");

  /** One check, in the doctor's words. */
  public record Check(String verdict, String seen, String remedy) {}

  /** Examines a process. */
  public static DoctorReport of(long pid, String... options) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(pid), "--json"));
    arguments.addAll(List.of(options));
    return run(List.of(), arguments);
  }

  /**
   * Runs the doctor.
   *
   * @param prefix words before the command, such as a program that starts the JVM as another user
   */
  public static DoctorReport run(List<String> prefix, List<String> arguments) {
    return run(jar(), prefix, arguments);
  }

  /** Runs the doctor from a copy of the jar. */
  public static DoctorReport run(String jar, List<String> prefix, List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(ChildJvm.BRIEF, "-jar", jar));
    command.addAll(arguments);
    return run(command);
  }

  /** Examines a process with another directory for temporary files. */
  public static DoctorReport in(Path temporary, long pid) {
    return run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + temporary,
            "-jar",
            jar(),
            Long.toString(pid),
            "--json"));
  }

  private static DoctorReport run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("the doctor still runs: " + output);
      }
      return new DoctorReport(process.exitValue(), output, parse(output));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the doctor's jar, which {@code make doctor} builds. */
  public static String jar() {
    String jar = System.getProperty("test.doctor");
    if (!Files.exists(Path.of(jar))) {
      throw new AssertionError(jar + " is missing: run make doctor first");
    }
    return jar;
  }

  private static Map<String, Check> parse(String json) {
    Map<String, Check> checks = new LinkedHashMap<>();
    Matcher matcher = CHECK.matcher(json);
    while (matcher.find()) {
      checks.put(matcher.group(1), new Check(matcher.group(2), matcher.group(3), matcher.group(4)));
    }
    return checks;
  }

  /** Returns the check with this id, which must exist. */
  public Check check(String id) {
    Check check = checks.get(id);
    if (check == null) {
      throw new AssertionError("no " + id + " in " + checks.keySet() + "\n" + output);
    }
    return check;
  }

  public String verdict(String id) {
    return check(id).verdict();
  }

  /** Asserts the exit status: 0 without a fault, 1 with one, 2 if the doctor could not look. */
  public DoctorReport exited(int expected) {
    assertThat(status).as(output).isEqualTo(expected);
    return this;
  }

  public DoctorReport withoutFault() {
    assertThat(output).doesNotContain("\"verdict\":\"fault\"");
    return this;
  }

  /** Asserts the verdict of these checks. */
  public DoctorReport says(String verdict, String... ids) {
    for (String id : ids) {
      assertThat(verdict(id)).as("%s in %s", id, output).isEqualTo(verdict);
    }
    return this;
  }

  /** Asserts that a check has seen something that contains this text. */
  public DoctorReport saw(String id, String... texts) {
    assertThat(check(id).seen()).as(id).contains(texts);
    return this;
  }

  /** Asserts that a check has a remedy that contains this text. */
  public DoctorReport advises(String id, String... texts) {
    assertThat(check(id).remedy()).as(id).contains(texts);
    return this;
  }

  /** Asserts that a check found a fault, and that the exit status says so. */
  public DoctorReport hasFault(String id, String seen, String remedy) {
    return exited(1).says("fault", id).saw(id, seen).advises(id, remedy);
  }

  /** Asserts that a check warned, and that no check found a fault. */
  public DoctorReport hasWarning(String id, String seen, String remedy) {
    return exited(0).says("warning", id).saw(id, seen).advises(id, remedy);
  }
}
