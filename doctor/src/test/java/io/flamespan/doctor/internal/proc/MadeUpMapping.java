/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

/** Mappings that exist in no process. */
public final class MadeUpMapping {
  /** Returns a code mapping of a file, from offset 0. */
  public static Mapping at(long address, long size) {
    return Mapping.parse(
        String.format("%x-%x r-xp 00000000 08:01 7 /file", address, address + size));
  }

  /** Returns a code mapping of a file with this name. */
  public static Mapping named(String path) {
    return Mapping.parse("1000-2000 r-xp 00000000 08:01 7 " + path);
  }

  private MadeUpMapping() {}
}
