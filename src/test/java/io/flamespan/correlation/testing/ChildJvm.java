/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs a class of the tests in a separate JVM, with the plug-in on the class path. */
public final class ChildJvm {
  /** For processes that live for seconds: halves the CPU time that they spend on compilation. */
  public static final String BRIEF = "-XX:TieredStopAtLevel=1";

  private static final Pattern OF_JNR = Pattern.compile("/(?:jnr-[a-z]+|jffi|asm)-[^/]*\\.jar$");

  // Only ends a process that hangs. The limit allows for longer tests, as with test.samples and
  // test.races.
  private static final int LIMIT_MINUTES =
      3 + Integer.getInteger("test.samples", 0) / 5_000 + Integer.getInteger("test.races", 0) / 500;

  private final List<String> prefix = new ArrayList<>();
  private final List<String> jvmArguments = new ArrayList<>();
  private final List<String> environment = new ArrayList<>();

  private String java = "";
  private String classPathPrefix = "";
  private String missing = "";
  private String libraries = "";
  private String copies = "";

  /** The child's exit status, and its output on both streams. */
  public record Result(int status, String output) {
    /** Asserts that the child has ended with status 0. */
    public Result succeeded() {
      assertThat(status).as(output).isZero();
      return this;
    }

    public List<String> warnings() {
      return output.lines().filter(line -> line.startsWith("WARNING: ")).toList();
    }

    /** Asserts that one warning was logged, and that it contains these texts. */
    public void hasOneWarning(String... contents) {
      assertThat(warnings()).as(output).singleElement().asString().contains(contents);
      assertThat(output).doesNotContain("\tat ");
    }

    public void hasNoWarning() {
      assertThat(warnings()).as(output).isEmpty();
    }
  }

  /** Creates a brief JVM in which an autoconfigured SDK only exports spans, with this exporter. */
  public static ChildJvm exporting(String spanExporter) {
    return new ChildJvm()
        .jvmArgument(BRIEF)
        .property("otel.traces.exporter", spanExporter)
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none");
  }

  /** Puts words before the command, such as a program that starts the JVM. */
  public ChildJvm under(String... words) {
    prefix.addAll(List.of(words));
    return this;
  }

  /** Uses another java command than this JVM's. */
  public ChildJvm java(String command) {
    java = command;
    return this;
  }

  public ChildJvm jvmArgument(String argument) {
    jvmArguments.add(argument);
    return this;
  }

  /** Puts a jar, or a directory of classes and resources, first on the class path. */
  public ChildJvm firstOnClassPath(Path entry) {
    classPathPrefix = entry + File.pathSeparator;
    return this;
  }

  /** Omits an artifact from the class path. */
  public ChildJvm withoutOnClassPath(String artifact) {
    missing = artifact;
    return this;
  }

  /**
   * Replaces the libraries on the class path with those of a directory. The plug-in and the test
   * classes stay, and jnr, which these use.
   */
  public ChildJvm libraries(Path directory) {
    libraries = directory.resolve("*").toString();
    return this;
  }

  /** Uses this class path instead of that of the tests. */
  public ChildJvm classPath(String copied) {
    copies = copied;
    return this;
  }

  /** Passes a setting of the plug-in or of the SDK as a system property. */
  public ChildJvm property(String name, String value) {
    return jvmArgument("-D" + name + "=" + value);
  }

  /** Passes a setting of the plug-in, by its name without prefix. */
  public ChildJvm setting(String name, Object value) {
    return property(CorrelatedSdk.PREFIX + name, value.toString());
  }

  public ChildJvm environment(String name, String value) {
    environment.add(name);
    environment.add(value);
    return this;
  }

  public Result run(Class<?> main, String... arguments) {
    return run(main.getName(), arguments);
  }

  /** Runs a class that does not exist in this JVM. */
  public Result run(String main, String... arguments) {
    try {
      Path output = Files.createTempFile("child", ".log");
      Process process = start(output.toFile(), main, arguments);
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + Files.readString(output));
      }
      String text = Files.readString(output);
      Files.delete(output);
      return new Result(process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the whole command, for programs that start the JVM themselves. */
  public List<String> command(Class<?> main, String... arguments) {
    return command(main.getName(), arguments);
  }

  private List<String> command(String main, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    if (java.isEmpty()) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(nativeAccess("ALL-UNNAMED"));
    } else {
      command.add(java);
    }
    command.addAll(List.of("-Xcheck:jni", "-Xmx256m", "-cp"));
    command.add(classPathPrefix + classPath());
    command.addAll(jvmArguments);
    command.add(main);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns what spares a JVM of this version the JVM's own warning about native code. */
  public static List<String> nativeAccess(String modules) {
    return Runtime.version().feature() < 24
        ? List.of()
        : List.of("--enable-native-access=" + modules);
  }

  /** Returns the class path of the tests. */
  public static String wholeClassPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private String classPath() {
    String whole = copies.isEmpty() ? wholeClassPath() : copies;
    List<String> entries = List.of(whole.split(File.pathSeparator));
    if (!libraries.isEmpty()) {
      List<String> kept =
          entries.stream().filter(e -> e.contains("/target/") || OF_JNR.matcher(e).find()).toList();
      return String.join(File.pathSeparator, kept) + File.pathSeparator + libraries;
    }
    if (missing.isEmpty()) {
      return whole;
    }
    List<String> left =
        entries.stream()
            .filter(e -> !Path.of(e).getFileName().toString().startsWith(missing + "-"))
            .toList();
    if (left.size() == entries.size()) {
      throw new IllegalStateException("no " + missing + " on the class path " + whole);
    }
    return String.join(File.pathSeparator, left);
  }

  private Process start(File output, String main, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command(main, arguments));
    for (int i = 0; i < environment.size(); i += 2) {
      builder.environment().put(environment.get(i), environment.get(i + 1));
    }
    return builder.redirectErrorStream(true).redirectOutput(output).start();
  }
}
