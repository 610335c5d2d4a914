/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static io.flamespan.correlation.testing.Waiting.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process that lives until it has been examined. It prints "ready" when it can be. */
public final class DoctorPatient implements AutoCloseable {
  private final Process process;
  private final Path log;

  private DoctorPatient(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  public static DoctorPatient start(List<String> command) {
    try {
      Path log = Files.createTempFile("patient", ".log");
      File output = log.toFile();
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
      DoctorPatient patient = new DoctorPatient(process, log);
      try {
        await()
            .alias("the process to be ready")
            .until(
                () ->
                    patient.output().lines().anyMatch(line -> line.equals("ready"))
                        || !process.isAlive());
      } catch (RuntimeException e) {
        process.destroyForcibly();
        throw new AssertionError(patient.output(), e);
      }
      if (!process.isAlive()) {
        throw new AssertionError("ended with " + process.exitValue() + ": " + patient.output());
      }
      return patient;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the id of the started process. If that is a launcher that stays, this is its id. */
  public long pid() {
    return process.pid();
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  public DoctorReport examine(String... options) {
    return DoctorReport.of(process.pid(), options);
  }

  /** Stops the process as a debugger does, and waits until it has stopped. */
  public void stop() {
    NativeProgram.run(List.of("kill", "-STOP", Long.toString(process.pid())));
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    await()
        .alias("the process to be stopped")
        .until(() -> Files.readString(status).contains("State:\tT"));
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(log);
  }
}
