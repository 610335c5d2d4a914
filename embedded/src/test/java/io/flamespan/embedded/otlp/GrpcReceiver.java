/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/** A receiver of {@code grpc}. */
final class GrpcReceiver extends Receiver {
  private static final String SERVICE =
      "opentelemetry.proto.collector.profiles.v1development.ProfilesService";

  private final Server server;

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

  GrpcReceiver() {
    MethodDescriptor<byte[], byte[]> export =
        MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(SERVICE + "/Export")
            .build();
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
              .addService(
                  ServerServiceDefinition.builder(SERVICE).addMethod(export, this::receive).build())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerCall.Listener<byte[]> receive(ServerCall<byte[], byte[]> call, Metadata metadata) {
    Map<String, String> headers = new TreeMap<>();
    for (String name : metadata.keys()) {
      headers.put(name, metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        received.add(
            new Received(call.getMethodDescriptor().getFullMethodName(), headers, message));
        if (status == 0) {
          call.sendHeaders(new Metadata());
          call.sendMessage(success());
        }
        call.close(Status.fromCodeValue(status).withDescription(reason), new Metadata());
      }
    };
  }

  @Override
  String url() {
    return "http://127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
