/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import io.otelprofiling.correlation.internal.span.LocalRootTracker;
import io.otelprofiling.correlation.testing.LoadedLibrary;
import io.otelprofiling.correlation.testing.ThreadRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MirroringContextStorageTest {
  private static final ContextKey<String> KEY = ContextKey.named("key");

  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final ContextMirror mirror = new ContextMirror(localRoots);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .addSpanProcessor(
              new LocalRootTracker(localRoots, () -> null, CompletableResultCode::ofSuccess))
          .build();
  private final RewindingStorage delegate = new RewindingStorage();
  private final MirroringContextStorage storage = new MirroringContextStorage(delegate, mirror);
  private final Span a = root("a");
  private final Span b = root("b");

  @BeforeAll
  static void loadLibrary() {
    LoadedLibrary.load();
  }

  @BeforeEach
  void start() {
    mirror.start(true);
  }

  @AfterEach
  void stop() {
    mirror.stop();
    storage.attach(Context.root()).close();
    provider.close();
  }

  private Span root(String name) {
    return provider.get("test").spanBuilder(name).setNoParent().startSpan();
  }

  private static Context with(Span span) {
    return Context.root().with(span);
  }

  private void assertShowsCurrent() {
    Context current = storage.current();
    Span span = current == null ? null : Span.fromContextOrNull(current);
    ThreadRecord record = ThreadRecord.ofCurrentThread();
    assertThat(span == null ? record.showsNoTrace() : record.shows(span, span)).isTrue();
  }

  @Test
  void showsWhatIsCurrentWhereTheStorageHonoursAnyOrderOfClosing() {
    Scope outer = storage.attach(with(a));
    assertShowsCurrent();
    Scope sameSpan = storage.attach(with(a).with(KEY, "value"));
    assertShowsCurrent();
    Scope inner = storage.attach(with(b));
    assertShowsCurrent();

    outer.close();
    assertThat(storage.current()).isNull();
    assertShowsCurrent();
    inner.close();
    assertShowsCurrent();
    sameSpan.close();
    assertShowsCurrent();
    sameSpan.close();
    outer.close();
    assertShowsCurrent();
  }

  @Test
  void passesOnWhatTheStorageThrowsAndStillShowsWhatIsCurrent() {
    Scope scope = storage.attach(with(a));
    delegate.failOnClose = true;
    assertThatThrownBy(scope::close).isInstanceOf(IllegalStateException.class);
    delegate.failOnClose = false;
    assertShowsCurrent();
    assertThat(storage.current()).isNull();
  }

  @Test
  void aMirrorThatNeverStartedShowsNothing() {
    MirroringContextStorage idle =
        new MirroringContextStorage(delegate, new ContextMirror(new LocalRootSpans()));
    Scope scope = idle.attach(with(a));
    assertThat(ThreadRecord.ofCurrentThread().showsNoTrace()).isTrue();
    scope.close();
    assertThat(ThreadRecord.ofCurrentThread().showsNoTrace()).isTrue();
  }

  @Test
  void standsInForTheDefaultStorageOnly() {
    assertThat(MirroringContextStorage.wrap(ContextStorage.defaultStorage(), mirror))
        .isInstanceOf(ThreadContextStorage.class);
    assertThat(MirroringContextStorage.wrap(delegate, mirror))
        .isInstanceOf(MirroringContextStorage.class);
  }

  @Test
  void theStorageThatTheJavaAgentPutsIntoApplicationsShowsNoSpans() {
    String agents =
        "io.opentelemetry.javaagent.instrumentation.opentelemetryapi.context.AgentContextStorage";
    assertThat(MirroringContextStorage.problemWith(agents)).contains("-Dotel.javaagent.extensions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.opentelemetry.context.ThreadLocalContextStorage",
        "io.opentelemetry.context.StrictContextStorage",
        "io.opentelemetry.javaagent.shaded.io.opentelemetry.context.ThreadLocalContextStorage"
      })
  void otherStoragesShowThem(String storage) {
    assertThat(MirroringContextStorage.problemWith(storage)).isNull();
  }

  @Test
  void aStorageIsLeftAloneWhereMirroringIsNotWanted() {
    MirroringContextStorage.setWanted(false);
    try {
      assertThat(MirroringContextStorage.wrap(delegate, mirror)).isSameAs(delegate);
    } finally {
      MirroringContextStorage.setWanted(true);
    }
  }

  /** Closing any scope, in any order and any number of times, restores what it found. */
  private static final class RewindingStorage implements ContextStorage {
    private Context current;
    private boolean failOnClose;

    @Override
    public Scope attach(Context toAttach) {
      Context before = current;
      current = toAttach;
      return () -> {
        current = before;
        if (failOnClose) {
          throw new IllegalStateException("storage fails");
        }
      };
    }

    @Override
    public Context current() {
      return current;
    }
  }
}
