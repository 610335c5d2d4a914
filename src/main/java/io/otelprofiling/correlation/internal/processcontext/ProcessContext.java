/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.processcontext;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Shows the resource of this process to every profiler of the host. A profiler that already knows
 * this process then looks at it again, and so finds the native library. Called by one thread at a
 * time; never throws.
 *
 * <p>Source: OTEP 4719, "Process context".
 */
public final class ProcessContext {
  private static final Logger logger = Logger.getLogger(ProcessContext.class.getName());

  private final String setting;
  private boolean published;

  /**
   * Creates a process context that is not published yet.
   *
   * @param setting the name of the setting that switches it off, for messages
   */
  public ProcessContext(String setting) {
    this.setting = setting;
  }

  /** Publishes the resource, unless another library of this process has published one. */
  public void publish(Resource resource) {
    try {
      if (isPublishedByOthers()) {
        logger.log(
            Level.FINE, "Another library has published a process context, which is left alone");
        return;
      }
      NativeLibrary.publishProcessContext(ProcessContextMarshaler.encode(resource));
      published = true;
    } catch (LinkageError e) {
      // The class path has no OTLP exporter, or one with other internals.
      logger.log(
          Level.INFO,
          "The process context is not published, so profilers may be slow to find this process:"
              + " its encoder, a part of the OTLP exporter, is missing ({0})",
          String.valueOf(e));
    } catch (IOException | RuntimeException e) {
      warn(e);
    }
  }

  /** Replaces the resource that was published here. */
  public void update(Resource resource) {
    if (!published) {
      return;
    }
    try {
      NativeLibrary.publishProcessContext(ProcessContextMarshaler.encode(resource));
    } catch (LinkageError | IOException | RuntimeException e) {
      warn(e);
    }
  }

  /** Withdraws the resource that was published here. */
  public void withdraw() {
    if (published) {
      published = false;
      NativeLibrary.withdrawProcessContext();
    }
  }

  private void warn(Throwable e) {
    logger.log(
        Level.WARNING,
        "The process context is not published, so profilers may be slow to find this process"
            + " ({0}). To do without it, set {1} to false.",
        new Object[] {e, setting});
  }

  private static boolean isPublishedByOthers() throws IOException {
    byte[] bytes = Files.readAllBytes(Paths.get("/proc/self/maps"));
    // Read as a whole: a stream of a thousand lines takes 20 ms in a JVM that has just started.
    String maps = new String(bytes, StandardCharsets.ISO_8859_1);
    return maps.contains("[anon_shmem:OTEL_CTX]\n")
        || maps.contains("[anon:OTEL_CTX]\n")
        || maps.contains("/memfd:OTEL_CTX");
  }
}
