/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.util.Objects.requireNonNull;

import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.Errno;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.FoundProcessStorage;
import io.flamespan.doctor.internal.proc.StatusBlock;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What can be read of the socket to which profilers send messages. */
public final class SocketFacts {
  static final int EPROTOTYPE = 91;

  static final int PATIENCE_MILLIS = 5_000;
  private static final int COUNTED_MILLIS = 4_000;
  private static final int CLOCK_MILLIS = 50;
  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final String UNSENT = "no datagram can be sent there from here: ";
  private static final String TEMPORARY =
      "Give the doctor a directory for temporary files: java -Djava.io.tmpdir=DIRECTORY";
  static final String RECEIVED = "socket.received";
  static final String SINCE = "socket.bound.since";

  /** What a path leads to, in the root of the process. */
  enum Place {
    MISSING,
    NO_SOCKET,
    LINKED,
    SOCKET
  }

  /** Who has bound the socket, by what happens to a datagram or, without a status, a connection. */
  enum Binding {
    COUNTED,
    /** The plug-in has counted a datagram, maybe from a profiler that still has it open. */
    UNCLEAR,
    /** The datagram went elsewhere, and the file is newer than the plug-in's socket. */
    TAKEN,
    UNCOUNTED,
    UNREAD,
    REFUSED,
    NOT_REFUSED,
    NO_DATAGRAM
  }

  private final Subject subject;
  final Evidence<String> path;
  final Evidence<Place> place;
  private @Nullable Evidence<Binding> binding;

  SocketFacts(Subject subject) {
    this.subject = subject;
    path = subject.storage.map(data -> data.socketPath);
    Evidence<String> valid = path.only(FoundProcessStorage::isValid, "");
    place = subject.read("the file of the socket", () -> valid.then(this::place));
  }

  private Evidence<Place> place(String shown) throws IOException {
    try {
      Path file = subject.process.rooted(shown);
      int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      return Evidence.of((mode & TYPE) == SOCKET ? Place.SOCKET : Place.NO_SOCKET);
    } catch (TargetProcess.LinkException e) {
      return Evidence.of(Place.LINKED);
    } catch (NoSuchFileException e) {
      return Evidence.of(Place.MISSING);
    }
  }

  /** Returns whether a process has bound the socket, or nothing if the path leads elsewhere. */
  Evidence<Boolean> bound() throws IOException {
    return place.value == Place.MISSING
        ? Evidence.of(false)
        : place
            .only(found -> found == Place.SOCKET, "")
            .then(found -> file())
            .then(SocketFacts::accepts);
  }

  /** Returns the file, once the library is loaded that sends datagrams. */
  private Evidence<Path> file() throws IOException {
    SocketLibrary.load(ConfiguredDirectory.TEMPORARY);
    return SocketLibrary.isLoaded()
        ? Evidence.of(subject.process.rooted(path.read()))
        : Evidence.unread(UNSENT + SocketLibrary.failure(), TEMPORARY);
  }

  /** Returns whether the kernel accepts a connection, as some process has the socket open. */
  private static Evidence<Boolean> accepts(Path file) throws IOException {
    return Files.isWritable(file)
        ? Evidence.of(!SocketLibrary.isRefused(file))
        : unsent(Errno.EACCES);
  }

  /** Returns who has bound the socket, for which it may send a datagram, once. */
  Evidence<Binding> binding() throws IOException {
    if (binding == null) {
      StatusBlock status = subject.status.value;
      boolean counts =
          status != null
              && status.isRunning()
              && status.number(RECEIVED) != null
              && status.number(SINCE) != null;
      binding =
          place
              .only(found -> found == Place.SOCKET, "no socket file that is seen")
              .then(found -> file())
              .then(file -> counts ? ask() : accepts(file).map(SocketFacts::binding));
    }
    return binding;
  }

  private static Binding binding(boolean accepts) {
    return accepts ? Binding.NOT_REFUSED : Binding.REFUSED;
  }

  /** Sends an empty datagram, which is no message, and looks who has received it. */
  private Evidence<Binding> ask() throws IOException {
    long before = received();
    int error = deliver(new byte[0]);
    if (error == Errno.ECONNREFUSED || error == EPROTOTYPE) {
      return Evidence.of(error == EPROTOTYPE ? Binding.NO_DATAGRAM : Binding.REFUSED);
    }
    if (error != 0 && error != Errno.ETIMEDOUT && error != Errno.EAGAIN) {
      return unsent(error);
    }
    Deadline patience = new Deadline(error == 0 ? COUNTED_MILLIS : 0); // first it has to be read
    boolean isCounted = received() != before;
    while (!isCounted && patience.pause(10)) {
      isCounted = received() != before;
    }
    long created = Files.getLastModifiedTime(file().read(), LinkOption.NOFOLLOW_LINKS).toMillis();
    long since = number(SINCE);
    boolean isNewer = since > 0 && created > since + CLOCK_MILLIS;
    return Evidence.of(
        isCounted
            ? since > 0 && !isNewer ? Binding.COUNTED : Binding.UNCLEAR
            : isNewer && subject.process.halt().isEmpty()
                ? Binding.TAKEN
                : error == 0 ? Binding.UNCOUNTED : Binding.UNREAD);
  }

  private long received() throws IOException {
    return number(RECEIVED);
  }

  private long number(String key) throws IOException {
    Long number = subject.readStatus().read().number(key);
    if (number == null) {
      throw new IOException("the status has no " + key);
    }
    return number;
  }

  static <T> Evidence<T> unsent(int error) {
    return Evidence.unread(
        UNSENT + Errno.name(error),
        "Run the doctor as the user of the process, or as root with CAP_DAC_OVERRIDE.");
  }

  /**
   * Sends a datagram and waits until it is read.
   *
   * @return 0 or an errno, ETIMEDOUT if it was not read in time
   * @throws IOException if nothing can be sent from here
   */
  int deliver(byte[] datagram) throws IOException {
    Path file = file().read();
    return SocketLibrary.send(
        requireNonNull(file.getParent()), file.getFileName().toString(), datagram, PATIENCE_MILLIS);
  }
}
