/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

/** One line of {@code /proc/PID/maps}. Immutable. */
public final class Mapping {
  private static final String DELETED = " (deleted)";

  public final long start;
  public final long end;
  public final long fileOffset;
  public final boolean executable;
  public final boolean writable;
  private final long inode;
  private final String device;
  private final String shownPath;

  private Mapping(String[] columns) {
    int dash = columns[0].indexOf('-');
    start = Long.parseUnsignedLong(columns[0].substring(0, dash), 16);
    end = Long.parseUnsignedLong(columns[0].substring(dash + 1), 16);
    writable = columns[1].charAt(1) == 'w';
    executable = columns[1].charAt(2) == 'x';
    fileOffset = Long.parseUnsignedLong(columns[2], 16);
    device = columns[3];
    inode = Long.parseLong(columns[4]);
    shownPath = columns.length > 5 ? columns[5] : "";
  }

  static Mapping parse(String line) {
    return new Mapping(line.trim().split(" +", 6));
  }

  /** Returns the path, or the name in brackets, without the suffix of a deleted file. */
  public String path() {
    return isDeleted() ? shownPath.substring(0, shownPath.length() - DELETED.length()) : shownPath;
  }

  public String fileName() {
    return path().substring(path().lastIndexOf('/') + 1);
  }

  /** Returns whether it has the name by which profilers find the library of Elastic's protocol. */
  public boolean isElastic() {
    return path().matches("(?s).*/elastic-jvmti-linux-[\\w-]*\\.so");
  }

  public boolean isLibc() {
    return fileName().matches("libc\\.so.*|libc-2.*|libpthread.*");
  }

  public boolean isDeleted() {
    return shownPath.endsWith(DELETED);
  }

  public boolean isMemfd() {
    return shownPath.startsWith("/memfd:");
  }

  /** Returns whether this is code of a file, where profilers look for symbols. */
  public boolean isCode() {
    return executable && inode != 0;
  }

  /** Returns what distinguishes its file from others, whatever their names. */
  public String file() {
    return device + ":" + inode;
  }

  /** Returns whether this is anonymous writable memory, which includes the stacks of threads. */
  public boolean isMemory() {
    return writable && inode == 0;
  }

  /** Returns whether that mapping is of the beginning of this file, and not after this one. */
  public boolean hasBeginningAt(Mapping other) {
    return other.fileOffset == 0 && other.start <= start && other.file().equals(file());
  }

  public String range() {
    return Long.toHexString(start) + "-" + Long.toHexString(end);
  }
}
