/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.protocol.ProcessStorage;
import io.flamespan.correlation.testing.Directories;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs in a separate JVM, because a JVM loads a library only once. Writes its findings to a file.
 */
final class LoadingProcess {
  private static final byte[] STORAGE = ProcessStorage.encode("shop", "dev", "/tmp/s");

  /** Loads from {@code nativeDir} in a new process. Returns the findings of that process. */
  static Map<String, String> run(Path nativeDir, Path output) throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xcheck:jni",
                "-cp",
                classPath,
                LoadingProcess.class.getName(),
                nativeDir.toString(),
                output.toString())
            .redirectErrorStream(true)
            .redirectOutput(new File(output + ".log"))
            .start();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError("process failed: " + Files.readString(Path.of(output + ".log")));
      }
    } finally {
      process.destroyForcibly();
    }
    Properties found = new Properties();
    try (InputStream in = Files.newInputStream(output)) {
      found.load(in);
    }
    Map<String, String> result = new HashMap<>();
    found.stringPropertyNames().forEach(name -> result.put(name, found.getProperty(name)));
    return result;
  }

  public static void main(String[] args) throws Exception {
    Path nativeDir = Path.of(args[0]);
    Properties found = new Properties();
    Path file = Files.createTempFile(nativeDir.getParent(), "no-directory", null);
    found.setProperty(
        "unusable",
        failure(() -> NativeLibrary.publish(STORAGE, Directories.ofLibraries(file.toString()))));
    NativeLibrary.withdraw(); // nothing is published yet

    Path loaded = NativeLibrary.publish(STORAGE, Directories.ofLibraries(nativeDir.toString()));
    found.setProperty("loaded", loaded.toString());
    NativeLibrary.withdraw();
    found.setProperty(
        "again", NativeLibrary.publish(STORAGE, Directories.ofLibraries("/nowhere")).toString());
    found.setProperty("maps", mapped(loaded));
    found.setProperty("record", record());
    found.setProperty("static", String.valueOf(NativeBridge.tlsDescriptorIsStatic0()));
    found.setProperty("left", String.valueOf(NativeBridge.initialProcessStorage != null));
    found.setProperty("twoThreads", String.valueOf(recordsDiffer()));
    OwnCopyLoader other = new OwnCopyLoader();
    found.setProperty("otherLoader", failure(() -> publishIn(other, nativeDir)));
    found.setProperty(
        "tooLong",
        failure(() -> NativeLibrary.publish(new byte[5_000], Directories.ofLibraries(null))));
    NativeLibrary.withdraw();
    NativeLibrary.withdraw();

    found.setProperty("laterLoader", publishIn(other, nativeDir).toString());
    found.setProperty(
        "firstAgain", failure(() -> NativeLibrary.publish(STORAGE, Directories.ofLibraries(null))));
    call(other, "withdraw");
    found.setProperty("otherVersion", failure(() -> publishIn(new OtherVersion(), nativeDir)));
    Path link = Files.createLink(nativeDir.resolve("link"), loaded);
    Files.delete(loaded);
    found.setProperty("deleted", publishIn(new OwnCopyLoader(), nativeDir).toString());
    Files.move(link, loaded);
    found.setProperty("mappings", String.valueOf(mappings()));
    try (var out = Files.newOutputStream(Path.of(args[1]))) {
      found.store(out, null);
    }
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static String failure(Attempt attempt) throws Exception {
    try {
      attempt.run();
      return "";
    } catch (IOException | IllegalArgumentException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  private static String record() {
    byte[] bytes = new byte[NativeBridge.threadRecord0().capacity()];
    NativeBridge.threadRecord0().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static boolean recordsDiffer() throws InterruptedException {
    ByteBuffer own = NativeBridge.threadRecord0();
    own.put(36, (byte) 7);
    byte[] other = new byte[1];
    Thread thread =
        new Thread(
            () -> {
              ByteBuffer record = NativeBridge.threadRecord0();
              other[0] = record.get(36);
              record.put(36, (byte) 9);
            });
    thread.start();
    thread.join();
    return other[0] == 0 && NativeBridge.threadRecord0().get(36) == 7;
  }

  private static String mapped(Path file) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).stream()
        .filter(line -> line.contains(" r-xp ") && line.endsWith(file.toString()))
        .findFirst()
        .orElse("");
  }

  private static long mappings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).stream()
        .filter(line -> line.contains(" r-xp ") && line.contains("elastic-jvmti-linux-"))
        .count();
  }

  private static Object publishIn(ClassLoader loader, Path nativeDir) throws Exception {
    Object directory = Directories.ofLibrariesIn(loader, nativeDir.toString());
    return call(loader, "publish", STORAGE, directory);
  }

  private static Object call(ClassLoader loader, String name, Object... arguments)
      throws Exception {
    Class<?>[] types = Stream.of(arguments).map(Object::getClass).toArray(Class<?>[]::new);
    Class<?> library = loader.loadClass(NativeLibrary.class.getName());
    try {
      return library.getMethod(name, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  /** Loads another version of the plug-in, with a different library in its jar. */
  private static final class OtherVersion extends OwnCopyLoader {
    @Override
    public InputStream getResourceAsStream(String name) {
      InputStream resource = super.getResourceAsStream(name);
      return name.endsWith(".so")
          ? new SequenceInputStream(resource, new ByteArrayInputStream(new byte[1]))
          : resource;
    }
  }

  private LoadingProcess() {}
}
