/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.LateClassLoadingApp;
import io.flamespan.correlation.apps.LateClassLoadingApp.Fault;
import io.flamespan.correlation.apps.LateClassLoadingApp.Step;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: no span is lost because a class of the plug-in cannot be loaded any more, for instance
 * because a deployment has replaced the jar in place.
 */
class LateClassLoadingTest {
  private static final String PLUGIN = "/flamespan-[^/]*\\.jar";

  // What fails to load there costs the profiler's view of a thread, and no span.
  private static final Pattern ONLY_SHOW = Pattern.compile("\\.internal\\.(context|protocol)\\.");

  @TempDir Path directory;

  @AutoClose("shutdownNow")
  private final ExecutorService threads = Executors.newFixedThreadPool(3);

  private ChildJvm application(String mode, String exporter, Path home) {
    try {
      Files.createDirectories(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ChildJvm.exporting(exporter)
        .classPath(String.join(File.pathSeparator, classPath(false)))
        .property("otel.bsp.schedule.delay", "10")
        .property(CorrelatedSdk.PREFIX + "socket.dir", home.toString())
        .setting("mbean.enabled", "true")
        .setting("enabled", mode);
  }

  private static List<String> classPath(boolean plugin) {
    return List.of(ChildJvm.wholeClassPath().split(File.pathSeparator)).stream()
        .filter(entry -> entry.matches(".*" + PLUGIN) == plugin)
        .toList();
  }

  private ChildJvm.Result run(ChildJvm application, Path home, Fault fault, Step before)
      throws IOException {
    Path copy = home.resolve("plugin.jar");
    Files.copy(Path.of(classPath(true).get(0)), copy);
    return application.run(LateClassLoadingApp.class, "" + copy, "" + fault, "" + before);
  }

  @ParameterizedTest
  @CsvSource({"GARBAGE, true, otlp", "REBUILT, auto, logging", "CLOSED, true, logging"})
  void span_whenClassesCannotBeLoadedAnyMore_isExported(Fault fault, String mode, String exporter)
      throws Exception {
    Map<Step, Future<ChildJvm.Result>> runs = new LinkedHashMap<>();
    for (Step before : Step.values()) {
      Path home = directory.resolve("" + before);
      ChildJvm application = application(mode, exporter, home);
      runs.put(before, threads.submit(() -> run(application, home, fault, before)));
    }
    List<String> lost = new ArrayList<>();
    for (Map.Entry<Step, Future<ChildJvm.Result>> run : runs.entrySet()) {
      ChildJvm.Result result = run.getValue().get();
      if (result.status() != 0
          || !result.output().contains("ended: 51, exported: 51")
          || result.output().contains("failed: ")) {
        String log = result.output().replaceAll("(?m)^(\\tat|\\t\\.\\.\\.|INFO|Caused).*\\R", "");
        lost.add(fault + " before " + run.getKey() + ": " + log);
      }
    }
    assertThat(lost).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "auto"})
  void classes_afterTheStart_areAllLoaded(String mode) throws IOException {
    ChildJvm application =
        application(mode, "otlp", directory)
            .setting("samples.metric.attributes", "http.route")
            .setting("samples.attribute", "samples")
            .setting("span.times", "all")
            .jvmArgument("-Xlog:class+load:stdout:none");
    ChildJvm.Result result = run(application, directory, Fault.NONE, Step.END).succeeded();

    assertThat(result.output())
        .contains("ended: 51, exported: 51", "ids: 2")
        .doesNotContain("failed: ");
    assertThat(loadedLate(result.output())).isEmpty();
  }

  /** Returns the classes that came from the plug-in's jar, each with the step that needed it. */
  private static List<String> loadedLate(String output) {
    List<String> late = new ArrayList<>();
    String step = "";
    for (String line : output.lines().toList()) {
      if (line.startsWith("step: ")) {
        step = line;
      } else if (!step.isEmpty()
          && line.endsWith("/plugin.jar")
          && !ONLY_SHOW.matcher(line).find()) {
        late.add(step + " " + line.split(" ")[0]);
      }
    }
    return late;
  }
}
