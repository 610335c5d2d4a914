/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import java.nio.file.FileSystemException;

/** What an exception says, as a part of a log line. */
public final class Reason {
  /**
   * Returns the message, and the class where there is none or it is only the name of a file, as in
   * most exceptions of file systems.
   */
  public static String of(Throwable e) {
    boolean saysWhy =
        e instanceof FileSystemException
            ? ((FileSystemException) e).getReason() != null
            : e.getMessage() != null;
    return saysWhy ? String.valueOf(e.getMessage()) : e.toString();
  }

  private Reason() {}
}
