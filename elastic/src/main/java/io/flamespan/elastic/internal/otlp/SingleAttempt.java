/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.IOException;
import java.lang.reflect.Field;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/**
 * Keeps OkHttp from sending a batch twice, which it does after some responses, and on a new
 * connection after one has broken. Distinguishes failures before the batch was sent from those
 * after.
 *
 * <p>Only loaded if OkHttp is the exporters' client.
 */
final class SingleAttempt implements Interceptor {
  private static final long MAX_ANSWER = 4L << 20; // as much as the exporters read

  private SingleAttempt() {}

  /** Replaces the client in the field, which must be accessible. */
  static void restrict(Object owner, Field field, boolean once) throws IllegalAccessException {
    OkHttpClient.Builder restricted =
        ((OkHttpClient) field.get(owner))
            .newBuilder()
            .followRedirects(false)
            .followSslRedirects(false);
    if (once) {
      restricted.addInterceptor(new SingleAttempt());
    }
    field.set(owner, restricted.build());
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    RequestBody original = request.body();
    if (original == null) {
      return chain.proceed(request);
    }
    Body body = new Body(original);
    try {
      return whole(chain.proceed(request.newBuilder().method(request.method(), body).build()));
    } catch (IOException e) {
      if (!body.begun) {
        e.addSuppressed(new NotSentException());
      }
      throw e;
    }
  }

  /** Throws if the response is incomplete, which some exporters treat as a success. */
  private static Response whole(Response response) throws IOException {
    try {
      response.peekBody(MAX_ANSWER).close();
      return response;
    } catch (IOException e) {
      response.close();
      throw e;
    }
  }

  private static final class Body extends RequestBody {
    private final RequestBody delegate;
    private boolean begun; // written and read by the thread of the call

    Body(RequestBody delegate) {
      this.delegate = delegate;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public @Nullable MediaType contentType() {
      return delegate.contentType();
    }

    @Override
    public long contentLength() throws IOException {
      return delegate.contentLength();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      begun = true;
      delegate.writeTo(sink);
    }
  }
}
