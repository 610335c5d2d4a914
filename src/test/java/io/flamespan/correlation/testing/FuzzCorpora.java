/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The interesting inputs that fuzzers have found still cause no findings. Each corpus directory is
 * named after a class with {@code fuzzerTestOneInput(byte[])}.
 */
public abstract class FuzzCorpora {
  private static final Path CORPORA = Path.of("src", "test", "resources", "fuzz");

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @TestFactory
  List<DynamicTest> inputs_ofEachTarget_areHandled() throws IOException {
    return list(CORPORA).stream()
        .map(corpus -> DynamicTest.dynamicTest(corpus.getFileName() + "", () -> replay(corpus)))
        .toList();
  }

  @Test
  void corpora_existForAllTargets() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src", "test", "java"))) {
      long targets = sources.filter(file -> file.toString().endsWith("Target.java")).count();

      assertThat(list(CORPORA)).hasSize((int) targets);
    }
  }

  private static void replay(Path corpus) throws Exception {
    Class<?> target = Class.forName(corpus.getFileName().toString());
    Method method = target.getMethod("fuzzerTestOneInput", byte[].class);
    try (LogCapturer logs = new LogCapturer()) {
      assertThat(list(corpus)).isNotEmpty();
      for (Path input : list(corpus)) {
        try {
          method.invoke(null, (Object) Files.readAllBytes(input));
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(input.toString(), e.getCause());
        }
      }
    }
  }
}
