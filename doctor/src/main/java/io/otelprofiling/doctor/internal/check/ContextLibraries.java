/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The libraries that define the pointer to thread contexts (OTEP 4947). */
final class ContextLibraries {
  final List<Mapping> found = new ArrayList<>();

  /** Mapped code that cannot be opened, and so may be such a library, or "". */
  String hidden = "";

  ElfFile.@Nullable Relocation relocation;
  long bias;

  void add(Mapping mapping, ElfFile elf) throws IOException {
    ElfFile.Symbol symbol = elf.symbol(Subject.CONTEXT_SYMBOL);
    ElfFile.Relocation relocates = symbol == null ? null : elf.relocation(Subject.CONTEXT_SYMBOL);
    if (symbol == null || symbol.size != 8 || relocates == null) {
      return;
    }
    if (found.isEmpty()) {
      bias = elf.loadBias(mapping);
      relocation = relocates;
    }
    found.add(mapping);
  }

  /** Notes a file that cannot be opened, if it has the suffix of a library. */
  void hide(Mapping mapping) {
    if (hidden.isEmpty() && mapping.fileName().contains(".so")) {
      hidden = mapping.path();
    }
  }

  /** Returns whether this library also defines the symbols of Elastic's protocol, by its name. */
  boolean isElastic() {
    return Subject.isLibrary(found.get(0).path());
  }

  @Override
  public String toString() {
    return found.size() == 1 ? found.get(0).path() : found.size() + " libraries";
  }
}
