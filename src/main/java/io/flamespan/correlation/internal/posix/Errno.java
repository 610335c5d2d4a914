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

  /** Returns a name such as {@code EACCES}, or {@code errno 71} for a rare error. */
  public static String name(int errno) {
    switch (errno) {
      case EPERM:
        return "EPERM";
      case 2:
        return "ENOENT";
      case EAGAIN:
        return "EAGAIN";
      case ENOMEM:
        return "ENOMEM";
      case EACCES:
        return "EACCES";
      case 17:
        return "EEXIST";
      case 20:
        return "ENOTDIR";
      case 21:
        return "EISDIR";
      case 22:
        return "EINVAL";
      case ENFILE:
        return "ENFILE";
      case EMFILE:
        return "EMFILE";
      case 28:
        return "ENOSPC";
      case 30:
        return "EROFS";
      case 36:
        return "ENAMETOOLONG";
      case ENOSYS:
        return "ENOSYS";
      case 40:
        return "ELOOP";
      case 88:
        return "ENOTSOCK";
      case 90:
        return "EMSGSIZE";
      case EAFNOSUPPORT:
        return "EAFNOSUPPORT";
      case EADDRINUSE:
        return "EADDRINUSE";
      case ENOBUFS:
        return "ENOBUFS";
      case ETIMEDOUT:
        return "ETIMEDOUT";
      case ECONNREFUSED:
        return "ECONNREFUSED";
      default:
        return "errno " + errno;
    }
  }

  private Errno() {}
}
