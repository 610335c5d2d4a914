/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LocalRootTraceStateTest {
  private static final TraceState RECEIVED =
      TraceState.builder().put("other", "opaque").put("es", "s:0.5").build();

  private static List<TraceState> states() {
    return List.of(TraceState.getDefault(), RECEIVED, TraceState.builder().put("k", "v").build());
  }

  private static TraceState ofRoot(TraceState state) {
    return LocalRootTraceState.ofNewRoot(state, null);
  }

  @ParameterizedTest
  @MethodSource("states")
  void contents_ofARoot_areThoseOfTheState(TraceState state) {
    TraceState ours = ofRoot(state);

    assertThat(ours.asMap()).isEqualTo(state.asMap());
    assertThat(ours.size()).isEqualTo(state.size());
    assertThat(ours.isEmpty()).isEqualTo(state.isEmpty());
    assertThat(ours.get("es")).isEqualTo(state.get("es"));
    assertThat(entries(ours)).isEqualTo(entries(state));
    assertThat(ours).hasToString(state.toString()).hasSameHashCodeAs(state);
  }

  private static List<String> entries(TraceState state) {
    List<String> entries = new ArrayList<>();
    state.forEach((key, value) -> entries.add(key + "=" + value));
    return entries;
  }

  @ParameterizedTest
  @MethodSource("states")
  void states_ofTwoRoots_areEqualIfTheirContentsAre(TraceState state) {
    TraceState first = ofRoot(state);
    TraceState second = ofRoot(state.toBuilder().build());

    assertThat(first).isEqualTo(state).isEqualTo(second).isEqualTo(first);
    assertThat(second).isEqualTo(first);
    assertThat(first).isNotEqualTo(null).isNotEqualTo("state");
    assertThat(first).isNotEqualTo(state.toBuilder().put("more", "1").build());
    assertThat(first).isNotEqualTo(ofRoot(state.toBuilder().put("more", "1").build()));
    assertThat(new HashSet<>(Set.of(first))).contains(second);
  }

  @Test
  void spanContexts_ofTwoRoots_areEqualIfOnlyTheRootsDiffer() {
    SpanContext ours = context(ofRoot(RECEIVED));

    assertThat(ours).isEqualTo(context(ofRoot(RECEIVED))).isEqualTo(context(RECEIVED));
    assertThat(ours).hasSameHashCodeAs(context(RECEIVED)).hasToString(context(RECEIVED) + "");
  }

  private static SpanContext context(TraceState state) {
    return SpanContext.create("ab".repeat(16), "cd".repeat(8), TraceFlags.getSampled(), state);
  }

  @Test
  void builder_ofARoot_buildsStatesThatLeadToIt() {
    TraceState ours = ofRoot(RECEIVED);

    TraceState unchanged = ours.toBuilder().build();
    TraceState more = ours.toBuilder().put("added", "1").build();
    TraceState less = ours.toBuilder().remove("es").build();
    assertThat(List.of(unchanged, more, less))
        .extracting(LocalRootTraceState::rootOf)
        .containsOnly(LocalRootTraceState.rootOf(ours));
    assertThat(unchanged).isEqualTo(RECEIVED);
    assertThat(more).isEqualTo(RECEIVED.toBuilder().put("added", "1").build());
    assertThat(less.asMap()).containsOnly(entry("other", "opaque"));
    assertThat(entries(ours)).as("unchanged").isEqualTo(entries(RECEIVED));
  }

  @ParameterizedTest
  @MethodSource("states")
  void droppedRoot_hasTheContentsAndNoLocalRoot(TraceState state) {
    TraceState dropped = LocalRootTraceState.ofDroppedRoot(ofRoot(state), null);
    TraceState changed = dropped.toBuilder().put("added", "1").build();

    assertThat(dropped).isEqualTo(state).hasSameHashCodeAs(state);
    assertThat(changed).isEqualTo(state.toBuilder().put("added", "1").build());
    assertThat(List.of(dropped, changed)).allMatch(LocalRootTraceState.class::isInstance);
    assertThat(List.of(dropped, changed)).allMatch(s -> LocalRootTraceState.rootOf(s) == null);
    if (state.isEmpty()) {
      assertThat(dropped).as("no garbage").isSameAs(LocalRootTraceState.ofDroppedRoot(state, null));
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void nameOfARecordedRoot_isInAllStatesBelowItUnlessItIsSampled(TraceState state) {
    for (TraceFlags flags : List.of(TraceFlags.getDefault(), TraceFlags.getSampled())) {
      TraceState root = LocalRootTraceState.ofNewRoot(state, "GET /cart");
      TraceState changed = root.toBuilder().put("added", "1").build();
      assertThat(nameOf(root)).as("not started").isNull();

      SpanContext started = SpanContext.create("ab".repeat(16), "cd".repeat(8), flags, root);
      assertThat(new LocalRootSpans(1 << 6).onStart(started)).isTrue();
      String expected = flags.isSampled() ? null : "GET /cart";
      assertThat(root).isEqualTo(state).hasSameHashCodeAs(state);
      assertThat(List.of(root, changed, changed.toBuilder().remove("added").build()))
          .allMatch(s -> Objects.equals(nameOf(s), expected))
          .allMatch(s -> LocalRootTraceState.rootOf(s) == LocalRootTraceState.rootOf(root));
      assertThat(LocalRootTraceState.nameOfRootNotSampled(ofOtherTrace(root))).isNull();
    }
  }

  private static SpanContext ofOtherTrace(TraceState state) {
    return SpanContext.create("ef".repeat(16), "cd".repeat(8), TraceFlags.getSampled(), state);
  }

  @ParameterizedTest
  @MethodSource("states")
  void nameOfADroppedRoot_isInAllStatesBelowIt(TraceState state) {
    TraceState dropped = LocalRootTraceState.ofDroppedRoot(ofRoot(state), "GET /cart");
    TraceState changed = dropped.toBuilder().put("added", "1").build();
    TraceState below =
        LocalRootTraceState.below(dropped, TraceState.builder().put("b", "").build());

    assertThat(dropped).isEqualTo(state).hasSameHashCodeAs(state);
    assertThat(changed).isEqualTo(state.toBuilder().put("added", "1").build());
    assertThat(List.of(dropped, changed, below))
        .allMatch(s -> nameOf(s).equals("GET /cart") && LocalRootTraceState.rootOf(s) == null);
    assertThat(LocalRootTraceState.below(dropped, dropped)).as("no garbage").isSameAs(dropped);
  }

  @Test
  void name_ofOneRoot_isNotAnothers() {
    TraceState cart = LocalRootTraceState.ofDroppedRoot(RECEIVED, "cart");
    TraceState pay = LocalRootTraceState.ofDroppedRoot(RECEIVED, "pay");

    assertThat(nameOf(LocalRootTraceState.below(cart, pay))).isEqualTo("cart");
    assertThat(nameOf(LocalRootTraceState.ofDroppedRoot(cart, null))).isEmpty();
    assertThat(nameOf(LocalRootTraceState.ofNewRoot(cart, null))).isNull();
    assertThat(nameOf(RECEIVED)).isNull();
  }

  private static @Nullable String nameOf(TraceState state) {
    return LocalRootTraceState.nameOfRootNotSampled(
        SpanContext.create("ab".repeat(16), "cd".repeat(8), TraceFlags.getDefault(), state));
  }

  @Test
  void state_ofAnotherRoot_isNotNested() {
    TraceState state = ofRoot(RECEIVED);
    for (int i = 0; i < 10_000; i++) {
      state = ofRoot(state);
    }

    assertThat(state).isEqualTo(RECEIVED);
    assertThat(state.toBuilder().build()).isEqualTo(RECEIVED);
    assertThat(LocalRootTraceState.rootOf(RECEIVED)).isNull();
  }
}
