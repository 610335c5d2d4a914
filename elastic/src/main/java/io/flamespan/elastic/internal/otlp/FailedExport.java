/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

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
 * Interprets the exception of a failed export. OpenTelemetry has moved the exporters' exception and
 * the server's response in it to other packages and methods, so they are accessed by reflection,
 * under all names that they have had.
 */
final class FailedExport {
  private static final String[] RESPONSE = {"getResponse"};
  private static final String[] STATUS = {"getStatusCode", "statusCode", "grpcStatusValue"};
  private static final String[] NUMBER = {"getValue"};

  /**
   * HTTP's 429 and 503, and gRPC's UNAVAILABLE: in OTLP, these mean that the server has not
   * accepted the data. A gateway's 502 and 504 do not mean that. Nor does gRPC's RESOURCE_EXHAUSTED
   * without details, which exporters do not pass on: the reason may be the size of the batch.
   */
  private static final Set<Integer> NOT_TAKEN = new HashSet<>(Arrays.asList(429, 503, 14));

  private static final String JDK_CONNECT_TIMEOUT = "java.net.http.HttpConnectTimeoutException";

  private FailedExport() {}

  /**
   * Returns whether the server has certainly not accepted any part of the batch, so that sending it
   * again cannot deliver anything twice.
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

  /** Returns whether a server has answered, as opposed to a failed connection. */
  static boolean isAnswer(@Nullable Throwable failure) {
    return failure != null && status(failure) != null;
  }

  /** Returns the reason in a few words, for a log line. */
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

  /** Returns the cause without the exceptions in which the sender of the JDK's client wraps it. */
  private static @Nullable Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    while (cause instanceof CompletionException || cause instanceof UncheckedIOException) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Searches all causes: a timeout has the failure that it led to as its cause. */
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
   * Returns whether all attempts failed to connect. OkHttp adds earlier attempts for the same batch
   * as suppressed exceptions, for example on a connection that broke after the batch was sent.
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

  /**
   * Returns a method that is declared by a public supertype, because the class may not be public.
   */
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
