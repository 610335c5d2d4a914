/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import com.kenai.jffi.MemoryIO;
import io.flamespan.correlation.ProfilingCorrelation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import jnr.ffi.LibraryLoader;

/** Contexts that another library, such as an agent, publishes in this process. */
public final class OtherPublisher {
  private static final String OUR_LIBRARY = "internal/nativelib/otel-thread-context-linux-%s.so";
  private static final String ITS_LIBRARY = "other-profiler.so";

  /** Keeps the memory mapped: garbage would be unmapped. */
  private static final List<ByteBuffer> MAPPED = new ArrayList<>();

  /** Functions of the C library. */
  public interface LibC {
    int memfd_create(String name, int flags);
  }

  private OtherPublisher() {}

  /** Maps an undecodable process context. It stays mapped until the result is garbage. */
  public static MappedByteBuffer publishProcessContext(Path directory) throws IOException {
    Path file = Files.write(directory.resolve("memfd:OTEL_CTX"), new byte[4096]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096);
    }
  }

  /** Publishes a process context with an empty resource, for the rest of the process. */
  public static void publishReadableProcessContext() throws IOException {
    LibC libC = LibraryLoader.create(LibC.class).load("c");
    Path file = Path.of("/proc/self/fd", Integer.toString(libC.memfd_create("OTEL_CTX", 0)));
    ByteBuffer payload = ByteBuffer.allocateDirect(2).put(new byte[] {0x0a, 0});
    ByteBuffer header = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
    header.put("OTEL_CTX".getBytes(StandardCharsets.US_ASCII)).putInt(2).putInt(2);
    header.putLong(1).putLong(MemoryIO.getInstance().getDirectBufferAddress(payload));
    Files.write(file, header.array());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MAPPED.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096));
      MAPPED.add(payload);
    }
  }

  /** Loads a library that defines the thread context pointer, for the rest of the process. */
  public static void loadThreadContexts(Path directory) throws IOException {
    String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    Path file = directory.resolve(ITS_LIBRARY);
    try (InputStream library =
        ProfilingCorrelation.class.getResourceAsStream(String.format(OUR_LIBRARY, cpu))) {
      Files.copy(library, file);
    }
    ThreadLocalVariable.load(file);
  }

  /** Returns whether the library's pointer is still null on the calling thread. */
  public static boolean threadContextIsUntouched() {
    return ThreadLocalVariable.find(
                Pattern.compile("/\\S*/" + Pattern.quote(ITS_LIBRARY)), "otel_thread_ctx_v1")
            .orElseThrow()
            .target()
        == null;
  }
}
