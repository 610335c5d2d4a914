/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A process as {@code /proc} shows it. Methods neither stop it nor write into it. If its first
 * thread has ended, as that of some launchers does, it is seen through another one.
 */
public final class TargetProcess {
  /** The type of a datagram socket in {@code /proc/PID/net/unix}. */
  public static final String DATAGRAM = "0002";

  /** What helps if the kernel refuses to show something about a process. */
  public static final String RIGHTS =
      "Run the doctor as the user of the process, or as root on the host with CAP_SYS_PTRACE and"
          + " CAP_DAC_READ_SEARCH (docker run --cap-add); for files that were deleted, also with"
          + " CAP_CHECKPOINT_RESTORE. Another user namespace, a security module or"
          + " kernel.yama.ptrace_scope may forbid access nevertheless.";

  private static final int MAX_DESCRIPTORS = 100_000;
  private static final int MAX_SIZE = 16 << 20;

  public final int pid;
  private final Path process;
  private final Path directory;

  /** The start time in clock ticks since boot, or "" if it has ended. */
  private final String started;

  public TargetProcess(int pid) {
    this.pid = pid;
    process = Paths.get("/proc", Integer.toString(pid));
    Path live = process;
    for (int tid : isEnded(process) ? threadIds() : Collections.<Integer>emptySet()) {
      live = isEnded(process.resolve("task/" + tid)) ? live : process.resolve("task/" + tid);
    }
    directory = live;
    String stat = textOrNone(process.resolve("stat")); // the name may contain line breaks
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", 0);
    started = fields.length > 20 && !isEnded(directory) ? fields[20] : "";
  }

  /** Returns whether it has ended, also if another process has its number by now. */
  public boolean hasEnded() {
    return started.isEmpty() || !new TargetProcess(pid).started.equals(started);
  }

  private static boolean isEnded(Path directory) {
    return value(directory.resolve("status"), "State").matches("[ZX].*");
  }

  /** Returns all visible processes in the order of their process ids. */
  public static List<TargetProcess> all() throws IOException {
    return numbers(Paths.get("/proc")).stream().map(TargetProcess::new).collect(toList());
  }

  /** Returns the process that runs this code, or -1 if {@code /proc} is not readable. */
  public static TargetProcess self() {
    try {
      String name = Paths.get("/proc/self").toRealPath().getFileName().toString();
      return new TargetProcess(Integer.parseInt(name));
    } catch (IOException | NumberFormatException e) {
      return new TargetProcess(-1);
    }
  }

  /** Returns whether processes of other users are hidden, for example by hidepid. */
  public static boolean hidesOthers() {
    return !Files.isReadable(Paths.get("/proc/1/stat"));
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /**
   * Checks that the process id is that of a process that can be examined.
   *
   * @throws CouldNotLookException if it is not
   */
  public void checkIsRunning() throws CouldNotLookException {
    String group = status("Tgid");
    if (pid == 0 || !Files.isDirectory(process)) {
      throw new CouldNotLookException(
          "There is no process "
              + pid
              + " here. If it runs in a container, give its PID on the host, or run the doctor in"
              + " the container."
              + (hidesOthers()
                  ? " Or /proc is mounted with hidepid: run the doctor as root."
                  : ""));
    }
    if (!group.isEmpty() && !group.equals(Integer.toString(pid))) {
      throw new CouldNotLookException(pid + " is a thread of process " + group + ".");
    }
    if (started.isEmpty()) {
      throw new CouldNotLookException(pid + " has ended, but its parent has not waited for it.");
    }
    if (!status("State").isEmpty() && status("VmSize").isEmpty()) {
      throw new CouldNotLookException(pid + " is a kernel thread.");
    }
  }

  /**
   * Checks that the process runs.
   *
   * @throws CouldNotLookException if it has ended, also if another process has its number by now
   */
  public void checkHasNotEnded() throws CouldNotLookException {
    if (hasEnded()) {
      throw new CouldNotLookException("The process ended during the examination.");
    }
  }

  /** Returns why the process does nothing, or "". */
  public String halt() {
    return states().matches("[TtZX]*[Tt][TtZX]*")
        ? "all threads are stopped"
        : freezer().equals("frozen") ? "its cgroup is frozen" : "";
  }

  /** Returns whether all threads sleep or have ended, which includes a process that has ended. */
  public boolean isAsleep() {
    return states().matches("[SZX]*");
  }

  /** Returns a letter for the state of each thread. */
  private String states() {
    StringBuilder states = new StringBuilder();
    for (int tid : threadIds()) {
      String state = value(process.resolve("task/" + tid + "/status"), "State");
      states.append(state, 0, Math.min(1, state.length()));
    }
    return states.toString();
  }

  /** Returns whether the state of its cgroup can be read from here. */
  public boolean showsWhetherFrozen() {
    return !freezer().isEmpty();
  }

  /** Returns the state of its cgroup in either version, frozen or running, or "". */
  private String freezer() {
    String state = "";
    for (String line : textOrNone(file("cgroup")).split("\n", 0)) {
      String group = line.substring(line.indexOf(':', line.indexOf(':') + 1) + 1);
      boolean isOld = line.contains(":freezer:");
      if (isOld || line.startsWith("0::")) {
        Path directory = Paths.get("/sys/fs/cgroup" + (isOld ? "/freezer" : "") + group);
        String shown = textOrNone(directory.resolve(isOld ? "freezer.state" : "cgroup.events"));
        if (shown.matches("(?s)FROZEN.*|.*frozen 1.*")) {
          return "frozen";
        }
        // The root has no state, because it cannot be frozen.
        state = Files.exists(directory.resolve("cgroup.procs")) ? "running" : state;
      }
    }
    return state;
  }

  /**
   * Returns whether it has loaded a JVM, or, if that cannot be read, its program is called java.
   */
  public boolean isJava() {
    try {
      return mappings().stream().anyMatch(mapping -> mapping.fileName().equals("libjvm.so"));
    } catch (IOException e) {
      List<String> command = strings("cmdline");
      return !command.isEmpty() && ("/" + command.get(0)).endsWith("/java");
    }
  }

  /** Returns the mappings in the order of their addresses. */
  public List<Mapping> mappings() throws IOException {
    List<Mapping> mappings = new ArrayList<>();
    for (String line : text(file("maps"), UTF_8).split("\n", 0)) {
      try {
        mappings.add(Mapping.parse(line));
      } catch (RuntimeException e) {
        break; // the file is read only up to a limit, and ends within a line
      }
    }
    return mappings;
  }

  /**
   * Returns a path to the mapped file.
   *
   * @throws FileSystemException if the doctor cannot open it, or it was deleted
   */
  public Path open(Mapping mapping) throws IOException {
    Path link = process.resolve("map_files/" + mapping.linkName());
    if (Files.isReadable(link)) {
      return link;
    }
    if (mapping.isDeleted()) {
      throw new FileSystemException(mapping.path(), null, "deleted, and the mapping is closed");
    }
    Path file = RootedPath.in(this, mapping.path());
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(file)) {
      throw new FileSystemException(mapping.path(), null, "cannot be opened");
    }
    return file;
  }

  /** Returns a value of {@code /proc/PID/status}, or "". */
  public String status(String key) {
    return value(file("status"), key);
  }

  /** Returns its process ids in all PID namespaces: its /proc may be that of an outer one. */
  public List<String> pids() {
    return Arrays.asList((pid + "\t" + status("NSpid")).split("\\s+", 0));
  }

  private Set<Integer> threadIds() {
    try {
      return numbers(process.resolve("task"));
    } catch (IOException e) {
      return Collections.emptySet(); // it has ended
    }
  }

  /** Returns the thread ids: those in the process's PID namespace, mapped to the doctor's. */
  public Map<Integer, Integer> threads() {
    Map<Integer, Integer> threads = new LinkedHashMap<>();
    for (int tid : threadIds()) {
      String[] ids = value(process.resolve("task/" + tid + "/status"), "NSpid").split("\\s+", 0);
      String last = ids[ids.length - 1];
      threads.put(last.isEmpty() ? tid : Integer.parseInt(last), tid);
    }
    return threads;
  }

  /** Returns the name of a thread, or "" if it has ended. */
  public String threadName(int tid) {
    return textOrNone(process.resolve("task/" + tid + "/comm")).trim();
  }

  /** Returns the strings of a file that ends each with a NUL; none if it cannot be read. */
  public List<String> strings(String name) {
    String content = textOrNone(file(name));
    return content.isEmpty() ? Collections.emptyList() : Arrays.asList(content.split("\0", 0));
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
    String shown = new String(path.getBytes(UTF_8), ISO_8859_1);
    List<String[]> bound = new ArrayList<>();
    for (String line : text(file("net/unix"), ISO_8859_1).split("\n", 0)) {
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
    Set<Integer> descriptors = numbers(file("fd"));
    if (descriptors.size() > MAX_DESCRIPTORS) {
      throw new IOException("the process has more than " + MAX_DESCRIPTORS + " open files");
    }
    for (int descriptor : descriptors) {
      open.add(link("fd/" + descriptor));
    }
    open.removeIf(String::isEmpty);
    if (open.isEmpty() && !descriptors.isEmpty()) {
      throw new IOException("its open files cannot be read");
    }
    return open;
  }

  /** Returns the program and its main argument, in a form that fits into one line. */
  public String name() {
    List<String> command = strings("cmdline");
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

  private static Set<Integer> numbers(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.matches("\\d+"))
          .map(Integer::valueOf)
          .collect(toCollection(TreeSet::new));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns about the first 16 MiB of a file, whose size and content may change meanwhile. */
  public static String text(Path file, Charset charset) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0 && content.size() < MAX_SIZE; n = in.read(buffer)) {
        content.write(buffer, 0, n);
      }
    }
    return new String(content.toByteArray(), charset);
  }

  private static String textOrNone(Path file) {
    try {
      return text(file, UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns a value of a file in the format of {@code /proc/PID/status}, or "". */
  private static String value(Path file, String key) {
    for (String line : textOrNone(file).split("\n", 0)) {
      if (line.startsWith(key + ":")) {
        return line.substring(key.length() + 1).trim();
      }
    }
    return "";
  }
}
