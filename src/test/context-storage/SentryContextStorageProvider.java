/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.sentry.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.ContextStorageProvider;
import io.opentelemetry.context.Scope;

/** Provides a storage of the shape of Sentry's: a thread-local that OpenTelemetry does not know. */
public final class SentryContextStorageProvider implements ContextStorageProvider {
  @Override
  public ContextStorage get() {
    return new SentryContextStorage();
  }

  private static final class SentryContextStorage implements ContextStorage {
    private final ThreadLocal<Context> ofThread = new ThreadLocal<>();

    @Override
    public Scope attach(Context toAttach) {
      Context before = ofThread.get();
      ofThread.set(toAttach);
      return () -> ofThread.set(before);
    }

    @Override
    public Context current() {
      return ofThread.get();
    }
  }
}
