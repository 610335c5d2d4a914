/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import static io.otelprofiling.correlation.internal.nativelib.Findings.print;

import io.otelprofiling.correlation.internal.protocol.ProcessStorage;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.Directories;
import io.otelprofiling.correlation.testing.OwnCopyLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;

/** Runs in a separate JVM, because a JVM loads a library only once. Prints its findings. */
final class LoadingProcess {
  private static final byte[] STORAGE = ProcessStorage.encode("shop", "dev", "/tmp/s");

  /** Loads from {@code nativeDir} in a new process. Returns the findings of that process. */
  static Map<String, String> run(Path nativeDir) {
    return Findings.of(new ChildJvm(), LoadingProcess.class, nativeDir.toString());
  }

  public static void main(String[] args) throws Exception {
    Path nativeDir = Path.of(args[0]);
    Path file = Files.createTempFile(nativeDir.getParent(), "no-directory", null);
    print(
        "unusable",
        failure(() -> NativeLibrary.publish(STORAGE, Directories.ofLibraries(file.toString()))));
    NativeLibrary.withdraw(); // nothing is published yet

    Path loaded = NativeLibrary.publish(STORAGE, Directories.ofLibraries(nativeDir.toString()));
    print("loaded", loaded);
    NativeLibrary.withdraw();
    print("again", NativeLibrary.publish(STORAGE, Directories.ofLibraries("/nowhere")));
    print("maps", mapped(loaded));
    print("record", record());
    print("static", NativeBridge.tlsDescriptorIsStatic0());
    print("left", NativeBridge.initialProcessStorage != null);
    print("twoThreads", recordsDiffer());
    OwnCopyLoader other = new OwnCopyLoader();
    print("otherLoader", failure(() -> publishIn(other, nativeDir)));
    print(
        "tooLong",
        failure(() -> NativeLibrary.publish(new byte[5_000], Directories.ofLibraries(null))));
    NativeLibrary.withdraw();
    NativeLibrary.withdraw();

    print("laterLoader", publishIn(other, nativeDir));
    print(
        "firstAgain", failure(() -> NativeLibrary.publish(STORAGE, Directories.ofLibraries(null))));
    call(other, "withdraw");
    print("otherVersion", failure(() -> publishIn(new OtherVersion(), nativeDir)));
    Path link = Files.createLink(nativeDir.resolve("link"), loaded);
    Files.delete(loaded);
    print("deleted", publishIn(new OwnCopyLoader(), nativeDir));
    Files.move(link, loaded);
    print("mappings", mappings());
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
