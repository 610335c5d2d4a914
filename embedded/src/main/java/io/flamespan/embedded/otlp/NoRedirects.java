/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import java.lang.reflect.Field;

/**
 * Keeps a sender of OpenTelemetry from following redirects, which would carry the headers, and
 * perhaps the profiles, to another server. The one with OkHttp does so and has no option for it;
 * the JDK's does not.
 */
final class NoRedirects {
  private static final String FOLLOWS = "OkHttp";

  /** Returns the sender, which then sends to no other server than the configured one. */
  static <S> S of(S sender) throws EmbeddedProfilerException {
    if (sender.getClass().getSimpleName().startsWith(FOLLOWS)) {
      try {
        Field field = sender.getClass().getDeclaredField("client");
        field.setAccessible(true);
        Object builder = call(field.get(sender), "newBuilder");
        for (String option : new String[] {"followRedirects", "followSslRedirects"}) {
          builder.getClass().getMethod(option, boolean.class).invoke(builder, false);
        }
        field.set(sender, call(builder, "build"));
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new EmbeddedProfilerException(
            "this client would follow redirects to other servers. Add"
                + " opentelemetry-exporter-sender-jdk in place of"
                + " opentelemetry-exporter-sender-okhttp: "
                + e);
      }
    }
    return sender;
  }

  private static Object call(Object target, String method) throws ReflectiveOperationException {
    return target.getClass().getMethod(method).invoke(target);
  }

  private NoRedirects() {}
}
