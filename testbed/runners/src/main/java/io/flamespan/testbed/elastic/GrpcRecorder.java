/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers every gRPC call with an empty message, or with the status UNAVAILABLE. */
final class GrpcRecorder implements Server {
  private final Recorder recorder;
  private final String host;
  private final io.grpc.Server server;

  GrpcRecorder(String host, Recorder recorder) throws IOException {
    this.recorder = recorder;
    this.host = host;
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(host, 0))
            .fallbackHandlerRegistry(new AnyMethod())
            .build()
            .start();
  }

  @Override
  public String url() {
    return "http://" + host + ":" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private ServerCall.Listener<byte[]> answer(ServerCall<byte[], byte[]> call, Metadata metadata) {
    call.request(1);
    return new ServerCall.Listener<>() {
      private byte[] body = {};

      @Override
      public void onMessage(byte[] message) {
        body = message;
      }

      @Override
      public void onHalfClose() {
        Status status = Status.UNAVAILABLE;
        if (recorder.takes(request(call, metadata, body))) {
          call.sendHeaders(new Metadata());
          call.sendMessage(new byte[0]);
          status = Status.OK;
        }
        call.close(status, new Metadata());
      }
    };
  }

  private static RecordedRequest request(
      ServerCall<byte[], byte[]> call, Metadata metadata, byte[] body) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : metadata.keys()) {
      if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        List<String> values = new ArrayList<>();
        metadata
            .getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER))
            .forEach(values::add);
        headers.put(name, values);
      }
    }
    List<String> encodings = headers.getOrDefault("grpc-encoding", List.of());
    String encoding = encodings.isEmpty() ? RecordedRequest.NOT_ENCODED : encodings.get(0);
    String path = "/" + call.getMethodDescriptor().getFullMethodName();
    return new RecordedRequest(path, headers, encoding, body);
  }

  /** All methods have one request and one response, which are handled as bytes. */
  private final class AnyMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      MethodDescriptor<byte[], byte[]> method =
          MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
              .setFullMethodName(name)
              .setType(MethodType.UNARY)
              .build();
      return ServerMethodDefinition.create(method, GrpcRecorder.this::answer);
    }
  }

  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    INSTANCE;

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
      try (message) {
        return message.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
