/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gRPC server that accepts any OTLP method. */
final class GrpcOtlpServer implements OtlpServer {
  private static final Answer OK = Answer.status(0);

  private final Server server;
  private final String url;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<ReceivedExport> received = new CopyOnWriteArrayList<>();

  GrpcOtlpServer(String host) {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(host, 0))
              .fallbackHandlerRegistry(new AnyMethod())
              .build()
              .start();
      url = "http://" + host + ":" + server.getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public void answer(Answer... next) {
    answers.addAll(Arrays.asList(next));
  }

  @Override
  public List<ReceivedExport> received() {
    return received;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class AnyMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<byte[], byte[]> lookupMethod(String method, String authority) {
      return ServerMethodDefinition.create(
          MethodDescriptor.newBuilder(new Bytes(), new Bytes())
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(method)
              .build(),
          (call, headers) -> {
            call.request(1);
            return new Receiving(call, headers);
          });
    }
  }

  private final class Receiving extends ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;
    private final Metadata headers;

    Receiving(ServerCall<byte[], byte[]> call, Metadata headers) {
      this.call = call;
      this.headers = headers;
    }

    @Override
    public void onMessage(byte[] message) {
      Map<String, String> values = new TreeMap<>();
      for (String name : headers.keys()) {
        values.put(name, headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
      }
      received.add(
          new ReceivedExport(call.getMethodDescriptor().getFullMethodName(), values, message));
    }

    @Override
    public void onHalfClose() {
      Answer next = answers.poll();
      Answer answer = next == null ? OK : next;
      if (answer.kind() == Answer.Kind.NONE) {
        return;
      }
      if (answer.kind() == Answer.Kind.DEATH) {
        server.shutdownNow();
        return;
      }
      if (answer.status() == 0) {
        call.sendHeaders(new Metadata());
        call.sendMessage(new byte[0]);
      }
      call.close(Status.fromCodeValue(answer.status()), new Metadata());
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
