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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  public void send(MessageWriter message, Consumer<@Nullable String> onDone) {
    sender.send(
        message,
        response -> onDone.accept(failure(response)),
        failure -> onDone.accept(Client.printable(failure)));
  }

  private static @Nullable String failure(GrpcResponse response) {
    GrpcStatusCode status = response.getStatusCode();
    return status == GrpcStatusCode.OK
        ? null
        : "the answer is " + status + " " + Client.printable(response.getStatusDescription());
  }

  @Override
  public void close() {
    sender.shutdown();
  }
}
