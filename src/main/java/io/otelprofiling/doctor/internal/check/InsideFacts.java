/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.correlation.internal.posix.Errno;
import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Reads the status that the plug-in publishes: a file that it writes at its start, and again when a
 * datagram asks for it. Each class loader with the plug-in has one file.
 */
public final class InsideFacts {
  private static final int MESSAGE_TYPE = 0xd0c7;
  private static final long ANSWER_MILLIS = 5000;
  private static final int MAX_FILES = 16;
  private static final String DEAD_RECEIVER =
      "Messages are being lost. Look for the thread otel-profiling-correlation in a thread dump"
          + " (jcmd PID Thread.print), and check the CPU limit of the process.";

  private final Subject subject;

  /** Why the process could not be asked for its current status, or "". */
  public String problem = "";

  /** The verdict on the problem: could not look if the process may be fine. */
  Verdict verdict = Verdict.OK;

  /** What to do about the problem. */
  String remedy = "";

  public InsideFacts(Subject subject) {
    this.subject = subject;
  }

  /**
   * Asks each running copy of the plug-in for its status and waits up to 5 seconds for each answer.
   *
   * @return the status of each copy, old or new, the running one first
   */
  public List<Map<String, String>> ask() {
    List<Path> files = files();
    String namespace = subject.process.link("ns/pid");
    List<Map<String, String>> all = new ArrayList<>();
    for (Path file : files) {
      Map<String, String> facts = read(file);
      String socket = facts.getOrDefault("socket", "");
      // A restarted container may get the same process id and inherit the old file.
      if (facts.isEmpty() || !namespace.equals(facts.getOrDefault("pid.namespace", namespace))) {
        continue;
      }
      boolean isRunning = Subject.isServed(facts);
      if (isRunning && socket.startsWith("/")) {
        facts = answer(file, socket, facts);
      }
      all.add(isRunning ? 0 : all.size(), facts);
    }
    return all;
  }

  private Map<String, String> answer(Path file, String socket, Map<String, String> old) {
    if (subject.process.isStopped()) {
      return problem(old, Verdict.WARNING, "the process is stopped", "Send it SIGCONT.");
    }
    if (subject.process.isFrozen()) {
      return problem(old, Verdict.WARNING, "its cgroup is frozen", "Thaw the cgroup.");
    }
    ByteBuffer datagram = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
    long nonce = new Random().nextLong();
    datagram.putShort((short) MESSAGE_TYPE).putShort((short) 1);
    datagram.order(ByteOrder.BIG_ENDIAN).putLong(nonce);
    String asked = String.format("%016x", nonce);
    long sent = System.currentTimeMillis();
    try {
      int error = subject.send(socket, datagram.array());
      if (error < 0) {
        return problem(
            old,
            Verdict.COULD_NOT_LOOK,
            "the doctor cannot send messages",
            "The doctor needs a java.io.tmpdir that is not mounted noexec, and a socket path"
                + " without symbolic links.");
      }
      if (error == Errno.EACCES) {
        return problem(
            old,
            Verdict.COULD_NOT_LOOK,
            socket + " does not accept messages from this user",
            Right.remedy(subject.process, Right.TRACE, Right.WRITE_FILES));
      }
      if (error == Errno.EAGAIN) {
        return problem(
            old,
            Verdict.FAULT,
            "the queue of " + socket + " is full, and nothing reads from it",
            DEAD_RECEIVER);
      }
      if (error != 0) {
        return problem(
            old,
            Verdict.WARNING,
            socket + " does not accept messages (" + Errno.name(error) + ")",
            "See the section Socket.");
      }
      long end = sent + ANSWER_MILLIS;
      while (System.currentTimeMillis() < end) {
        Map<String, String> facts = read(file);
        // The answer to another doctor's question is as good.
        if (asked.equals(facts.get("asked")) || isLater(facts, sent)) {
          subject.answers = true;
          return facts;
        }
        Thread.sleep(5);
      }
      subject.answers = false;
      return problem(
          old,
          Verdict.FAULT,
          "the process runs, but has not answered within " + ANSWER_MILLIS / 1000 + " s",
          DEAD_RECEIVER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return old;
  }

  private Map<String, String> problem(
      Map<String, String> old, Verdict nowVerdict, String seen, String nowRemedy) {
    problem = seen;
    verdict = nowVerdict;
    remedy = nowRemedy;
    return old;
  }

  private List<Path> files() {
    String temporary = subject.property("java.io.tmpdir");
    Path parent =
        subject.process.inRoot(
            subject.process.absolute(temporary == null ? "/tmp" : temporary).toString());
    List<Path> files = new ArrayList<>();
    for (File directory : list(parent, "otel-profiling-")) {
      for (File file : list(directory.toPath(), "status-" + subject.process.ownPid() + "-")) {
        if (files.size() < MAX_FILES
            && ProcFiles.unix(file.toPath(), "uid") == subject.process.user()) {
          files.add(file.toPath());
        }
      }
    }
    return files;
  }

  private static boolean isLater(Map<String, String> facts, long millis) {
    String time = facts.getOrDefault("time", "");
    return !facts.getOrDefault("asked", "").isEmpty()
        && time.matches("\\d{1,18}")
        && Long.parseLong(time) > millis;
  }

  private static List<File> list(Path directory, String prefix) {
    List<File> found = new ArrayList<>();
    File[] files = directory.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      if (file.getName().startsWith(prefix)) {
        found.add(file);
      }
    }
    return found;
  }

  static Map<String, String> read(Path file) {
    Map<String, String> facts = new LinkedHashMap<>();
    String text = ProcFiles.untrusted(file);
    for (String line : text == null ? new String[0] : text.split("\n", 0)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        facts.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return facts;
  }
}
