/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of all threads of this class loader. Each thread finds its mirror itself.
 *
 * <p>A thread refers to a box, which is an array of the JDK that contains the mirror. If it
 * referred to the mirror directly, a thread of an external pool would keep this class loader alive
 * for as long as the thread lives. While nothing is mirrored, a box retains its mirror only weakly,
 * unless a context is current: what the application left current stays current, as in
 * OpenTelemetry's storage. Open scopes also retain the mirror. The box of a virtual thread then
 * does not retain its mirror at all, because there may be many virtual threads, and a new mirror
 * serves as well.
 */
final class ThreadMirrors {
  private static final ThreadLocal<Object[]> BOX = new ThreadLocal<>();
  private static final int STRONG = 0;
  private static final int WEAK = 1;
  private static final int LENGTH = 2;

  // The boxes of platform threads only. Virtual threads are not pooled, and may be numerous.
  private static final Set<BoxReference> BOXES = ConcurrentHashMap.newKeySet();
  // The latest box by thread id. Thread classes of the application may override the id.
  private static final Map<Long, BoxReference> LATEST = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Object[]> LOST_BOXES = new ReferenceQueue<>();

  /** Returns the calling thread's mirror, or null if it does not have one. */
  static @Nullable ThreadMirror find() {
    Object[] box = BOX.get();
    if (box == null) {
      return null;
    }
    Object mirror = box[STRONG];
    return mirror != null ? (ThreadMirror) mirror : heldWeakly(box);
  }

  /** Returns the calling thread's mirror, or null, and retains the mirror from now on. */
  static @Nullable ThreadMirror findAndHold() {
    Object[] box = BOX.get();
    if (box == null) {
      return null;
    }
    Object mirror = box[STRONG];
    return mirror != null ? (ThreadMirror) mirror : hold(box);
  }

  private static @Nullable ThreadMirror hold(Object[] box) {
    ThreadMirror mirror = heldWeakly(box);
    box[STRONG] = mirror;
    return mirror;
  }

  private static @Nullable ThreadMirror heldWeakly(Object[] box) {
    Reference<?> mirror = (Reference<?>) box[WEAK];
    return mirror == null ? null : (ThreadMirror) mirror.get();
  }

  /**
   * Gives the calling thread a mirror, which replaces one that the thread may have lost. Scopes
   * that still refer to the lost mirror find nothing current there.
   */
  static void add(ThreadMirror mirror, boolean isPooled) {
    Object[] box = BOX.get();
    WeakReference<ThreadMirror> weak = isPooled ? new WeakReference<>(mirror) : null;
    boolean isNew = box == null;
    if (box == null) {
      box = new Object[LENGTH];
    }
    box[WEAK] = weak;
    box[STRONG] = mirror;
    mirror.box = box;
    if (isNew && isPooled) {
      removeLostBoxes();
      BoxReference added = new BoxReference(box);
      BOXES.add(added);
      BoxReference before = LATEST.put(added.threadId, added);
      if (before != null) {
        abandonMirrorIn(before.get());
      }
    }
    if (isNew) {
      BOX.set(box); // last: if an earlier step fails, the thread does not have a mirror
    }
  }

  private static void abandonMirrorIn(Object @Nullable [] lostBox) {
    ThreadMirror lost = lostBox == null ? null : heldWeakly(lostBox);
    if (lost != null && lost.isOfCurrentThread()) {
      lost.abandon();
    }
  }

  private static void removeLostBoxes() {
    for (Object lost = LOST_BOXES.poll(); lost != null; lost = LOST_BOXES.poll()) {
      BoxReference reference = (BoxReference) lost;
      BOXES.remove(reference);
      LATEST.remove(reference.threadId, reference);
    }
  }

  /** Stops retaining the calling thread's mirror unless the application needs it. */
  static void release(ThreadMirror mirror) {
    Object[] box = BOX.get();
    if (box != null && box[STRONG] == mirror && mirror.current == null) {
      box[STRONG] = null;
    }
  }

  /** Stops retaining the mirrors of all platform threads unless the application needs them. */
  static void releaseAll() {
    for (BoxReference each : BOXES) {
      Object[] box = each.get();
      Object mirror = box == null ? null : box[STRONG];
      if (box != null && mirror != null && ((ThreadMirror) mirror).current == null) {
        box[STRONG] = null;
      }
    }
  }

  private static final class BoxReference extends WeakReference<Object[]> {
    final long threadId = Thread.currentThread().getId();

    BoxReference(Object[] box) {
      super(box, LOST_BOXES);
    }
  }

  private ThreadMirrors() {}
}
