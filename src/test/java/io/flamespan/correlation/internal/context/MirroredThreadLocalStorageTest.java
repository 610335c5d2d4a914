/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The storage that replaces OpenTelemetry's default behaves like it in every use. */
class MirroredThreadLocalStorageTest {
  private static final ContextKey<String> KEY = ContextKey.named("key");

  private final RunningMirror running = new RunningMirror();
  private final ContextStorage storage = new MirroredThreadLocalStorage(running.mirror);
  private final ContextStorage model = ContextStorage.defaultStorage();
  private final ExecutorService elsewhere = Executors.newSingleThreadExecutor();
  private final Map<Span, Span> localRootOf = new HashMap<>();
  private final List<Context> contexts = contexts();

  @AfterEach
  void stop() {
    running.close();
  }

  private Span span(Context parent) {
    Span span = running.span(parent);
    Span parentSpan = Span.fromContextOrNull(parent);
    localRootOf.put(span, parentSpan == null ? span : localRootOf.get(parentSpan));
    return span;
  }

  private List<Context> contexts() {
    Span root = span(Context.root());
    Context inRoot = Context.root().with(root);
    Span child = span(inRoot);
    Span ended = span(inRoot.with(child));
    ended.end();
    Span other = span(Context.root());
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            root.getSpanContext().getTraceId(),
            root.getSpanContext().getSpanId(),
            root.getSpanContext().getTraceFlags(),
            TraceState.getDefault());
    List<Context> all = new ArrayList<>();
    all.add(null);
    all.add(Context.root());
    all.add(inRoot);
    all.add(inRoot.with(KEY, "value"));
    all.add(inRoot.with(child));
    all.add(inRoot.with(ended));
    all.add(Context.root().with(other));
    all.add(Context.root().with(span(Context.root().with(other))));
    all.add(Context.root().with(Span.wrap(remote)));
    all.add(Context.root().with(Span.getInvalid()));
    return all;
  }

  @Test
  void storage_anyAttachingAndClosing_behavesAsTheDefault() throws Exception {
    for (int round = 0; round < 1_000; round++) {
      Random random = new Random(round);
      // Runs on a separate thread, because scopes that are closed out of order leave contexts
      // behind.
      ExecutorService thread = Executors.newSingleThreadExecutor();
      thread.submit(() -> attachAndClose(random)).get();
      thread.shutdown();
    }
    elsewhere.shutdown();
  }

  private Void attachAndClose(Random random) throws Exception {
    List<Scope> scopes = new ArrayList<>();
    List<Scope> modelScopes = new ArrayList<>();
    for (int step = 0; step < 30; step++) {
      if (scopes.isEmpty() || random.nextInt(5) < 2) {
        Context context = contexts.get(random.nextInt(contexts.size()));
        scopes.add(storage.attach(context));
        modelScopes.add(model.attach(context));
      } else {
        // Mostly closes the last scope, sometimes any, and occasionally a closed one.
        int i = random.nextInt(3) > 0 ? scopes.size() - 1 : random.nextInt(scopes.size());
        close(scopes.get(i), modelScopes.get(i), random);
        if (random.nextInt(4) > 0) {
          scopes.remove(i);
          modelScopes.remove(i);
        }
      }
      assertSameAsModel();
    }
    return null;
  }

  private void close(Scope scope, Scope modelScope, Random random) throws Exception {
    Runnable close =
        () -> {
          scope.close();
          modelScope.close();
          assertSameAsModel();
        };
    if (random.nextInt(10) == 0) {
      elsewhere.submit(close).get();
    } else {
      close.run();
    }
  }

  private void assertSameAsModel() {
    Context current = storage.current();
    assertThat(current).isSameAs(model.current());
    Span span = current == null ? null : Span.fromContextOrNull(current);
    DecodedRecord record = DecodedRecord.ofCurrentThread();
    boolean shown =
        span instanceof ReadableSpan
            ? record.shows(span, localRootOf.get(span))
            : record.showsNoTrace();
    assertThat(shown).as("%s shows %s", record, span).isTrue();
  }
}
