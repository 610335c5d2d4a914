/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Checks whether messages can arrive: the path, the file, the process that bound it, the queue. */
final class SocketSection {
  private static final String QUEUE = "/proc/sys/net/unix/max_dgram_qlen";
  private static final int SHORT_QUEUE = 64;
  private static final String FIND_OTHER =
      "find the process that has the other one open (ss -xlp), end it and remove its file. The"
          + " plug-in then binds its socket again.";
  private static final int TYPE_MASK = 0170000;
  private static final int SOCKET = 0140000;

  private final Subject subject;
  private final Report report;
  private final String path;

  private SocketSection(Subject subject, Report report, String path) {
    this.subject = subject;
    this.report = report;
    this.path = path;
  }

  static void examine(Subject subject, Report report) throws IOException {
    report.section("Socket");
    FoundProcessStorage storage = subject.storage;
    if (storage == null) {
      if (subject.isStorageHidden()) {
        report.couldNotLook(
            "socket.path", "the process data cannot be read", subject.rightsToRead());
      } else {
        report.notChecked("socket.path", "no process data that names one", "");
      }
      return;
    }
    new SocketSection(subject, report, storage.socketPath).examine();
  }

  private void examine() throws IOException {
    if (path.isEmpty() || path.charAt(0) != '/' || path.contains("/../") || path.indexOf(0) >= 0) {
      report.fault(
          "socket.path",
          path.isEmpty() ? "it is empty" : path + " is not absolute, or contains .. or NUL",
          "The library must publish the real path of its socket.");
      return;
    }
    report.ok("socket.path", path);
    Path file = subject.process.inRoot(path);
    if (directory(path.substring(0, path.lastIndexOf('/') + 1)) && file(file)) {
      bound();
    }
    queue();
  }

  private boolean directory(String shown) {
    Path directory = subject.process.inRoot(shown);
    if (ProcFiles.isHidden(directory)) {
      report.couldNotLook("socket.directory", shown + " cannot be read", subject.rightsToRead());
      return false;
    }
    if (!Files.isDirectory(directory)) {
      report.fault(
          "socket.directory",
          shown + " does not exist",
          "Create it again as the user of the process, and exclude it from the cleanup of temporary"
              + " files. The plug-in also creates it and binds its socket again, within a minute in"
              + " which local root spans start or end.");
      return false;
    }
    // A profiler would resolve a link from a different root directory than the process.
    Path link = subject.linkIn(shown);
    if (link != null) {
      report.fault(
          "socket.directory",
          link + " is a symbolic link",
          "Profilers resolve it from a different root directory: publish the real path.");
      return false;
    }
    int owner = ProcFiles.unix(directory, "uid");
    int mode = ProcFiles.unix(directory, "mode") & 0777;
    String seen = String.format("%s, user %d, mode %o", shown, owner, mode);
    if (owner != subject.process.user() && owner != 0) {
      report.fault(
          "socket.directory",
          seen + ", but the process is user " + subject.process.user(),
          "The owner can replace the socket: use a directory that belongs to the user of the"
              + " process.");
    } else if ((mode & 0022) != 0) {
      report.warning("socket.directory", seen, "Other users can replace the socket: set mode 700.");
    } else {
      report.ok("socket.directory", seen);
    }
    return true;
  }

  private boolean file(Path file) {
    if (ProcFiles.isHidden(file)) {
      report.couldNotLook("socket.file", path + " cannot be read", subject.rightsToRead());
      return false;
    }
    int mode = ProcFiles.unix(file, "mode");
    if (mode == -1) {
      report.fault(
          "socket.file",
          path + " does not exist",
          "Something has deleted it: exclude otel-profiling-* from the cleanup of temporary files."
              + " The plug-in binds it again, but messages sent in the meantime are lost.");
      return false;
    }
    String seen = String.format("user %d, mode %o", ProcFiles.unix(file, "uid"), mode & 0777);
    if ((mode & TYPE_MASK) != SOCKET || Files.isSymbolicLink(file)) {
      report.fault("socket.file", path + " is not a socket", "Remove this file.");
      return false;
    }
    int owner = ProcFiles.unix(file, "uid");
    if (owner != subject.process.user() || (mode & 0200) == 0) {
      report.fault(
          "socket.file",
          seen + ", but the process is user " + subject.process.user(),
          "The profiler rejects a socket that the user of the process cannot write to: correct its"
              + " owner or mode.");
      return false;
    }
    report.ok("socket.file", seen);
    return true;
  }

  private void bound() throws IOException {
    boolean isOurs = false;
    boolean isDatagram = true;
    List<String> open = subject.process.openFiles();
    List<String[]> bound = subject.process.boundTo(path);
    for (String[] socket : bound) {
      isOurs |= open.contains("socket:[" + socket[6] + "]");
      isDatagram = socket[4].equals(TargetProcess.DATAGRAM);
    }
    if (bound.isEmpty()) {
      report.fault(
          "socket.bound",
          "no socket is bound to it in this process's network namespace",
          "The file is a leftover of a process that has ended: restart this process.");
    } else if (!isDatagram) {
      report.fault(
          "socket.bound", "it is not a datagram socket", "The library must use SOCK_DGRAM.");
    } else if (!isOurs) {
      report.fault(
          "socket.bound",
          "another process has bound it",
          "Two processes use the same directory and name: give each a separate directory.");
    } else if (bound.size() > 1 && subject.answers == null) {
      report.couldNotLook(
          "socket.bound",
          bound.size() + " sockets have this path, and one of them belongs to this process",
          "All but one have lost their file: " + FIND_OTHER);
    } else if (bound.size() > 1 && Boolean.FALSE.equals(subject.answers)) {
      report.fault(
          "socket.bound",
          "another socket has taken its place: "
              + bound.size()
              + " sockets have this path, and the process does not answer there",
          "Another process receives its messages: " + FIND_OTHER);
    } else {
      report.ok("socket.bound", "by this process");
    }
  }

  /** Each network namespace has a separate value, which only processes in it can read. */
  private void queue() {
    String length = subject.inside.getOrDefault("max_dgram_qlen", "");
    String namespace = subject.process.link("ns/net");
    if (length.isEmpty()
        && namespace.equals(new TargetProcess(TargetProcess.self()).link("ns/net"))) {
      length = String.valueOf(ProcFiles.line(Paths.get(QUEUE)));
    }
    if (length.isEmpty()) {
      length = inNamespace();
    }
    if (!length.matches("\\d{1,9}")) {
      report.couldNotLook(
          "socket.queue",
          "the process is in another network namespace",
          "Its net.unix.max_dgram_qlen can only be read with nsenter, which must be installed. "
              + Right.remedy(subject.process, Right.TRACE, Right.ENTER_NAMESPACES));
    } else if (Integer.parseInt(length) < SHORT_QUEUE) {
      report.warning(
          "socket.queue",
          "net.unix.max_dgram_qlen is " + length + ", and profilers send a few hundred at once",
          "Set net.unix.max_dgram_qlen to 512 in the network namespace before the process starts.");
    } else {
      report.ok("socket.queue", length + " messages");
    }
  }

  private String inNamespace() {
    try {
      Process nsenter =
          new ProcessBuilder(
                  "nsenter", "-t", Integer.toString(subject.process.pid), "-n", "cat", QUEUE)
              .redirectErrorStream(true)
              .start();
      nsenter.getOutputStream().close();
      if (!nsenter.waitFor(1, TimeUnit.SECONDS)) {
        nsenter.destroyForcibly();
        return "";
      }
      byte[] buffer = new byte[64];
      int length = Math.max(nsenter.getInputStream().read(buffer), 0);
      return new String(buffer, 0, length, StandardCharsets.US_ASCII).trim();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
