/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What else is on the class path, or missing there, so that async-profiler cannot be used. */
final class Conflicts {
  private static final String INFERRED_SPANS =
      "io/opentelemetry/contrib/inferredspans/InferredSpansProcessor.class";

  /** Throws if the session of async-profiler may be somebody else's. */
  static void check(@Nullable ClassLoader loader) throws EmbeddedProfilerException {
    Set<String> copies = find(loader, "one/profiler/AsyncProfiler.class");
    if (copies.size() > 1) {
      throw new EmbeddedProfilerException(
          "async-profiler is on the class path several times, leave all but 4.6 out: " + copies);
    }
    if (copies.isEmpty()) {
      throw new EmbeddedProfilerException(
          "async-profiler is missing, add tools.profiler:async-profiler:4.6 to the class path");
    }
    if (find(loader, "one/jfr/JfrReader.class").isEmpty()) {
      throw new EmbeddedProfilerException(
          "jfr-converter is missing, add tools.profiler:jfr-converter:4.5 to the class path");
    }
    if (find(loader, "one/profiler/Recording.class").isEmpty()) {
      throw new EmbeddedProfilerException(
          "the class path has an async-profiler that is older than 4.6, which is needed: "
              + copies);
    }
    if (!find(loader, INFERRED_SPANS).isEmpty() && areInferredSpansOn()) {
      throw new EmbeddedProfilerException(
          "inferred spans are on, and async-profiler can only serve one of both: set"
              + " otel.inferred.spans.enabled to false, or switch the embedded profiler off");
    }
  }

  private static boolean areInferredSpansOn() {
    return "true".equalsIgnoreCase(System.getProperty("otel.inferred.spans.enabled"))
        || "true".equalsIgnoreCase(System.getenv("OTEL_INFERRED_SPANS_ENABLED"));
  }

  private static Set<String> find(@Nullable ClassLoader loader, String name)
      throws EmbeddedProfilerException {
    try {
      Set<String> found = new LinkedHashSet<>();
      Enumeration<URL> urls =
          loader == null ? ClassLoader.getSystemResources(name) : loader.getResources(name);
      while (urls.hasMoreElements()) {
        found.add(urls.nextElement().toString());
      }
      return found;
    } catch (IOException e) {
      throw new EmbeddedProfilerException("the class path cannot be read: " + e);
    }
  }

  private Conflicts() {}
}
