/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

/** The error numbers of system calls, which are the same on Linux for x86-64 and arm64. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOSYS = 38;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int ENOBUFS = 105;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;

  private static final String NAMES =
      " EPERM=1 ENOENT=2 EAGAIN=11 ENOMEM=12 EACCES=13 EEXIST=17 ENOTDIR=20 EISDIR=21 EINVAL=22"
          + " ENFILE=23 EMFILE=24 ENOSPC=28 EROFS=30 ENAMETOOLONG=36 ENOSYS=38 ELOOP=40"
          + " ENOTSOCK=88 EMSGSIZE=90 EAFNOSUPPORT=97 EADDRINUSE=98 ENOBUFS=105 ETIMEDOUT=110"
          + " ECONNREFUSED=111 ";

  /** Returns a name such as {@code EACCES}, or {@code errno 71} for a rare error. */
  public static String name(int errno) {
    int end = NAMES.indexOf("=" + errno + " ");
    return end < 0 ? "errno " + errno : NAMES.substring(NAMES.lastIndexOf(' ', end) + 1, end);
  }

  private Errno() {}
}
