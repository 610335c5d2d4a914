/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.correlation.internal.nativelib.SocketLibrary;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import io.otelprofiling.correlation.internal.posix.Errno;
import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.RootedPath;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What can be read of the socket to which profilers send messages. */
public final class SocketFacts {
  private static final String QUEUE = "/proc/sys/net/unix/max_dgram_qlen";
  private static final int QUEUED_MILLIS = 1500;
  private static final int BINDING_MILLIS = 7000;
  private static final int COUNTED_MILLIS = 1500;
  private static final int CLOCK_MILLIS = 50;
  private static final int EPROTOTYPE = 91;
  private static final String RECEIVED = "socket.received";

  /** A file or directory of the process. */
  static final class Place {
    final String path;
    final boolean exists;
    final int mode;
    final int user;
    final int group;
    final boolean isWritable;
    final boolean isOwn;
    final String link;

    Place(String path, boolean exists, Map<String, Object> found, String link, int[] ids) {
      this.path = path;
      this.exists = exists;
      this.link = link;
      mode = (int) found.getOrDefault("mode", 0);
      user = (int) found.getOrDefault("uid", -1);
      group = (int) found.getOrDefault("gid", -1);
      isOwn = user == ids[0] || user == 0;
      isWritable =
          ids[0] == 0
              || (mode & 0002) != 0
              || ((mode & 0200) != 0 && user == ids[0])
              || ((mode & 0020) != 0 && group == ids[1]);
    }

    boolean isOf(int type) {
      return (mode & 0170000) == type;
    }

    @Override
    public String toString() {
      return !exists
          ? path
          : String.format("%s, user %d, group %d, mode %o", path, user, group, mode & 07777);
    }
  }

  /** Who has bound the socket, by what happened to a datagram, or by the table of sockets. */
  enum Binding {
    ARRIVED("a datagram was sent there, and the plug-in has counted it"),
    BUSY("its queue stays full, but the plug-in counts what it reads"),
    TAKEN("its file is newer than the plug-in's socket, and a datagram went elsewhere"),
    UNCOUNTED("a datagram that was sent there was read, but not counted by the plug-in"),
    REFUSED("the kernel refuses messages: no process has this socket open"),
    QUEUED("a datagram that was sent there is not read, although threads of the process run"),
    HALTED("a datagram that was sent there is not read, but the process does not run either"),
    OWN("the only socket with this path in its network namespace is open in this process"),
    OTHER("the socket with this path is not among the open files of this process"),
    SEVERAL("several sockets have this path, and one of them is open in this process"),
    NO_DATAGRAM("the socket with this path is not a datagram socket"),
    NONE_HERE("no socket in its network namespace has this path");

    private final String text;

    Binding(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final Subject subject;
  final Fact<String> path;
  final Fact<Place> directory;
  final Fact<Place> file;
  final Fact<Binding> binding;

  SocketFacts(Subject subject) {
    this.subject = subject;
    path =
        subject.fact(
            "the path of the socket", () -> subject.storage.get().map(found -> found.socketPath));
    directory = subject.fact("the directory of the socket", () -> place(true));
    file = subject.fact("the file of the socket", () -> place(false));
    binding = subject.fact("the socket", BINDING_MILLIS, this::binding);
  }

  public static boolean isValid(String path) {
    return path.startsWith("/") && !(path + "/").contains("/../") && path.indexOf('\0') < 0;
  }

  /** Returns the path if it is valid, as another check reports one that is not. */
  private Evidence<String> validPath() {
    return path.get()
        .then(found -> isValid(found) ? Evidence.of(found) : Evidence.none("no valid path"));
  }

  private Evidence<Place> place(boolean isDirectory) throws IOException {
    Evidence<String> valid = validPath();
    String shown = valid.value;
    if (shown == null) {
      return valid.then(value -> Evidence.none(""));
    }
    String name = isDirectory ? shown.substring(0, shown.lastIndexOf('/') + 1) : shown;
    RootedPath rooted = RootedPath.of(subject.process, shown);
    Path path = isDirectory ? rooted.directory() : rooted.path;
    int[] ids = {subject.process.user(), subject.process.group()};
    try {
      return Evidence.of(new Place(name, true, ProcFiles.attributes(path), rooted.link, ids));
    } catch (NoSuchFileException e) {
      return Evidence.of(new Place(name, false, Collections.emptyMap(), rooted.link, ids));
    }
  }

  /** Returns whether there is a socket that its user may write to. */
  public boolean isSocket() {
    Place found = file.get().value;
    return found != null && ProcFiles.isSocket(found.mode) && found.isWritable;
  }

  private Evidence<Binding> binding() throws IOException {
    Evidence<String> valid = validPath();
    String shown = valid.value;
    Place found = file.get().value;
    if (shown == null) {
      return valid.then(value -> Evidence.none(""));
    }
    if (found == null || !found.exists || !ProcFiles.isSocket(found.mode)) {
      return file.get().then(value -> Evidence.none("no socket file"));
    }
    StatusBlock status = subject.status.get().value;
    boolean counts = status != null && status.isRunning() && !status.text(RECEIVED).isEmpty();
    return counts ? ask(shown) : look(shown);
  }

  /** Sends an empty datagram, which is no message, and looks who has received it. */
  private Evidence<Binding> ask(String shown) throws IOException {
    long before = received();
    long ranBefore = subject.process.switches();
    Deadline patience = new Deadline(3 * QUEUED_MILLIS); // the JVM may pause
    int error = deliver(shown, new byte[0], QUEUED_MILLIS);
    while (isQueued(error) && patience.millisLeft() > 0) {
      Subject.pause(10);
      error = deliver(shown, new byte[0], QUEUED_MILLIS);
    }
    boolean isQueued = isQueued(error);
    if (isQueued && received() != before) {
      return Evidence.of(Binding.BUSY);
    }
    if (error == 0) {
      Deadline end = new Deadline(COUNTED_MILLIS);
      while (received() == before && end.millisLeft() > 0) {
        Subject.pause(10);
      }
      if (received() != before) {
        return Evidence.of(Binding.ARRIVED);
      }
    } else if (error == Errno.ECONNREFUSED) {
      return Evidence.of(Binding.REFUSED);
    } else if (error == EPROTOTYPE) {
      return Evidence.of(Binding.NO_DATAGRAM);
    } else if (!isQueued) {
      return unsent(error);
    }
    if (subject.process.isFrozen() || subject.process.switches() == ranBefore) {
      return Evidence.of(Binding.HALTED);
    }
    long since = subject.readStatus().number("socket.bound.since");
    return Evidence.of(
        since > 0 && isNewer(shown, since)
            ? Binding.TAKEN
            : isQueued ? Binding.QUEUED : Binding.UNCOUNTED);
  }

  private static boolean isQueued(int error) {
    return error == Errno.ETIMEDOUT || error == Errno.EAGAIN;
  }

  /** Returns whether the file was created after the plug-in had bound its socket. */
  private boolean isNewer(String shown, long sinceMillis) throws IOException {
    Path path = RootedPath.of(subject.process, shown).path;
    FileTime created = (FileTime) ProcFiles.attributes(path).get("lastModifiedTime");
    return created != null && created.toMillis() > sinceMillis + CLOCK_MILLIS;
  }

  private Evidence<Binding> unsent(int error) {
    return Evidence.unread(
        "no datagram can be sent there from here: "
            + (error < 0 ? SocketLibrary.failure() : Errno.name(error)),
        error < 0
            ? "Give the doctor a directory for temporary files: java -Djava.io.tmpdir=…"
            : Right.remedy(subject.process, Right.WRITE_FILES));
  }

  private long received() throws IOException {
    // Not the fact, which was read before.
    return subject.readStatus().number(RECEIVED);
  }

  /** Looks for the socket in the table of its network namespace, without sending anything. */
  private Evidence<Binding> look(String shown) throws IOException {
    List<String[]> rows = subject.process.boundTo(shown);
    if (rows.isEmpty()) {
      return Evidence.of(isRefused(shown) ? Binding.REFUSED : Binding.NONE_HERE);
    }
    Evidence<List<String>> open = subject.openFiles.get();
    return open.map(
        files -> {
          boolean isOurs = false;
          for (String[] row : rows) {
            isOurs |= files.contains("socket:[" + row[6] + "]");
          }
          if (rows.size() > 1) { // one may be imitated by a path with a line break
            return isOurs ? Binding.SEVERAL : Binding.OTHER;
          }
          if (!rows.get(0)[4].equals(TargetProcess.DATAGRAM)) {
            return Binding.NO_DATAGRAM;
          }
          return isOurs ? Binding.OWN : Binding.OTHER;
        });
  }

  /** Returns whether the kernel refuses to connect, as no process has the socket open. */
  public boolean isRefused(String shown) throws IOException {
    SocketLibrary.load(ConfiguredDirectory.TEMPORARY);
    return SocketLibrary.isLoaded()
        && SocketLibrary.isRefused(RootedPath.of(subject.process, shown).path);
  }

  /**
   * Sends a datagram and waits until it is read.
   *
   * @param shown the path of the socket as the process sees it
   * @param patienceMillis how long to wait, or 0
   * @return 0 or an errno, ETIMEDOUT if it was not read in time, or -1 if nothing can be sent from
   *     here
   */
  public int deliver(String shown, byte[] datagram, int patienceMillis) throws IOException {
    RootedPath rooted = RootedPath.of(subject.process, shown);
    try {
      SocketLibrary.load(ConfiguredDirectory.TEMPORARY);
      return SocketLibrary.isLoaded()
          ? SocketLibrary.deliver(
              rooted.directory(), rooted.path.getFileName().toString(), datagram, patienceMillis)
          : -1;
    } catch (LinkageError e) {
      return -1;
    }
  }

  /** Returns how many messages the kernel keeps: of the process's network namespace. */
  Evidence<String> queue() {
    StatusBlock status = subject.status.get().value;
    String length = status == null ? "" : status.text("max_dgram_qlen");
    Path own = Paths.get(QUEUE);
    String namespace = subject.process.link("ns/net");
    TargetProcess self = new TargetProcess(TargetProcess.self());
    if (length.isEmpty() && !namespace.isEmpty() && namespace.equals(self.link("ns/net"))) {
      length = String.valueOf(ProcFiles.line(own));
    }
    return length.matches("\\d{1,9}")
        ? Evidence.of(length)
        : Evidence.unread(
            "the process is in another network namespace, and does not report it",
            "Run the doctor there: nsenter -t " + subject.process.pid + " -n cat " + QUEUE);
  }
}
