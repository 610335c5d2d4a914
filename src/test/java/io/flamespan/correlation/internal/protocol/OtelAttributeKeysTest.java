/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OtelAttributeKeysTest {
  @Test
  void map_withoutAttributes_hasTheLocalRoot() {
    assertThat(OtelAttributeKeys.map(List.of())).containsExactly("datadog.local_root_span_id");
  }

  @Test
  void map_ofAttributes_keepsTheirOrderBehindTheLocalRoot() {
    assertThat(OtelAttributeKeys.map(List.of("tenant", "http.route", "a")))
        .containsExactly("datadog.local_root_span_id", "tenant", "http.route", "a");
  }

  @Test
  void map_ofRepeatedKeys_hasEachOnce() {
    assertThat(OtelAttributeKeys.map(List.of("a", "datadog.local_root_span_id", "b", "a")))
        .containsExactly("datadog.local_root_span_id", "a", "b");
  }
}
