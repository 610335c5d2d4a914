/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.ShownThreadContext;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promise: attributes are those of the current context, and a failure never hides the trace. */
class ShownAttributesTest {
  private static final OtelAttributes TENANT = new OtelAttributes(false, List.of("tenant"));

  private final RunningMirror running = new RunningMirror();
  private final ContextStorage storage = new MirroredThreadLocalStorage(running.mirror);
  private final Span root = running.span(Context.root());
  private final Context inRoot = Context.root().with(root);
  private final Span other = running.span(Context.root());
  // On a new thread, the mirror decides anew whether to reserve room for attributes.
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @BeforeEach
  void start() {
    running.start(TENANT);
  }

  @AfterEach
  void stop() {
    thread.shutdown();
    running.close();
  }

  private static Context withTenant(Context context, String tenant) {
    return context.with(Baggage.builder().put("tenant", tenant).build());
  }

  private static Map<Integer, String> shown() {
    return ShownThreadContext.ofCurrentCarrier().attributes();
  }

  @Test
  void baggage_madeCurrentWithinASpan_isShownUntilItsScopeCloses() throws Exception {
    thread.submit(this::changeBaggage).get();
  }

  private void changeBaggage() {
    try (Scope span = storage.attach(inRoot)) {
      try (Scope baggage = storage.attach(withTenant(inRoot, "a"))) {
        assertThat(shown()).containsExactly(Map.entry(1, "a"));
        try (Scope inner = storage.attach(withTenant(inRoot, "b"))) {
          assertThat(shown()).containsExactly(Map.entry(1, "b"));
        }
        assertThat(shown()).containsExactly(Map.entry(1, "a"));
      }
      assertThat(shown()).isEmpty();
    }
  }

  @Test
  void baggage_ofAClosedScope_isNotShownAfterAChild() throws Exception {
    thread.submit(this::closeChildWithinBaggage).get();
  }

  private void closeChildWithinBaggage() {
    try (Scope span = storage.attach(inRoot)) {
      Context inBaggage = withTenant(inRoot, "a");
      try (Scope baggage = storage.attach(inBaggage)) {
        storage.attach(inBaggage.with(running.span(inBaggage))).close();
        assertThat(shown()).containsExactly(Map.entry(1, "a"));
      }
      assertThat(shown()).isEmpty();
    }
  }

  /** Returns a span whose attributes throw when they are read. */
  private static Span failing(Span span) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("getAttribute")) {
            throw new OutOfMemoryError("simulated");
          }
          return method.getName().equals("storeInContext")
              ? InvocationHandler.invokeDefault(proxy, method, arguments)
              : method.invoke(span, arguments);
        };
    return (Span)
        Proxy.newProxyInstance(
            ShownAttributesTest.class.getClassLoader(),
            new Class<?>[] {Span.class, ReadableSpan.class},
            handler);
  }

  @Test
  void span_whoseAttributesCannotBeRead_showsNoTrace() throws Exception {
    thread.submit(this::failWithoutTrace).get();
  }

  private void failWithoutTrace() {
    try (Scope first = storage.attach(inRoot)) {
      assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
    }
    try (Scope failed = storage.attach(Context.root().with(failing(other)))) {
      assertShowsNothing();
    }
    assertShowsNothing();
  }

  private static void assertShowsNothing() {
    assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
    assertThat(ShownThreadContext.ofCurrentCarrier()).isNull();
  }

  @Test
  void span_afterOneWhoseAttributesCannotBeRead_isShownWithItsOwnTrace() throws Exception {
    thread.submit(this::returnFromFailure).get();
  }

  private void returnFromFailure() {
    try (Scope first = storage.attach(inRoot)) {
      storage.attach(Context.root().with(failing(other))).close();
      assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
      assertThat(ShownThreadContext.ofCurrentCarrier().shows(root)).isTrue();
    }
  }
}
