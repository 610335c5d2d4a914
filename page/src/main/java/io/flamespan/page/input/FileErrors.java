/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says what is wrong with a file, as the messages of many exceptions are only its path. */
public final class FileErrors {
  private FileErrors() {}

  public static String line(IOException e) {
    if (e instanceof FileSystemException of && of.getReason() == null) {
      return of.getFile() + ": " + reason(of);
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  @SuppressWarnings("NullAway") // it always has a cause
  public static String line(UncheckedIOException e) {
    return line(e.getCause());
  }

  private static String reason(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "this user may not access it";
    }
    if (e instanceof NoSuchFileException) {
      return "it does not exist";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it exists and is not a directory";
    }
    return e instanceof NotDirectoryException
        ? "it is not a directory"
        : "the system reports " + e.getClass().getSimpleName();
  }
}
