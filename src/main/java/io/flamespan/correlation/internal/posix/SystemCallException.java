/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import java.io.IOException;

/** A failed system call. The message names the call and the error. Immutable. */
public final class SystemCallException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  /**
   * Creates an exception.
   *
   * @param errno as Linux numbers errors on x86-64 and arm64
   */
  public SystemCallException(String call, int errno) {
    super(call + ": " + Errno.name(errno));
    this.remedy = remedy(call, errno);
  }

  private static String remedy(String call, int errno) {
    switch (errno) {
      case Errno.EPERM:
      case Errno.ENOSYS:
        return "Allow this process the system call " + call + ", which a seccomp filter may forbid";
      case Errno.EAFNOSUPPORT:
        return "Allow this process the address family AF_UNIX, which RestrictAddressFamilies of"
            + " systemd or a seccomp filter may forbid";
      case Errno.ENFILE:
      case Errno.EMFILE:
        return "Raise the limit of open files, ulimit -n";
      case Errno.ENOMEM:
      case Errno.ENOBUFS:
        return "Give this process more memory";
      default:
        return "";
    }
  }

  /** Returns the remedy, without a full stop, or an empty string if it depends on the caller. */
  public String remedy() {
    return remedy;
  }
}
