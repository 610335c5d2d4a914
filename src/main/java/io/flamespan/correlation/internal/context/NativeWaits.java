/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.embedded.Wait;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.nativelib.NativeBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits of virtual threads, with their stacks in words. Used by the collecting thread. */
final class NativeWaits {
  // As in waits.h: a header, the methods, and the locations. Native code checks them.
  private static final int HEADER_LENGTH = 64;
  private static final int RING_LENGTH = 8 << 19;
  private static final int WORD = 8;

  private static final int LENGTH = RING_LENGTH / 16;
  private static final int MAX_METHODS = 65_536; // whose names are remembered

  // Before and after a wait, the JVM calls itself.
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";
  private static final String TRANSITION = "notifyJvmti";

  private final ByteBuffer taken = ByteBuffer.allocateDirect(LENGTH).order(ByteOrder.nativeOrder());
  private final ByteBuffer ids = taken.duplicate().order(ByteOrder.BIG_ENDIAN);
  private final Map<Long, Method> methods = new HashMap<>();

  /** Returns the waits that have ended since the last call. */
  List<Wait> take() {
    List<Wait> waits = new ArrayList<>();
    Map<ByteBuffer, List<StackTraceElement>> stacks = new HashMap<>();
    if (methods.size() > MAX_METHODS) {
      methods.clear();
    }
    int length = 1;
    for (int sum = 0; sum < RING_LENGTH && length > 0; sum += length) { // what there is now
      length = NativeBridge.takeWaits0(taken);
      for (int at = 0; at < length; at += WORD * (int) taken.getLong(at)) {
        waits.add(wait(at, stacks));
      }
    }
    return waits;
  }

  private Wait wait(int at, Map<ByteBuffer, List<StackTraceElement>> stacks) {
    int length = WORD * (int) taken.getLong(at) - HEADER_LENGTH;
    int count = (int) taken.getLong(at + 56);
    byte[] frames = new byte[length];
    ByteBuffer source = taken.duplicate();
    source.position(at + HEADER_LENGTH);
    source.get(frames);
    return new Wait(
        taken.getLong(at + 8),
        taken.getLong(at + 16),
        new Work(
            ids.getLong(at + 24), ids.getLong(at + 32), ids.getLong(at + 48), ids.getLong(at + 40)),
        stacks.computeIfAbsent(
            ByteBuffer.wrap(frames).order(ByteOrder.nativeOrder()), key -> stack(key, count)));
  }

  private List<StackTraceElement> stack(ByteBuffer frames, int count) {
    List<StackTraceElement> stack = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Method method = methods.computeIfAbsent(frames.getLong(WORD * i), Method::new);
      boolean isTransition =
          stack.isEmpty()
              && method.className.equals(VIRTUAL_THREAD)
              && method.name.startsWith(TRANSITION);
      if (!isTransition) {
        int location = frames.getInt(WORD * count + Integer.BYTES * i);
        stack.add(
            new StackTraceElement(method.className, method.name, null, method.lineAt(location)));
      }
    }
    return stack;
  }

  /** A method. The JVM does not use its id again if its class is unloaded. */
  private static final class Method {
    private static final String UNLOADED = "jvmtiError"; // as async-profiler says

    private final String className;
    private final String name;
    private final int @Nullable [] lines;

    private Method(long id) {
      String both = NativeBridge.methodName0(id);
      int end = both == null ? -1 : both.lastIndexOf(';');
      className = both == null ? "" : both.substring(1, end).replace('/', '.');
      name = both == null ? UNLOADED : both.substring(end + 1);
      lines = NativeBridge.methodLines0(id);
    }

    private int lineAt(int location) {
      int line = 0;
      int from = -1;
      for (int i = 0; lines != null && i < lines.length; i += 2) {
        if (lines[i] <= location && lines[i] > from) {
          from = lines[i];
          line = lines[i + 1];
        }
      }
      return line;
    }
  }
}
