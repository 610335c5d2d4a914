/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaOptionsTest {
  @TempDir Path directory;

  private static List<String> options(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of("java"));
    command.addAll(List.of(arguments));
    return new JavaOptions(new TargetProcess(TargetProcess.self()), command, environment).all();
  }

  @Test
  void commandLine_upToTheMainClass_counts() {
    assertThat(options(Map.of(), "-Da=1", "-cp", "x.jar", "Main", "-Da=2"))
        .containsExactly("-Da=1", "-cp", "x.jar");
    assertThat(options(Map.of(), "-Da=1", "-jar", "x.jar", "-Da=2")).containsExactly("-Da=1");
    assertThat(options(Map.of(), "--add-opens", "java.base/x=y", "-Da=1", "-m", "m/Main", "-Db"))
        .containsExactly("--add-opens", "java.base/x=y", "-Da=1");
  }

  @Test
  void argumentFile_withQuotes_countsAsWritten() throws Exception {
    Path file = Files.writeString(directory.resolve("args"), "# none\n-Da='b c'\n-cp \"x y\"\n");

    assertThat(options(Map.of(), "@" + file, "Main", "-Dd"))
        .containsExactly("-Da=b c", "-cp", "x y");
  }

  @Test
  void environment_ofEachKind_countsInItsOrder() {
    Map<String, String> environment =
        Map.of(
            "JAVA_TOOL_OPTIONS", "-Da=1 '-Db=x y'",
            "JDK_JAVA_OPTIONS", "-Da=2",
            "_JAVA_OPTIONS", "-Da=4");

    assertThat(options(environment, "-Da=3", "Main"))
        .containsExactly("-Da=1", "-Db=x y", "-Da=2", "-Da=3", "-Da=4");
  }
}
