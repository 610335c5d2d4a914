/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.causes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The answer to the first question, and to the one that it names next. */
record Questions(String endpoints, String question, String endpoint, String answer) {
  private static final long MAX_MINUTES = 3;
  private static final Pattern NEXT =
      Pattern.compile("Next: `(?<question>\\w+) --endpoint '(?<endpoint>[^']+)'");

  static Questions ask(Path jar, Path files) throws IOException, InterruptedException {
    String endpoints = answer(jar, List.of("endpoints", files.toString()));
    Matcher next = NEXT.matcher(endpoints);
    if (!next.find()) {
      return new Questions(endpoints, "none", "none", "");
    }
    String question = next.group("question");
    String endpoint = next.group("endpoint");
    return new Questions(
        endpoints,
        question,
        endpoint,
        answer(jar, List.of(question, "--endpoint", endpoint, files.toString())));
  }

  private static String answer(Path jar, List<String> question)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString()));
    command.addAll(question);
    Path output = Files.createTempFile("answer", ".md");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
      String answer = Files.readString(output);
      if (!ended || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + answer);
      }
      return answer;
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  /** The first row of the first table that names the method, from 1, or 0. */
  int row(String method) {
    List<String> rows =
        answer
            .lines()
            .dropWhile(line -> !line.startsWith("| ---"))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).replace("\\", "").contains(method)) {
        return i + 1;
      }
    }
    return 0;
  }

  @Override
  public String toString() {
    return endpoints + "\n" + question + " " + endpoint + "\n" + answer;
  }
}
