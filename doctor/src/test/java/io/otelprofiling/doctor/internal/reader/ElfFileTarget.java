/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.MadeUpMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with arbitrary bytes is read, or refused with an IOException. */
public final class ElfFileTarget {
  private static final String NAME = "elastic_apm_profiling_correlation_tls_v1";
  private static final Path FILE = temporary();

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Files.write(FILE, input);
    try {
      ElfFile elf = new ElfFile(FILE, MadeUpMapping.at(0x7f0000001000L, 0x3000), NAME, "a");
      boolean unused = elf.hasPointer(NAME) && elf.descriptor("a") != null;
    } catch (IOException e) {
      return; // refused
    }
  }

  private static Path temporary() {
    try {
      Path file = Files.createTempFile("fuzz", ".so");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private ElfFileTarget() {}
}
