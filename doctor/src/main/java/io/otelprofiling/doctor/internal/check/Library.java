/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import org.jspecify.annotations.Nullable;

/** A mapped library of Elastic's protocol, and what profilers look for in it. Immutable. */
public final class Library {
  public final Mapping mapping;
  public final ElfFile.@Nullable Symbol storage;
  final ElfFile.@Nullable Symbol status;
  public final ElfFile.@Nullable Relocation relocation;
  final long bias;

  Library(
      Mapping mapping,
      ElfFile.@Nullable Symbol storage,
      ElfFile.@Nullable Symbol status,
      ElfFile.@Nullable Relocation relocation,
      long bias) {
    this.mapping = mapping;
    this.storage = storage;
    this.status = status;
    this.relocation = relocation;
    this.bias = bias;
  }

  /** Returns whether it exports the pointer to the process data. */
  public boolean hasPointer() {
    return storage != null && storage.size == 8 && !storage.isThreadLocal;
  }

  public boolean hasDescriptor() {
    return relocation != null && relocation.kind == TlsVariable.Kind.DESCRIPTOR;
  }
}
