/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import jnr.ffi.LibraryLoader;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;

/** Sends a profiler's messages, built from the protocol document and not from our constants. */
public final class FakeProfiler implements AutoCloseable {
  /** A stack trace id in the format of {@link #correlation}. */
  public static final String STACK = "60b420bb3851d9d47acb933dbe70399b";

  /** The same stack trace id in the format of exported spans. */
  public static final String EXPORTED_STACK = "YLQguzhR2dR6y5M9vnA5mw";

  private final UnixDatagramChannel channel;
  private final Path socket;
  private boolean connected;

  /** Functions of the C library. */
  public interface Functions {
    int connect(int socket, ByteBuffer address, int length);
  }

  private FakeProfiler(Path socket) throws IOException {
    this.channel = UnixDatagramChannel.open();
    this.socket = socket;
  }

  /** Returns a profiler that sends to the only socket in or below this directory. */
  public static FakeProfiler of(Path socketDir) {
    try {
      return to(sockets(socketDir).get(0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a profiler that sends to this socket, whatever others are next to it. */
  public static FakeProfiler to(Path socket) {
    try {
      return new FakeProfiler(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Like {@link #of}, but looks up the path only once, and not for each message. */
  public static FakeProfiler connectedTo(Path socketDir) {
    FakeProfiler profiler = of(socketDir);
    byte[] path = profiler.socket.toString().getBytes(UTF_8);
    ByteBuffer address = message(2 + path.length + 1).putShort((short) 1).put(path).put((byte) 0);
    // This method of the channel only notes that it is connected.
    profiler.channel.connect(new UnixSocketAddress(profiler.socket.toFile()));
    int fd = profiler.channel.getFD();
    profiler.connected =
        LibraryLoader.create(Functions.class)
                .load("c")
                .connect(fd, address.rewind(), address.limit())
            == 0;
    if (!profiler.connected) {
      throw new IllegalStateException("not connected to " + profiler.socket);
    }
    return profiler;
  }

  /** Returns the sockets named like ours in or below this directory. */
  public static List<Path> sockets(Path socketDir) throws IOException {
    while (true) {
      try (Stream<Path> files = Files.walk(socketDir)) {
        return files.filter(file -> file.toString().endsWith(".sock")).sorted().toList();
      } catch (UncheckedIOException e) {
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e.getCause();
        }
        // A file was deleted meanwhile.
      }
    }
  }

  public Path socket() {
    return socket;
  }

  public void registration(long samplesDelayMillis, String hostId) {
    send(Datagrams.registration((int) samplesDelayMillis, hostId));
  }

  /** Sends a correlation message. Ids are hexadecimal, as in OpenTelemetry. */
  public void correlation(String traceId, String localRootSpanId, String stackTraceId, int count) {
    HexFormat hex = HexFormat.of();
    send(
        message(46)
            .putShort((short) 1)
            .putShort((short) 1)
            .put(hex.parseHex(traceId))
            .put(hex.parseHex(localRootSpanId))
            .put(hex.parseHex(stackTraceId))
            .putShort((short) count)
            .array());
  }

  /** Sends a correlation message for {@link #STACK} in this local root span. */
  public void correlation(Span localRoot, int count) {
    SpanContext context = localRoot.getSpanContext();
    correlation(context.getTraceId(), context.getSpanId(), STACK, count);
  }

  public void send(byte[] datagram) {
    try {
      if (connected) {
        channel.write(ByteBuffer.wrap(datagram));
      } else {
        channel.send(ByteBuffer.wrap(datagram), new UnixSocketAddress(socket.toFile()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteBuffer message(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
