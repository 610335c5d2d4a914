/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.processcontext;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeBridge;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.posix.ProcessMaps;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.util.logging.Level;

/**
 * Shows the resource of this process to every profiler of the host, with attributes that say how to
 * read this process. A profiler that already knows the process then looks at it again, and so finds
 * the native libraries. Used by one thread at a time, except {@link #isPublished} and {@link
 * #state}, which any thread may call. Only {@link #isPublished} throws.
 *
 * <p>Source: OTEP 4719, "Process context".
 */
public final class ProcessContext {
  private static final String PUBLISHED = "published";

  private Attributes attributes = Attributes.empty();
  private boolean published;
  private volatile String state;

  /**
   * Creates a process context that is not published yet.
   *
   * @param enabled whether somebody will call {@link #publish}
   */
  public ProcessContext(boolean enabled) {
    this.state = enabled ? "enabled" : "disabled";
  }

  /**
   * Returns whether this process has a process context, which belongs to another library if the
   * plug-in has not published one. Does not need a native library.
   *
   * @throws IOException if the mappings of this process cannot be read
   */
  public static boolean isPublished() throws IOException {
    String maps = ProcessMaps.read();
    return maps.contains("[anon_shmem:OTEL_CTX]\n")
        || maps.contains("[anon:OTEL_CTX]\n")
        || maps.contains("/memfd:OTEL_CTX");
  }

  /**
   * Publishes the resource, unless another library of this process has published one. Profilers
   * then look at this process again in either case.
   *
   * @param attributes further attributes that are not part of the resource; updates keep them
   */
  public void publish(Resource resource, Attributes attributes) {
    try {
      if (isPublished()) {
        Trouble.log(
            ProcessContext.class,
            Level.FINE,
            "Another library has published a process context, which stays unchanged");
        state = "that of another library";
        NativeBridge.announceProcess0();
        return;
      }
      NativeLibrary.publishProcessContext(ProcessContextMessage.encode(resource, attributes));
      if (!isPublished()) {
        NativeLibrary.withdrawProcessContext();
        throw new IOException(
            "readers would not find it: neither memfd_create nor prctl(PR_SET_VMA) has named its"
                + " memory. A seccomp filter may forbid these system calls");
      }
      this.attributes = attributes;
      published = true;
      state = PUBLISHED;
    } catch (IOException | RuntimeException e) {
      state = "failed: " + e;
      Trouble.warn(
          ProcessContext.class,
          "The process context is not published, so profilers may be slow to find this process{0}"
              + " ({1}). To do without it, set {2} to false.",
          attributes.isEmpty() ? "" : " and cannot read OpenTelemetry's thread context in it",
          e,
          Settings.PROCESS_CONTEXT_ENABLED);
    }
  }

  /** Replaces the resource if the plug-in has published one. */
  public void update(Resource resource) {
    if (!published) {
      return;
    }
    try {
      NativeLibrary.publishProcessContext(ProcessContextMessage.encode(resource, attributes));
      state = PUBLISHED;
    } catch (IOException | RuntimeException e) {
      state = "published, without later changes of the resource: " + e;
      Trouble.warn(
          ProcessContext.class,
          "The process context keeps an earlier resource, probably without the host.id of the"
              + " profiler ({0}). To do without it, set {1} to false.",
          e,
          Settings.PROCESS_CONTEXT_ENABLED);
    }
  }

  /** Withdraws the resource if the plug-in has published one. */
  public void withdraw() {
    if (published) {
      NativeLibrary.withdrawProcessContext();
      published = false; // last, so that a failed call can be repeated
      state = "withdrawn";
    }
  }

  /** Returns in a few words whether the process context is published. */
  public String state() {
    return state;
  }
}
