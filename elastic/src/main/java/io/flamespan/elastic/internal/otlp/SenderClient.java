/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Accesses the HTTP client of an OTLP exporter by reflection, because no version has a public
 * method for it. Each version has one field for the sender, whose type has one of two names.
 * OkHttp's sender has one field for its client. Other senders of OpenTelemetry do not follow
 * redirects.
 */
final class SenderClient {
  private static final String OF_EXPORTERS = "io.opentelemetry.";
  private static final String HTTP_SENDER = "HttpSender";
  private static final String GRPC_SENDER = "GrpcSender";
  private static final String OK_HTTP_CLIENT = "okhttp3.OkHttpClient";
  private static final int MAX_DEPTH = 2; // exporter, common exporter

  private SenderClient() {}

  /**
   * Keeps the exporter from following redirects. Must be called before the exporter is used.
   *
   * @param once whether to limit each export to one attempt at one server
   */
  static void restrict(Object exporter, boolean once) {
    try {
      Object sender = sender(exporter, MAX_DEPTH);
      if (sender == null) {
        warn(exporter, null);
        return;
      }
      Field client = field(sender);
      if (client != null) {
        SingleAttempt.restrict(sender, client, once);
      }
    } catch (Throwable e) {
      warn(exporter, e);
    }
  }

  private static @Nullable Object sender(Object owner, int depth) throws IllegalAccessException {
    if (depth == 0 || !owner.getClass().getName().startsWith(OF_EXPORTERS)) {
      return null;
    }
    for (Field field : owner.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
        field.setAccessible(true);
        Object value = field.get(owner);
        String type = field.getType().getSimpleName();
        boolean isSender = type.equals(HTTP_SENDER) || type.equals(GRPC_SENDER);
        Object found = isSender || value == null ? value : sender(value, depth - 1);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private static @Nullable Field field(Object sender) {
    for (Field field : sender.getClass().getDeclaredFields()) {
      if (field.getType().getName().equals(OK_HTTP_CLIENT)) {
        field.setAccessible(true);
        return field;
      }
    }
    return null;
  }

  private static void warn(Object exporter, @Nullable Throwable cause) {
    ElasticSettings.warn(
        "The settings of elastic.otel.transport do not keep "
            + exporter.getClass().getName()
            + " from following redirects, because its HTTP client is not accessible. Use servers"
            + " that do not redirect, or opentelemetry-exporter-sender-jdk.",
        cause);
  }
}
