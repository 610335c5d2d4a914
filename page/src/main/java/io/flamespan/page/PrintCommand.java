/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Messages;
import io.flamespan.page.input.OtlpFile;
import io.flamespan.page.input.Problems;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.output.PrintedMessage;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Prints files of any form as OTLP JSON, a message a line. */
final class PrintCommand {
  static final String NAME = "print";

  private PrintCommand() {}

  /** The exit status: 0, or 2 if something could not be read. */
  static int run(List<String> files, PrintStream out, PrintStream err)
      throws IOException, Arguments.UsageException {
    if (files.isEmpty() || files.stream().anyMatch(file -> file.startsWith("--"))) {
      throw new Arguments.UsageException("print takes files and directories\n" + Arguments.USAGE);
    }
    Problems problems = new Problems();
    Messages messages =
        new Messages() {
          @Override
          public Message traces() {
            return new PrintedMessage(TracesData.getDescriptor(), out, problems);
          }

          @Override
          public Message profiles() {
            return new PrintedMessage(ProfilesData.getDescriptor(), out, problems);
          }
        };
    InputFiles.of(files.stream().map(Path::of).toList(), Outputs.names(), problems)
        .forEach(file -> OtlpFile.read(file, messages, problems));
    problems.lines().forEach(err::println);
    return problems.lines().isEmpty() ? 0 : 2;
  }
}
