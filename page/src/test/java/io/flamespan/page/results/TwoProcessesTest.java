/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of the same program, which number their names differently. */
class TwoProcessesTest {
  @TempDir private Path directory;

  @Test
  void names_ofTwoProcesses_differInNumbersAlone() throws Exception {
    List<String> one = lines();
    List<String> other = lines("with others before");

    Set<String> differing = new TreeSet<>(one);
    differing.removeAll(other);
    assertThat(String.join("\n", differing))
        .as("names that only one process has")
        .contains("$$Lambda", "$Proxy", "Hidden/", "$ByteBuddy$", "LambdaForm$", "Accessor")
        .contains("netty", "lz4", "client-");
    assertThat(comparable(other)).isEqualTo(comparable(one));
    assertThat(comparable(one)).contains("thread JIT C1", "thread JIT C2", "thread GC");
  }

  private static Set<String> comparable(List<String> lines) {
    Set<String> names = new TreeSet<>();
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      switch (parts[0]) {
        case "thread" -> names.add("thread " + ThreadName.of(parts[1]));
        case "library" -> {
          Frame frame = Frame.of(parts[2], parts[1], "native");
          names.add("library " + frame.name() + " " + frame.file());
        }
        default -> names.add("frame " + ComparableName.of(parts[1]));
      }
    }
    return names;
  }

  private List<String> lines(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseG1GC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                NumberedNames.class.getName()));
    command.addAll(List.of(arguments));
    File out = directory.resolve("out").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out).start();
    int status = process.waitFor();
    List<String> lines = Files.readAllLines(out.toPath());
    assertThat(status).as(String.join("\n", lines)).isZero();
    return lines.stream().filter(line -> line.contains("\t")).toList();
  }
}
