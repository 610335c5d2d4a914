/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.ProfilingCorrelation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/** What another library, such as an agent, publishes in this process beside the plug-in. */
public final class OtherPublisher {
  private static final String OUR_LIBRARY = "internal/nativelib/otel-thread-context-linux-%s.so";
  private static final String ITS_LIBRARY = "other-profiler.so";

  private OtherPublisher() {}

  /** Maps a process context that nobody can decode, until the result is garbage. */
  public static MappedByteBuffer publishProcessContext(Path directory) throws IOException {
    Path file = Files.write(directory.resolve("memfd:OTEL_CTX"), new byte[4096]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096);
    }
  }

  /** Loads a library that defines the pointer to thread contexts, for the rest of the process. */
  public static void loadThreadContexts(Path directory) throws IOException {
    String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    Path file = directory.resolve(ITS_LIBRARY);
    try (InputStream library =
        ProfilingCorrelation.class.getResourceAsStream(String.format(OUR_LIBRARY, cpu))) {
      Files.copy(library, file);
    }
    ThreadLocalVariable.load(file);
  }

  /** Returns whether the pointer of the library is null on the calling thread, as at its start. */
  public static boolean threadContextIsUntouched() {
    return ThreadLocalVariable.find(
                Pattern.compile("/\\S*/" + Pattern.quote(ITS_LIBRARY)), "otel_thread_ctx_v1")
            .orElseThrow()
            .target()
        == null;
  }
}
