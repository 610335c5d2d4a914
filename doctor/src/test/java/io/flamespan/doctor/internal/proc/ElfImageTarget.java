/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.util.Arrays;

/** Memory with arbitrary bytes is read as a library, or refused with an IOException. */
public final class ElfImageTarget {
  private static final String NAME = "elastic_apm_profiling_correlation_tls_v1";
  private static final OwnMemory MEMORY = new OwnMemory();

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    MEMORY.write(Arrays.copyOf(input, Math.min(input.length, OwnMemory.SIZE)));
    try {
      ElfImage elf = new ElfImage(MEMORY.reader, MEMORY.address(), MEMORY.address(), NAME, "a");
      boolean unused = elf.hasPointer(NAME) && elf.descriptor("a") != null;
    } catch (IOException e) {
      return; // refused
    }
  }

  private ElfImageTarget() {}
}
