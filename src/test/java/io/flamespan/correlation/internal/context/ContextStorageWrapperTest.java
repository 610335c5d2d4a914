/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContextStorageWrapperTest {
  private static final String OURS = MirroringContextStorage.class.getName();

  private final ContextStorageWrapper wrapper =
      new ContextStorageWrapper(() -> new ContextMirror(span -> {}));
  private final ContextStorage another = new AnotherStorage();

  @Test
  void wrap_defaultStorage_replacesIt() {
    assertThat(wrapper.wrap(ContextStorage.defaultStorage()))
        .isInstanceOf(MirroredThreadLocalStorage.class);
  }

  @Test
  void wrap_anotherStorage_delegatesToIt() {
    assertThat(wrapper.wrap(another)).isInstanceOf(MirroringContextStorage.class);
  }

  @Test
  void wrap_notWanted_returnsTheStorage() {
    wrapper.setWanted(false);

    assertThat(wrapper.wrap(another)).isSameAs(another);
  }

  @Test
  void problem_storageOfTheJavaAgent_namesItsOption() {
    String agents =
        "io.opentelemetry.javaagent.instrumentation.opentelemetryapi.context.AgentContextStorage";

    assertThat(ContextStorageWrapper.problemWith(agents, OURS))
        .contains("-Dotel.javaagent.extensions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.opentelemetry.context.ThreadLocalContextStorage",
        "io.opentelemetry.context.StrictContextStorage",
        "io.micrometer.tracing.otel.bridge.EventPublishingContextWrapper$1",
        "com.example.OwnStorage",
        "io.opentelemetry.javaagent.shaded.io.opentelemetry.context.ThreadLocalContextStorage"
      })
  void problem_contextOnTheThread_isNullUnlessUsedBefore(String storage) {
    assertThat(ContextStorageWrapper.problemWith(storage, OURS)).isNull();
    assertThat(ContextStorageWrapper.problemWith(null, storage))
        .contains("ProfilingCorrelation.registerContextStorage()");
  }

  private static final class AnotherStorage implements ContextStorage {
    @Override
    public Scope attach(Context toAttach) {
      return Scope.noop();
    }

    @Override
    public Context current() {
      return Context.root();
    }
  }
}
