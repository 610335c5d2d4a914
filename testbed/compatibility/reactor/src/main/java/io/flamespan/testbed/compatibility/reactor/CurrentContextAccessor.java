/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.reactor;

import io.micrometer.context.ThreadLocalAccessor;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/**
 * Lets Micrometer's context propagation set OpenTelemetry's current context like a thread-local
 * variable: it never closes a scope, and each attach replaces the previous one.
 */
final class CurrentContextAccessor implements ThreadLocalAccessor<Context> {
  static final String KEY = "opentelemetry";

  @Override
  public Object key() {
    return KEY;
  }

  @Override
  public Context getValue() {
    Context current = Context.current();
    return current == Context.root() ? null : current;
  }

  @Override
  public void setValue(Context context) {
    Scope unclosed = context.makeCurrent();
  }

  @Override
  public void setValue() {
    setValue(Context.root());
  }
}
