/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The options that a JVM was started with: those before the main class, in argument files and in
 * the environment. Arguments after the main class belong to the application.
 */
final class JavaOptions {
  private static final String WITH_VALUE =
      "-cp|-classpath|-p|--(class-path|module-path|upgrade-module-path|add-modules|add-exports"
          + "|add-opens|add-reads|limit-modules|patch-module|enable-native-access|source)";
  private static final String MAIN = "-jar|-m|--module";

  private final TargetProcess process;
  private final List<String> command;
  private final Map<String, String> environment;
  private boolean isMainNamed;
  private String hiddenFile = "";

  /**
   * Creates a reader of the options of one process.
   *
   * @param command the command line of the process, the program first
   */
  JavaOptions(TargetProcess process, List<String> command, Map<String, String> environment) {
    this.process = process;
    this.command = command;
    this.environment = environment;
  }

  /** Returns the options in order: a later one overrides an earlier one. */
  List<String> all() {
    List<String> options = new ArrayList<>(variable("JAVA_TOOL_OPTIONS"));
    for (String word : variable("JDK_JAVA_OPTIONS")) {
      options.addAll(expanded(word));
    }
    List<String> words = new ArrayList<>();
    for (int i = 1; i < command.size() && !isMainNamed; i++) {
      words.addAll(expanded(command.get(i)));
      options.addAll(upToMain(words));
    }
    options.addAll(variable("_JAVA_OPTIONS"));
    return options;
  }

  /** Returns an argument file that the doctor does not have the right to read, or "". */
  String hiddenFile() {
    return hiddenFile;
  }

  /** Removes the options from the front of the words, except one whose value is still missing. */
  private List<String> upToMain(List<String> words) {
    List<String> options = new ArrayList<>();
    while (!words.isEmpty() && !isMainNamed) {
      String word = words.get(0);
      boolean hasValue = word.matches(WITH_VALUE);
      if (hasValue && words.size() == 1) {
        return options;
      }
      if (word.matches(MAIN) || !word.startsWith("-")) {
        isMainNamed = true;
        return options;
      }
      options.add(words.remove(0));
      if (hasValue) {
        options.add(words.remove(0));
      }
    }
    return options;
  }

  /** Returns the words of an argument file, or the word itself. */
  private List<String> expanded(String word) {
    if (!word.startsWith("@") || word.startsWith("@@")) {
      return Arrays.asList(word);
    }
    Path file = process.inRoot(process.absolute(word.substring(1)).toString());
    if (ProcFiles.isClosed(file)) {
      hiddenFile = word.substring(1);
    }
    String text = ProcFiles.untrusted(file);
    return text == null ? new ArrayList<>() : words(text.replaceAll("(?m)^\\s*#.*$", ""));
  }

  private List<String> variable(String name) {
    return words(environment.getOrDefault(name, ""));
  }

  /** Splits a text at white space outside of quotes, and removes the quotes. */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean isWord = false;
    for (char c : (text + " ").toCharArray()) {
      boolean quotes = c == '"' || c == '\'';
      if (quote == 0 && Character.isWhitespace(c)) {
        if (isWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        isWord = false;
      } else if (quotes && (quote == 0 || quote == c)) {
        quote = quote == 0 ? c : 0;
        isWord = true;
      } else {
        word.append(c);
        isWord = true;
      }
    }
    return words;
  }
}
