/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * What the exception of a failed export tells about it. The exporters' exception and the server's
 * response in it belong to packages and methods that OpenTelemetry has moved, so that they are
 * found by the names that they have had.
 */
final class FailedExport {
  private static final String[] RESPONSE = {"getResponse"};
  private static final String[] STATUS = {"getStatusCode", "statusCode", "grpcStatusValue"};
  private static final String[] NUMBER = {"getValue"};

  /**
   * HTTP's 429 and 503, and gRPC's UNAVAILABLE: OTLP lets servers say by them that they have not
   * taken the data. A gateway's 502 and 504 do not say that, nor does gRPC's RESOURCE_EXHAUSTED
   * without details, which exporters do not pass on: it may be about the size of the batch.
   */
  private static final Set<Integer> NOT_TAKEN = new HashSet<>(Arrays.asList(429, 503, 14));

  private static final String JDK_CONNECT_TIMEOUT = "java.net.http.HttpConnectTimeoutException";

  private FailedExport() {}

  /**
   * Returns whether the server can have taken nothing of the batch, so that sending it again cannot
   * deliver anything twice.
   */
  static boolean tookNothing(@Nullable Throwable failure) {
    if (failure == null) {
      return false;
    }
    Integer status = status(failure);
    if (status != null) {
      return NOT_TAKEN.contains(status);
    }
    Throwable cause = cause(failure);
    return wasNotSent(cause) || neverConnected(cause);
  }

  /** Returns whether a server has answered, rather than that there was no connection. */
  static boolean isAnswer(@Nullable Throwable failure) {
    return failure != null && status(failure) != null;
  }

  /** Returns a few words about the reason, for a log line. */
  static String reason(@Nullable Throwable failure) {
    if (failure == null) {
      return "no reason given";
    }
    Integer status = status(failure);
    if (status != null) {
      return "status " + status;
    }
    Throwable cause = cause(failure);
    return String.valueOf(cause == null ? failure : cause);
  }

  /** Leaves out what the sender of the JDK's client adds because its own methods may not throw. */
  private static @Nullable Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    while (cause instanceof CompletionException || cause instanceof UncheckedIOException) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** A timeout has the failure that it has led to as its cause. */
  private static boolean wasNotSent(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      for (Throwable suppressed : cause.getSuppressed()) {
        if (suppressed instanceof NotSentException) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The failures that OkHttp has suppressed are those of earlier attempts for the same batch, such
   * as on a connection that broke after the batch was sent.
   */
  private static boolean neverConnected(@Nullable Throwable cause) {
    if (cause == null || !isOfConnecting(cause)) {
      return false;
    }
    for (Throwable earlier : cause.getSuppressed()) {
      if (!neverConnected(earlier)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfConnecting(Throwable cause) {
    return cause instanceof ConnectException
        || cause instanceof UnknownHostException
        || cause instanceof NoRouteToHostException
        || cause instanceof SSLHandshakeException
        || cause instanceof SSLPeerUnverifiedException
        || cause.getClass().getName().equals(JDK_CONNECT_TIMEOUT) // not in Java 8
        || (cause instanceof SocketTimeoutException && isOfConnect(cause.getMessage()));
  }

  private static boolean isOfConnect(@Nullable String message) {
    return message != null && message.toLowerCase(Locale.ROOT).contains("connect");
  }

  private static @Nullable Integer status(Throwable failure) {
    Object response = call(failure, RESPONSE);
    Object status = response == null ? null : call(response, STATUS);
    Object number = status == null || status instanceof Integer ? status : call(status, NUMBER);
    return number instanceof Integer ? (Integer) number : null;
  }

  private static @Nullable Object call(Object target, String[] names) {
    for (String name : names) {
      Method method = find(target.getClass(), name);
      if (method != null) {
        try {
          return method.invoke(target);
        } catch (ReflectiveOperationException e) {
          return null;
        }
      }
    }
    return null;
  }

  /** Finds a method that a public type declares, as the class itself may not be public. */
  private static @Nullable Method find(@Nullable Class<?> type, String name) {
    if (type == null) {
      return null;
    }
    if (Modifier.isPublic(type.getModifiers())) {
      try {
        return type.getMethod(name);
      } catch (NoSuchMethodException e) {
        return null;
      }
    }
    for (Class<?> parent : type.getInterfaces()) {
      Method method = find(parent, name);
      if (method != null) {
        return method;
      }
    }
    return find(type.getSuperclass(), name);
  }
}
