/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Names that a question has, whatever the locale: in one without UTF-8, as containers often have,
 * Java has lost the letters that are not ASCII.
 */
final class NamesInArguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private NamesInArguments() {}

  static String[] inUtf8(String[] arguments) {
    try {
      return inUtf8(arguments, new String(Files.readAllBytes(COMMAND_LINE), UTF_8).split("\0", -1));
    } catch (IOException e) {
      return arguments; // it is another system
    }
  }

  /** The command line ends with the arguments, and with an empty text. */
  static String[] inUtf8(String[] arguments, String[] commandLine) {
    String[] read = arguments.clone();
    int before = commandLine.length - 1 - arguments.length;
    for (int i = 1; i < arguments.length && before > 0; i++) {
      if (hasName(arguments[i - 1]) && hasName(commandLine[before + i - 1])) {
        read[i] = commandLine[before + i];
      }
    }
    return read;
  }

  private static boolean hasName(String option) {
    return AnswerCommand.PARAMETERS.contains(option) || option.equals(Arguments.FAIL_ABOVE);
  }
}
