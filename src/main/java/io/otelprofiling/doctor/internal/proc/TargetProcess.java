/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A process as {@code /proc} shows it. Methods neither stop it nor write into it. */
public final class TargetProcess {
  /** The type of a datagram socket in {@code /proc/PID/net/unix}. */
  public static final String DATAGRAM = "0002";

  public final int pid;
  private final Path directory;

  public TargetProcess(int pid) {
    this.pid = pid;
    this.directory = Paths.get("/proc", Integer.toString(pid));
  }

  /** Returns the visible Java processes, except this one, in the order of their process ids. */
  public static List<TargetProcess> allJava() throws IOException {
    List<TargetProcess> found = new ArrayList<>();
    for (int pid : numbers(Paths.get("/proc"))) {
      TargetProcess process = new TargetProcess(pid);
      if (pid != self() && process.isJava()) {
        found.add(process);
      }
    }
    return found;
  }

  /** Returns the id of the process that runs this code, or -1 if {@code /proc} is not readable. */
  public static int self() {
    try {
      return Integer.parseInt(Paths.get("/proc/self").toRealPath().getFileName().toString());
    } catch (IOException e) {
      return -1;
    }
  }

  /**
   * Returns whether processes of other users are hidden from the doctor, for example by hidepid.
   */
  public static boolean hidesOthers() {
    return !Files.isReadable(Paths.get("/proc/1/stat"));
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /** Returns the path by which the doctor reaches an absolute path of the process. */
  public Path inRoot(String absolutePath) {
    try {
      return Paths.get(directory + "/root" + absolutePath);
    } catch (InvalidPathException e) {
      return directory.resolve("none");
    }
  }

  /**
   * Returns the absolute path that the process means, or one that does not exist if the doctor's
   * locale cannot represent it.
   */
  public Path absolute(String path) {
    try {
      return Paths.get(link("cwd")).resolve(path).normalize();
    } catch (InvalidPathException e) {
      return file("none");
    }
  }

  public boolean exists() {
    return Files.isDirectory(directory);
  }

  /** Returns why the process id does not belong to a process that can be examined, or "". */
  public String obstacle() {
    String group = status("Tgid");
    if (!group.isEmpty() && !group.equals(Integer.toString(pid))) {
      return "is a thread of process " + group;
    }
    if (status("State").matches("[ZX].*")) {
      return "has ended, but its parent has not waited for it";
    }
    return !status("State").isEmpty() && status("VmSize").isEmpty() ? "is a kernel thread" : "";
  }

  /** Returns the start time of the process in clock ticks since boot, or "" if it has ended. */
  public String startTime() {
    String stat = ProcFiles.line(file("stat"));
    String[] fields = stat == null ? new String[0] : stat.replaceFirst(".*\\) ", "").split(" ", 0);
    return fields.length > 19 && !fields[0].matches("[ZX]") ? fields[19] : "";
  }

  /** Returns whether a signal or a debugger has stopped it. */
  public boolean isStopped() {
    return status("State").matches("[Tt] .*");
  }

  /** Returns whether its cgroup is frozen, or false if that cannot be read. */
  public boolean isFrozen() {
    try {
      for (String line : ProcFiles.text(file("cgroup")).split("\n", 0)) {
        if (line.startsWith("0::")) {
          Path events = Paths.get("/sys/fs/cgroup" + line.substring(3), "cgroup.events");
          return ProcFiles.text(events).contains("frozen 1");
        }
      }
    } catch (IOException | RuntimeException e) {
      return false;
    }
    return false;
  }

  /**
   * Returns whether it has loaded a JVM, or, if that cannot be read, its program is called java.
   */
  public boolean isJava() {
    try {
      for (Mapping mapping : mappings()) {
        if (mapping.fileName().equals("libjvm.so")) {
          return true;
        }
      }
    } catch (IOException e) {
      List<String> command = commandLine();
      return !command.isEmpty() && command.get(0).matches("(.*/)?java");
    }
    return false;
  }

  /** Returns the mappings in the order of their addresses. */
  public List<Mapping> mappings() throws IOException {
    List<Mapping> mappings = new ArrayList<>();
    for (String line : ProcFiles.text(file("maps")).split("\n", 0)) {
      if (!line.isEmpty()) {
        try {
          mappings.add(Mapping.parse(line));
        } catch (RuntimeException e) {
          break; // the file is read only up to a limit, and ends within a line
        }
      }
    }
    return mappings;
  }

  /**
   * Returns a path to the mapped file, or null if the file was deleted and the doctor does not have
   * the right to open it.
   */
  public @Nullable Path open(Mapping mapping) {
    Path link = file("map_files/" + mapping.linkName());
    if (Files.isReadable(link)) {
      return link;
    }
    return mapping.isDeleted() ? null : inRoot(mapping.path());
  }

  /** Returns a value of {@code /proc/PID/status}, or "". */
  public String status(String key) {
    return status(file("status"), key);
  }

  private static String status(Path file, String key) {
    try {
      for (String line : ProcFiles.text(file).split("\n", 0)) {
        if (line.startsWith(key + ":")) {
          return line.substring(key.length() + 1).trim();
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }

  /** Returns whether its effective set contains a capability. */
  public boolean hasCapability(int bit) {
    String effective = status("CapEff");
    return !effective.isEmpty() && (Long.parseUnsignedLong(effective, 16) >>> bit & 1) != 0;
  }

  /** Returns the effective user id, or -1. */
  public int user() {
    String[] ids = status("Uid").split("\\s+", 0);
    return ids.length > 1 ? Integer.parseInt(ids[1]) : -1;
  }

  /** Returns the process id in the innermost PID namespace, which the process itself sees. */
  public int ownPid() {
    return last(status("NSpid"), pid);
  }

  /** Returns the thread ids: those in the process's PID namespace, mapped to the doctor's. */
  public Map<Integer, Integer> threads() throws IOException {
    boolean sameNumbers = status("NSpid").split("\\s+", 0).length < 2;
    Map<Integer, Integer> threads = new LinkedHashMap<>();
    for (int tid : numbers(file("task"))) {
      threads.put(
          sameNumbers ? tid : last(status(file("task/" + tid + "/status"), "NSpid"), tid), tid);
    }
    return threads;
  }

  /** Returns whether all threads sleep or have ended, which includes a process that has ended. */
  public boolean isAsleep() throws IOException {
    for (int tid : numbers(file("task"))) {
      if (!status(file("task/" + tid + "/status"), "State").matches("[SZX].*|")) {
        return false;
      }
    }
    return true;
  }

  public String threadName(int tid) {
    String name = ProcFiles.line(file("task/" + tid + "/comm"));
    return name == null ? "" : name;
  }

  private static int last(String numbers, int otherwise) {
    String last = numbers.substring(numbers.lastIndexOf('\t') + 1).trim();
    return last.isEmpty() ? otherwise : Integer.parseInt(last);
  }

  public List<String> commandLine() {
    return strings("cmdline");
  }

  /** Returns the environment at the start of the process; empty if it cannot be read. */
  public Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String variable : strings("environ")) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return environment;
  }

  private List<String> strings(String name) {
    try {
      return Arrays.asList(ProcFiles.text(file(name)).split("\0", 0));
    } catch (IOException e) {
      return Collections.emptyList();
    }
  }

  /** Returns the target of a link in the directory of the process, or "". */
  public String link(String name) {
    try {
      return Files.readSymbolicLink(file(name)).toString();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /**
   * Returns the columns of {@code /proc/PID/net/unix} for each socket that is bound to a path.
   * Containers that share a network namespace may have several.
   */
  public List<String[]> boundTo(String path) throws IOException {
    List<String[]> bound = new ArrayList<>();
    for (String line : ProcFiles.text(file("net/unix")).split("\n", 0)) {
      String[] columns = line.trim().split("\\s+", 8);
      if (columns.length == 8 && columns[7].equals(path)) {
        bound.add(columns);
      }
    }
    return bound;
  }

  /** Returns the targets of the open file descriptors that the doctor may see. */
  public List<String> openFiles() {
    List<String> open = new ArrayList<>();
    String[] names = file("fd").toFile().list();
    for (String name : names == null ? new String[0] : names) {
      open.add(link("fd/" + name));
    }
    open.removeIf(String::isEmpty);
    return open;
  }

  /** Returns whether the doctor does not have the right to see its open files. */
  public boolean hidesOpenFiles() {
    String[] names = file("fd").toFile().list();
    return names == null || (names.length > 0 && openFiles().isEmpty());
  }

  /** Returns whether the doctor does not have the right to see its environment. */
  public boolean hidesEnvironment() {
    return strings("environ").isEmpty();
  }

  /** Returns the program and its main argument, in a form that fits into one line. */
  public String name() {
    List<String> command = commandLine();
    String name = command.isEmpty() ? status("Name") : new File(command.get(0)).getName();
    for (int i = 1; i < command.size(); i++) {
      String argument = command.get(i);
      if (argument.matches("-cp|-classpath|-p|--(class-path|module-path|add-[a-z]+)")) {
        i++;
      } else if (!argument.startsWith("-") && !argument.startsWith("@")) {
        return name + " " + argument.substring(argument.lastIndexOf('/') + 1);
      }
    }
    return name;
  }

  private static Iterable<Integer> numbers(Path directory) throws IOException {
    TreeSet<Integer> numbers = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "[0-9]*")) {
      for (Path entry : entries) {
        numbers.add(Integer.valueOf(entry.getFileName().toString()));
      }
    }
    return numbers;
  }
}
