/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.protocol.ProcessStorage;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.Directories;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/** Runs in a separate JVM, because a process loads the pointer only once. Prints its findings. */
final class ThreadContextProcess {
  static final int VALID = 24;
  private static final int FLAGS = 25;

  private static final byte[] STORAGE = ProcessStorage.encode("shop", "dev", "/tmp/s");
  private static final String FOUND = "found ";

  /**
   * Returns the findings of the process, and its whole output as "output".
   *
   * @param words "foreign": another library defines such a pointer first; "virtual": also runs on
   *     virtual threads
   */
  static Map<String, String> run(ChildJvm jvm, Path nativeDir, String words) {
    ChildJvm.Result result = jvm.run(ThreadContextProcess.class, nativeDir.toString(), words);
    if (result.status() != 0) {
      throw new AssertionError(result.output());
    }
    Map<String, String> found = new HashMap<>();
    found.put("output", result.output());
    result
        .output()
        .lines()
        .filter(line -> line.startsWith(FOUND))
        .map(line -> line.substring(FOUND.length()).split("=", 2))
        .forEach(finding -> found.put(finding[0], finding[1]));
    return found;
  }

  private static void print(String name, Object value) {
    System.out.println(FOUND + name + "=" + value);
  }

  public static void main(String[] arguments) throws Exception {
    String nativeDir = arguments[0];
    NativeLibrary.publish(STORAGE, Directories.ofLibraries(nativeDir));
    if (arguments[1].contains("foreign")) {
      System.load(
          NativeLibraryFile.extract(
                  NativeLibraryFile.THREAD_CONTEXT, Directories.ofLibraries(nativeDir))
              .toString());
    }
    print("publishedByAnother", NativeLibrary.isThreadContextPublishedByAnother());
    try {
      NativeLibrary.loadThreadContext(Directories.ofLibraries(nativeDir));
    } catch (IOException e) {
      print("failure", e.getMessage());
      return;
    }
    print("publishedByOurselves", NativeLibrary.isThreadContextPublishedByAnother());
    print("defined", NativeBridge.definesThreadContext0());
    NativeLibrary.loadThreadContext(Directories.ofLibraries("/nowhere"));
    onPlatformThreads();
    inAnotherClassLoader(nativeDir);
    if (arguments[1].contains("virtual")) {
      onVirtualThreads(VirtualThreadFactory.create());
    }
  }

  private static ByteBuffer threadContexts(boolean withAttributes) {
    return behindRecord(NativeLibrary.threadRecords(withAttributes));
  }

  private static ByteBuffer behindRecord(long record) {
    ByteBuffer memory = NativeBridge.recordsAround0(record);
    int offset = (int) (record - NativeBridge.addressOf0(memory));
    return memory.slice(offset + 37, 2 * NativeBridge.threadContextSize0(record));
  }

  private static void onPlatformThreads() throws Exception {
    ByteBuffer own = threadContexts(false);
    print("capacity", own.capacity());
    print("valid", own.get(VALID));
    ByteBuffer pointer = NativeLibrary.threadContextPointer().order(ByteOrder.nativeOrder());
    long first = pointer.getLong(0);
    pointer.putLong(0, first + own.capacity() / 2);
    own.put(0, (byte) 7).put(VALID, (byte) 1);
    int[] other = onThread(Thread::new, () -> look(threadContexts(true)));
    print("capacityWithAttributes", other[0]);
    print("otherThread", other[1] + " " + other[2] + ", own " + own.get(0) + " " + own.get(VALID));
    int[] reused = onThread(Thread::new, () -> look(threadContexts(true)));
    print("laterThread", reused[1] + " " + reused[2]);
    ByteBuffer again = threadContexts(true);
    print("again", again.capacity() + " " + look(again)[1] + ", own " + own.get(0));
    print("pointsToTheFirstAgain", pointer.getLong(0) == first);
    own.put(VALID, (byte) 1);
    NativeBridge.hideThread0();
    print("forgotten", own.get(VALID));
    own.put(VALID, (byte) 1);
    NativeLibrary.hideAllThreads();
    print("allForgotten", own.get(VALID));
  }

  /** Returns the initial contents of a context, and leaves a trace in it. */
  private static int[] look(ByteBuffer context) {
    int[] found = {context.capacity(), context.get(0), context.get(VALID)};
    context.put(0, (byte) 9).put(VALID, (byte) 1);
    return found;
  }

  private static void inAnotherClassLoader(String nativeDir) throws Exception {
    NativeLibrary.withdraw();
    ClassLoader loader = new OwnCopyLoader();
    Class<?> other = loader.loadClass(NativeLibrary.class.getName());
    Object directory = Directories.ofLibrariesIn(loader, nativeDir);
    other.getMethod("publish", byte[].class, directory.getClass()).invoke(null, STORAGE, directory);
    print("foreignToLater", other.getMethod("isThreadContextPublishedByAnother").invoke(null));
    other
        .getMethod("loadThreadContext", directory.getClass())
        .invoke(null, Directories.ofLibrariesIn(loader, "/nowhere"));
    ByteBuffer context =
        behindRecord((long) other.getMethod("threadRecords", boolean.class).invoke(null, false));
    ByteBuffer own = threadContexts(false);
    context.put(0, (byte) 5);
    print("sharedWithLater", own.get(0) == 5);
  }

  private static void onVirtualThreads(ThreadFactory factory) throws Exception {
    NativeLibrary.followVirtualThreads();
    for (boolean withAttributes : new boolean[] {false, true}) {
      for (int i = 0; i < 2; i++) {
        print(
            "virtual" + withAttributes + i,
            onThread(factory, () -> contextThatFollows(withAttributes)));
      }
    }
  }

  private static String contextThatFollows(boolean withAttributes) throws InterruptedException {
    long address = NativeLibrary.virtualThreadRecords(withAttributes);
    ByteBuffer record = NativeBridge.recordAt0(address);
    ByteBuffer contexts = behindRecord(address);
    int[] found = look(contexts);
    int second = contexts.capacity() / 2;
    contexts.put(second, (byte) 6).put(second + FLAGS, (byte) 1).put(second + VALID, (byte) 1);
    Thread.sleep(1); // unmounts and remounts the thread
    List<String> steps = new ArrayList<>();
    steps.add("first " + shows(address, 37));
    NativeBridge.turnVirtualThreadContext0(address, true, 0x0102030405060708L);
    steps.add(
        "turned " + shows(address, 37 + second) + " " + HexFormat.of().formatHex(ids(record)));
    Thread.sleep(1);
    steps.add("remounted " + shows(address, 37 + second));
    NativeBridge.turnVirtualThreadContext0(address, false, 0);
    steps.add("back " + shows(address, 37) + " " + record.get(2) + " " + record.get(3));
    String then = contexts.get(0) + " " + contexts.get(VALID);
    steps.add("again " + (NativeLibrary.virtualThreadRecords(!withAttributes) == address));
    return String.join(
        ", ",
        record.capacity() + " " + found[0] + " " + found[1] + " " + found[2],
        "then " + then,
        String.join(", ", steps));
  }

  /** Returns whether the carrier points to this offset from the address. */
  private static boolean shows(long address, int offset) {
    return NativeLibrary.threadContextPointer().order(ByteOrder.nativeOrder()).getLong(0)
        == address + offset;
  }

  private static byte[] ids(ByteBuffer record) {
    byte[] all = new byte[37];
    record.duplicate().clear().get(all);
    return Arrays.copyOfRange(all, 2, 37);
  }

  private static <T> T onThread(ThreadFactory factory, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = factory.newThread(task);
    thread.start();
    thread.join();
    return task.get();
  }

  private ThreadContextProcess() {}
}
