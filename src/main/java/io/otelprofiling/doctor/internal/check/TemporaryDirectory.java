/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Finds out whether the process was able to write its status file. */
final class TemporaryDirectory {
  private static final int WRITABLE_BY_OWNER = 0200;
  private static final int WRITABLE_BY_OTHERS = 0002;
  private static final long STATUS_BYTES = 4096;
  private static final String NOT_WRITABLE = " is not writable for the user of the process";

  private final Subject subject;
  private final String path;
  private final Path directory;

  private TemporaryDirectory(Subject subject, String path) {
    this.subject = subject;
    this.path = path;
    this.directory = subject.process.inRoot(path);
  }

  static TemporaryDirectory of(Subject subject) {
    String configured = subject.property("java.io.tmpdir");
    String path = subject.process.absolute(configured == null ? "/tmp" : configured).toString();
    return new TemporaryDirectory(subject, path);
  }

  /** Returns what the doctor does not have the right to read on the way to the file, or "". */
  String hidden() {
    if (!subject.hiddenOptions.isEmpty()) {
      return subject.hiddenOptions;
    }
    return ProcFiles.isClosed(directory)
        ? path
        : ProcFiles.isClosed(own()) ? path + "/" + own().getFileName() : "";
  }

  private Path own() {
    return directory.resolve("otel-profiling-" + subject.process.user());
  }

  /** Returns why the process was not able to write its status, or "". */
  String obstacle() {
    if (!Files.exists(directory)) {
      return path + " does not exist";
    }
    if (!Files.isDirectory(directory)) {
      return path + " is not a directory";
    }
    if (isReadOnly()) {
      return path + " is on a file system that is mounted read-only";
    }
    Path own = own();
    if (Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
      return mayWrite(own) ? full() : path + "/" + own.getFileName() + NOT_WRITABLE;
    }
    return mayWrite(directory) ? full() : path + NOT_WRITABLE;
  }

  private boolean mayWrite(Path where) {
    int user = subject.process.user();
    int mode = ProcFiles.unix(where, "mode");
    return user == 0
        || (mode & WRITABLE_BY_OTHERS) != 0
        || (ProcFiles.unix(where, "uid") == user && (mode & WRITABLE_BY_OWNER) != 0);
  }

  private String full() {
    try {
      return Files.getFileStore(directory).getUsableSpace() < STATUS_BYTES ? path + " is full" : "";
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** Reads the options of the innermost mount that contains the directory: field 6 of its line. */
  private boolean isReadOnly() {
    String options = "";
    int longest = -1;
    try {
      for (String line : ProcFiles.text(subject.process.file("mountinfo")).split("\n", 0)) {
        String[] fields = line.split(" ", 7);
        String mount = fields.length < 7 ? "" : fields[4];
        boolean contains = mount.equals("/") || (path + "/").startsWith(mount + "/");
        if (!mount.isEmpty() && contains && mount.length() >= longest) {
          longest = mount.length();
          options = fields[5];
        }
      }
    } catch (IOException e) {
      return false;
    }
    return options.matches("ro(,.*)?");
  }
}
