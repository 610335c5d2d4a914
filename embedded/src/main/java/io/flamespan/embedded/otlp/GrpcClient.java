/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;

/** The client of {@code grpc}. */
final class GrpcClient implements Client {
  private static final String METHOD =
      "opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";

  private final GrpcSender sender;

  private static final class Config extends ClientConfig implements GrpcSenderConfig {
    Config(Destination destination, ExecutorService thread) {
      super(destination, thread);
    }

    @Override
    public String getFullMethodName() {
      return METHOD;
    }
  }

  GrpcClient(Destination destination, ExecutorService thread) throws EmbeddedProfilerException {
    sender =
        NoRedirects.of(
            Client.find(GrpcSenderProvider.class).createSender(new Config(destination, thread)));
  }

  @Override
  public void send(MessageWriter message, BiConsumer<Boolean, String> onDone) {
    sender.send(
        message,
        response -> onDone.accept(isSent(response), problem(response)),
        failure -> onDone.accept(false, Client.printable(failure)));
  }

  private static boolean isSent(GrpcResponse response) {
    return response.getStatusCode() == GrpcStatusCode.OK;
  }

  private static String problem(GrpcResponse response) {
    return isSent(response)
        ? StatusMessage.ofSuccess(response.getResponseMessage())
        : "the answer is "
            + response.getStatusCode()
            + " "
            + Client.printable(response.getStatusDescription());
  }

  @Override
  public void close() {
    sender.shutdown();
  }
}
