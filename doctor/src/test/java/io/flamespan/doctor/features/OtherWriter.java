/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.NativeProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small C program that publishes what Elastic's protocol requires, for profilers and the doctor.
 * Unlike the plug-in, it never repairs anything.
 */
final class OtherWriter {
  private final Path directory;
  private final String compiler;

  /** The socket of the process, in a separate directory. */
  public final Path socket;

  public OtherWriter(Path directory) {
    this(directory, "gcc", directory.resolve("d/a.sock"));
  }

  public OtherWriter(Path directory, String compiler, Path socket) {
    this.directory = directory;
    this.compiler = compiler;
    this.socket = socket;
  }

  /** Starts a process that breaks one rule of the protocol. */
  public static DoctorPatient breaking(String rule, Path directory) {
    return new OtherWriter(directory)
        .start(rule.equals("NO_TLSDESC") ? NativeProgram.NO_TLSDESC : "-D" + rule);
  }

  /**
   * Starts the process with a library built for it.
   *
   * @param switches compiler options; each {@code -D} breaks one rule
   */
  public DoctorPatient start(String... switches) {
    return DoctorPatient.start(command(switches));
  }

  public List<String> command(String... switches) {
    List<String> arguments = new ArrayList<>();
    if (!List.of(switches).contains(NativeProgram.NO_TLSDESC)) {
      arguments.add(NativeProgram.TLSDESC);
    }
    arguments.addAll(List.of(switches));
    arguments.addAll(List.of("-DLIBRARY", NativeProgram.source("writer.c")));
    Path file = directory.resolve("elastic-jvmti-linux-x.so");
    return command(NativeProgram.library(compiler, file, arguments.toArray(new String[0])));
  }

  /** Returns the command of an idle process that loads another library. */
  public List<String> command(Path library) {
    try {
      Files.createDirectories(socket.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path program = directory.resolve("writer");
    NativeProgram.compile(compiler, program, NativeProgram.source("writer.c"));
    return List.of(program.toString(), library.toString(), socket.toString());
  }
}
