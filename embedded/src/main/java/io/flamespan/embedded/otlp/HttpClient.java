/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The client of {@code http/protobuf}. */
final class HttpClient implements Client {
  private final HttpSender sender;

  private static final class Config extends ClientConfig implements HttpSenderConfig {
    Config(Destination destination, ExecutorService thread) {
      super(destination, thread);
    }

    @Override
    public String getContentType() {
      return "application/x-protobuf";
    }

    @Override
    public @Nullable ProxyOptions getProxyOptions() {
      return null;
    }
  }

  HttpClient(Destination destination, ExecutorService thread) throws EmbeddedProfilerException {
    sender =
        NoRedirects.of(
            Client.find(HttpSenderProvider.class).createSender(new Config(destination, thread)));
  }

  @Override
  public void send(MessageWriter message, BiConsumer<Boolean, String> onDone) {
    sender.send(
        message,
        response -> onDone.accept(isSent(response), problem(response)),
        failure -> onDone.accept(false, Client.printable(failure)));
  }

  private static boolean isSent(HttpResponse response) {
    return response.getStatusCode() / 100 == 2;
  }

  private static String problem(HttpResponse response) {
    if (isSent(response)) {
      return StatusMessage.ofSuccess(response.getResponseBody());
    }
    int status = response.getStatusCode();
    boolean isRedirect = status >= 300 && status < 400;
    String reason = StatusMessage.ofFailure(response.getResponseBody());
    return "the answer is "
        + status
        + " "
        + Client.printable(response.getStatusMessage())
        + (reason.isEmpty() ? "" : ": " + reason)
        + (isRedirect ? ", and profiles go to no other server. Set the URL that it names" : "");
  }

  @Override
  public void close() {
    sender.shutdown();
  }
}
