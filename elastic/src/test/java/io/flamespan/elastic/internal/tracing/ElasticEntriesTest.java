/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.internal.W3CTraceContextEncoding;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise: a trace state of any size can be changed like any other. */
class ElasticEntriesTest {
  private static final String MANY =
      IntStream.range(0, 32).mapToObj(i -> i + "=x").collect(Collectors.joining(","));

  @Test
  void put_amongManyEntries_isTheFirst() {
    TraceState state = ElasticEntries.parse(MANY);

    assertThat(text(state.toBuilder().put("es", "s:1").build())).isEqualTo("es=s:1," + MANY);
    assertThat(text(state.toBuilder().put("31", "y").build()))
        .startsWith("31=y,0=x")
        .hasSize(MANY.length());
    assertThat(text(state)).isEqualTo(MANY);
  }

  @Test
  void put_whatCannotBeSent_isIgnored() {
    TraceState state = ElasticEntries.parse("a=1");

    assertThat(
            text(
                state.toBuilder()
                    .put("A", "1")
                    .put("b", "1,2")
                    .put("c", "=")
                    .put("d", null)
                    .build()))
        .isEqualTo("a=1");
    assertThat(text(state.toBuilder().put("b", "x".repeat(257)).build())).isEqualTo("a=1");
    assertThat(text(state.toBuilder().put("b".repeat(257), "x").build())).isEqualTo("a=1");
  }

  @Test
  void remove_anEntry_leavesTheOthers() {
    TraceState state = ElasticEntries.parse("a=1,b=2,c=3").toBuilder().remove("b").build();

    assertThat(text(state)).isEqualTo("a=1,c=3");
    assertThat(state.get("b")).isNull();
    assertThat(state.size()).isEqualTo(2);
    assertThat(state.asMap()).containsOnlyKeys("a", "c");
    assertThat(state.toBuilder().remove("a").remove("c").build().isEmpty()).isTrue();
  }

  private static String text(TraceState state) {
    return W3CTraceContextEncoding.encodeTraceState(state);
  }
}
