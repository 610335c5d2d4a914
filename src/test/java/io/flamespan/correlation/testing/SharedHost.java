/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A host on which two ordinary users share a directory for temporary files. The files for a JVM are
 * copied to a place where both may read them. Needs root.
 */
public final class SharedHost implements AutoCloseable {
  /** The user who runs the plug-in. */
  public static final int USER = 61_817;

  /** The other user, who attacks. */
  public static final int RIVAL = 61_818;

  private final Path root;
  private final String intruder;
  private final String classPath;

  /**
   * The directory for temporary files. Everybody may create files in it, but not delete those of
   * others.
   */
  public final Path temporary;

  public SharedHost() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    NativeProgram.assumeWorks(
        "needs root, setpriv and a JDK readable by all, to attack as another user",
        as(RIVAL, java, "-version").toArray(new String[0]));
    try {
      root = Files.createTempDirectory(Path.of("/tmp"), "pc").toRealPath();
      setMode(root, "rwxr-xr-x");
      temporary = Files.createDirectory(root.resolve("t"));
      NativeProgram.check("chmod", "1777", temporary.toString());
      Path program = root.resolve("intruder");
      intruder =
          NativeProgram.compile("gcc", program, NativeProgram.source("intruder.c")).toString();
      classPath = copyClassPath(Files.createDirectory(root.resolve("lib")));
      NativeProgram.check("chmod", "-R", "a+rX", root.resolve("lib").toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String copyClassPath(Path to) throws IOException {
    List<String> copies = new ArrayList<>();
    for (String entry : ChildJvm.wholeClassPath().split(File.pathSeparator)) {
      Path file = Path.of(entry);
      if (Files.exists(file)) {
        String copy = to.resolve(copies.size() + "-" + file.getFileName()).toString();
        NativeProgram.check("cp", "-r", entry, copy);
        copies.add(copy);
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static List<String> as(int user, String... command) {
    List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user));
    all.add("--clear-groups");
    all.addAll(List.of(command));
    return all;
  }

  /** Returns a JVM of a user, with the shared directory for temporary files. */
  public ChildJvm jvm(int user) {
    return ChildJvm.exporting("none")
        .under(as(user).toArray(new String[0]))
        .classPath(classPath)
        .property("java.io.tmpdir", temporary.toString());
  }

  /** Creates a directory of a user outside the shared one. */
  public Path createDirectory(String name, int user, String mode) {
    try {
      Path directory = Files.createDirectory(root.resolve(name));
      setMode(directory, mode);
      Files.setAttribute(directory, "unix:uid", user);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the directory that the plug-in uses for a user in the shared one. */
  public Path privateDirectory(int user) {
    return temporary.resolve("flamespan-" + user);
  }

  /** Returns the command of an attack, see {@code intruder.c}. */
  public List<String> command(int user, Object... attack) {
    List<String> command = new ArrayList<>(List.of(intruder, Integer.toString(user)));
    Stream.of(attack).map(Object::toString).forEach(command::add);
    return command;
  }

  /** Attacks once. Returns 0 if the attack succeeded, or the errno of the refusal. */
  public int attack(int user, Object... attack) {
    NativeProgram.Output output = NativeProgram.run(command(user, attack));
    if (output.status() > 200) {
      throw new IllegalArgumentException(List.of(attack) + ": " + output.text());
    }
    return output.status();
  }

  /** Returns the libraries in or below a directory, relative to it. */
  public static List<Path> libraries(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".so"))
          .map(directory::relativize)
          .toList();
    }
  }

  /** Puts a foreign library in the place of each of these into directories. */
  public static void plant(Path foreign, List<Path> names, Path... directories) throws IOException {
    assertThat(names).hasSize(3);
    for (Path directory : directories) {
      for (Path name : names) {
        Path copy = directory.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(foreign, copy);
      }
    }
  }

  /** Removes everything from the shared directory. */
  public void clear() {
    NativeProgram.check("find", temporary.toString(), "-mindepth", "1", "-delete");
  }

  public void remove(Path directory) {
    NativeProgram.check("rm", "-r", directory.toString());
  }

  private static void setMode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Override
  public void close() {
    NativeProgram.check("rm", "-rf", root.toString());
  }
}
