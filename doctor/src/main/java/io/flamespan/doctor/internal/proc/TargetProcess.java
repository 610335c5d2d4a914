/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A process as {@code /proc} shows it. Methods neither stop it nor write into it. If its first
 * thread has ended, as in some launchers, it is seen through another one.
 */
public final class TargetProcess {
  /** What helps if the kernel refuses to show something about a process. */
  public static final String RIGHTS =
      "Run the doctor as the user of the process, or as root on the host with CAP_SYS_PTRACE and"
          + " CAP_DAC_READ_SEARCH (docker run --cap-add). Another user namespace, a security"
          + " module or kernel.yama.ptrace_scope may forbid access nevertheless.";

  /** Why a path cannot be followed: what it leads to may differ for each reader. */
  public static final class LinkException extends FileSystemException {
    private static final long serialVersionUID = 1;

    LinkException(String path) {
      super(path, null, "it leads over a symbolic link");
    }
  }

  private static final String PERF_EVENT_PROGRAM = "7"; // BPF_PROG_TYPE_PERF_EVENT of linux/bpf.h
  private static final String FIRST_PID_NAMESPACE = "pid:[4026531836]"; // of linux/proc_ns.h
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

  /** Returns whether the doctor is root, and sees all processes of the host. */
  public static boolean seesHost() {
    TargetProcess self = self();
    return self.status("Uid").startsWith("0") && self.link("ns/pid").equals(FIRST_PID_NAMESPACE);
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /**
   * Finds a path of the process part by part, within its root directory.
   *
   * @return a path for the doctor; its last part may not exist, or be a link
   * @throws LinkException if an earlier part is a link, which the kernel would resolve in the
   *     doctor's root
   * @throws IOException if the doctor's locale cannot name a part
   */
  public Path rooted(String absolute) throws IOException {
    try {
      Path root = file("root");
      Path path = root;
      for (String part : absolute.split("/", 0)) {
        if (!path.equals(root) && Files.isSymbolicLink(path)) {
          throw new LinkException(absolute);
        }
        path = path.resolve(part).normalize();
      }
      if (!path.startsWith(root)) {
        throw new FileSystemException(absolute, null, "it leads out of the root directory");
      }
      return path;
    } catch (InvalidPathException e) {
      throw new FileSystemException(absolute, null, "the doctor's locale cannot name it");
    }
  }

  /** Returns why this is no process that can be examined, or "". */
  public String obstacle() {
    String group = status("Tgid");
    if (pid == 0 || !Files.isDirectory(process)) {
      return "There is no process "
          + pid
          + " here. If it runs in a container, give its PID on the host, or run the doctor in the"
          + " container."
          + (hidesOthers() ? " Or /proc is mounted with hidepid: run the doctor as root." : "");
    }
    if (!group.isEmpty() && !group.equals(Integer.toString(pid))) {
      return pid + " is a thread of process " + group + ".";
    }
    return started.isEmpty() ? pid + " has ended, but its parent has not waited for it." : "";
  }

  /** Returns why the process does nothing, or "". The old freezer puts threads into state D. */
  public String halt() {
    String states =
        threadIds().stream()
            .map(tid -> value(process.resolve("task/" + tid + "/status"), "State"))
            .map(state -> state.substring(0, Math.min(1, state.length())))
            .collect(joining());
    return states.matches("[ZX]*[Tt][TtZX]*")
        ? "all threads are stopped"
        : states.matches("[ZX]*[DTt][DTtZX]*")
            ? "no thread can be interrupted, as in a frozen cgroup"
            : isFrozen() ? "its cgroup is frozen" : "";
  }

  private boolean isFrozen() {
    for (String line : textOrNone(file("cgroup")).split("\n", 0)) {
      Path group = Paths.get("/sys/fs/cgroup" + line.replaceFirst("^0::", ""));
      if (line.startsWith("0::")
          && textOrNone(group.resolve("cgroup.events")).contains("frozen 1")) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether it is a thread of the kernel, which has no memory of its own. */
  public boolean isOfTheKernel() {
    return status("VmSize").isEmpty();
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

  /**
   * Returns the mappings in the order of their addresses.
   *
   * @throws IOException if they cannot be read, or not all of them
   */
  public List<Mapping> mappings() throws IOException {
    return Arrays.stream(text(file("maps")).split("\n", 0))
        .filter(line -> !line.isEmpty())
        .map(Mapping::parse)
        .collect(toList());
  }

  /** Returns a value of {@code /proc/PID/status}, or "". */
  public String status(String key) {
    return value(file("status"), key);
  }

  /** Returns its process ids in all PID namespaces: its /proc may belong to an outer one. */
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
      String ids = value(process.resolve("task/" + tid + "/status"), "NSpid");
      String last = ids.substring(ids.lastIndexOf('\t') + 1);
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
   * Returns the open files: what their descriptors lead to, and a path that opens the same file in
   * any mount namespace.
   *
   * @throws IOException if the doctor does not have the right to see them
   */
  public Map<String, Path> openFiles() throws IOException {
    Set<Integer> descriptors = numbers(file("fd"));
    Map<String, Path> open = new TreeMap<>();
    for (int descriptor : descriptors) {
      String name = "fd/" + descriptor;
      open.put(link(name), file(name));
    }
    open.remove(""); // closed meanwhile
    if (open.isEmpty() && !descriptors.isEmpty()) {
      throw new IOException("its open files cannot be read");
    }
    return open;
  }

  /** Returns the processes that have loaded BPF programs for samples, as eBPF profilers do. */
  public static String profilers() throws IOException {
    return all().stream()
        .filter(TargetProcess::hasSamplingProgram)
        .map(process -> process.pid + " " + process.name())
        .collect(joining(", "));
  }

  private boolean hasSamplingProgram() {
    try {
      return numbers(file("fd")).stream()
          .filter(descriptor -> link("fd/" + descriptor).equals("anon_inode:bpf-prog"))
          .map(descriptor -> value(file("fdinfo/" + descriptor), "prog_type"))
          .anyMatch(PERF_EVENT_PROGRAM::equals);
    } catch (IOException e) {
      return false; // it has ended
    }
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

  /**
   * Returns a file, whose size and content may change meanwhile.
   *
   * @throws IOException if it cannot be read, or has more than 16 MiB
   */
  public static String text(Path file) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        content.write(buffer, 0, n);
        if (content.size() > MAX_SIZE) {
          throw new IOException(file + " is longer than " + MAX_SIZE + " bytes");
        }
      }
    }
    return new String(content.toByteArray(), UTF_8);
  }

  private static String textOrNone(Path file) {
    try {
      return text(file);
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
