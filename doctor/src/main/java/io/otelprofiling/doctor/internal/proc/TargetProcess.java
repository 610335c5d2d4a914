/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A process as {@code /proc} shows it. Methods neither stop it nor write into it. If its first
 * thread has ended, as that of some launchers does, it is seen through another one.
 */
public final class TargetProcess {
  /** The type of a datagram socket in {@code /proc/PID/net/unix}. */
  public static final String DATAGRAM = "0002";

  private static final int MAX_DESCRIPTORS = 100_000;

  public final int pid;
  private final Path process;
  private final Path directory;

  public TargetProcess(int pid) {
    this.pid = pid;
    process = Paths.get("/proc", Integer.toString(pid));
    directory = isEnded(process) ? liveThread() : process;
  }

  private static boolean isEnded(Path directory) {
    String state = ProcFiles.value(directory.resolve("status"), "State");
    return state.startsWith("Z") || state.startsWith("X");
  }

  private Path liveThread() {
    try {
      for (int tid : numbers(process.resolve("task"))) {
        Path thread = process.resolve("task/" + tid);
        if (Files.exists(thread) && !isEnded(thread)) {
          return thread;
        }
      }
    } catch (IOException e) {
      return process;
    }
    return process;
  }

  /** Returns all visible processes in the order of their process ids. */
  public static List<TargetProcess> all() throws IOException {
    List<TargetProcess> found = new ArrayList<>();
    for (int pid : numbers(Paths.get("/proc"))) {
      found.add(new TargetProcess(pid));
    }
    return found;
  }

  /** Returns the id of the process that runs this code, or -1 if {@code /proc} is not readable. */
  public static int self() {
    try {
      return Integer.parseInt(Paths.get("/proc/self").toRealPath().getFileName().toString());
    } catch (IOException | NumberFormatException e) {
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

  public boolean exists() {
    return Files.isDirectory(process);
  }

  /** Returns why the process id does not belong to a process that can be examined, or "". */
  public String obstacle() {
    String group = status("Tgid");
    if (!group.isEmpty() && !group.equals(Integer.toString(pid))) {
      return "is a thread of process " + group;
    }
    if (isEnded(directory)) {
      return "has ended, but its parent has not waited for it";
    }
    return !status("State").isEmpty() && status("VmSize").isEmpty() ? "is a kernel thread" : "";
  }

  /** Returns the start time of the process in clock ticks since boot, or "" if it has ended. */
  public String startTime() {
    try {
      String stat = ProcFiles.text(process.resolve("stat")); // the name may contain line breaks
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", 0);
      return fields.length > 20 && !isEnded(directory) ? fields[20] : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns whether a signal or a debugger has stopped all threads; false if it has ended. */
  public boolean isStopped() {
    boolean isStopped = false;
    try {
      for (int tid : numbers(process.resolve("task"))) {
        String state = state(tid);
        if (!"TtZX".contains(state)) {
          return false;
        }
        isStopped |= "Tt".contains(state);
      }
    } catch (IOException e) {
      return false;
    }
    return isStopped;
  }

  /** Returns whether its cgroup is frozen, in either version; false if that cannot be read. */
  public boolean isFrozen() {
    try {
      for (String line : ProcFiles.text(file("cgroup")).split("\n", 0)) {
        String[] columns = line.split(":", 3);
        boolean isOld = columns.length == 3 && columns[1].equals("freezer");
        if (!isOld && !line.startsWith("0::")) {
          continue;
        }
        Path group = Paths.get("/sys/fs/cgroup" + (isOld ? "/freezer" : "") + columns[2]);
        String name = isOld ? "freezer.state" : "cgroup.events";
        if (Files.exists(group.resolve(name))
            && ProcFiles.text(group.resolve(name)).matches("(?s)FROZEN.*|.*frozen 1.*")) {
          return true;
        }
      }
    } catch (IOException | RuntimeException e) {
      return false;
    }
    return false;
  }

  /** Returns how often its threads have been given a CPU, of those that still live. */
  public long switches() throws IOException {
    long switches = 0;
    for (int tid : numbers(process.resolve("task"))) {
      Path status = process.resolve("task/" + tid + "/status");
      for (String kind : new String[] {"voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"}) {
        String count = ProcFiles.value(status, kind);
        switches += count.matches("\\d{1,18}") ? Long.parseLong(count) : 0;
      }
    }
    return switches;
  }

  /**
   * Returns whether it has loaded a JVM, or, if that cannot be read, its program is called java.
   */
  public boolean isJava() {
    try {
      return mappings().stream().anyMatch(mapping -> mapping.fileName().equals("libjvm.so"));
    } catch (IOException e) {
      List<String> command = commandLine();
      return !command.isEmpty() && ("/" + command.get(0)).endsWith("/java");
    }
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
   * Returns a path to the mapped file.
   *
   * @throws IOException if the doctor cannot name it, or it was deleted
   */
  public Path open(Mapping mapping) throws IOException {
    Path link = process.resolve("map_files/" + mapping.linkName());
    if (Files.isReadable(link)) {
      return link;
    }
    if (mapping.isDeleted()) {
      throw new IOException("the file was deleted, and its mapping cannot be opened");
    }
    Path file = RootedPath.of(this, mapping.path()).path;
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException("the file cannot be opened");
    }
    return file;
  }

  /** Returns a value of {@code /proc/PID/status}, or "". */
  public String status(String key) {
    return ProcFiles.value(file("status"), key);
  }

  /** Returns whether its effective set contains a capability. */
  public boolean hasCapability(int bit) {
    String effective = status("CapEff");
    return !effective.isEmpty() && (Long.parseUnsignedLong(effective, 16) >>> bit & 1) != 0;
  }

  /** Returns the effective user id, or -1. */
  public int user() {
    return second(status("Uid"));
  }

  /** Returns the effective group id, or -1. */
  public int group() {
    return second(status("Gid"));
  }

  private static int second(String numbers) {
    String[] ids = numbers.split("\\s+", 0);
    return ids.length > 1 ? Integer.parseInt(ids[1]) : -1;
  }

  /** Returns its process ids in all PID namespaces: its /proc may be that of an outer one. */
  public List<String> pids() {
    return Arrays.asList((pid + "\t" + status("NSpid")).split("\\s+", 0));
  }

  /** Returns the thread ids: those in the process's PID namespace, mapped to the doctor's. */
  public Map<Integer, Integer> threads() throws IOException {
    boolean sameNumbers = status("NSpid").split("\\s+", 0).length < 2;
    Map<Integer, Integer> threads = new LinkedHashMap<>();
    for (int tid : numbers(process.resolve("task"))) {
      Path status = process.resolve("task/" + tid + "/status");
      threads.put(sameNumbers ? tid : last(ProcFiles.value(status, "NSpid"), tid), tid);
    }
    return threads;
  }

  /** Returns whether all threads sleep or have ended, which includes a process that has ended. */
  public boolean isAsleep() throws IOException {
    for (int tid : numbers(process.resolve("task"))) {
      if (!"SZX".contains(state(tid))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the letter for the state of a thread, or "" if it has ended. */
  private String state(int tid) {
    String state = ProcFiles.value(process.resolve("task/" + tid + "/status"), "State");
    return state.isEmpty() ? "" : state.substring(0, 1);
  }

  public boolean hasThread(int tid) {
    return Files.exists(process.resolve("task/" + tid));
  }

  public String threadName(int tid) {
    String name = ProcFiles.line(process.resolve("task/" + tid + "/comm"));
    return name == null ? "" : name;
  }

  private static int last(String numbers, int otherwise) {
    String last = numbers.substring(numbers.lastIndexOf('\t') + 1).trim();
    return last.isEmpty() ? otherwise : Integer.parseInt(last);
  }

  public List<String> commandLine() {
    return ProcFiles.strings(file("cmdline"));
  }

  /** Returns the environment at the start of the process; empty if it cannot be read. */
  public Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String variable : ProcFiles.strings(file("environ"))) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return environment;
  }

  /** Returns whether the doctor does not have the right to see its environment. */
  public boolean hidesEnvironment() {
    try {
      ProcFiles.read(file("environ"));
      return false;
    } catch (IOException e) {
      return true;
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
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    String shown = new String(bytes, StandardCharsets.ISO_8859_1);
    List<String[]> bound = new ArrayList<>();
    for (String line : ProcFiles.lines(file("net/unix"), StandardCharsets.ISO_8859_1)) {
      String[] columns = line.trim().split(" +", 8);
      if (columns.length == 8 && columns[7].equals(shown)) {
        bound.add(columns);
      }
    }
    return bound;
  }

  /**
   * Returns the targets of the open file descriptors.
   *
   * @throws IOException if the doctor does not have the right to see them
   */
  public List<String> openFiles() throws IOException {
    List<String> open = new ArrayList<>();
    int descriptors = 0;
    for (int descriptor : numbers(file("fd"))) {
      String target = link("fd/" + descriptor);
      if (!target.isEmpty()) {
        open.add(target);
      }
      if (++descriptors > MAX_DESCRIPTORS) {
        throw new IOException("the process has more than " + MAX_DESCRIPTORS + " open files");
      }
    }
    if (descriptors > 0 && open.isEmpty()) {
      throw new IOException("its open files cannot be read");
    }
    return open;
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
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return numbers;
  }
}
