/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LoadedLibrary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StatusBlockTest {
  private final Map<String, Object> entries = new LinkedHashMap<>();

  private String encoded(int room) {
    return new String(StatusBlock.encode(entries, List.of("one", "two"), room), UTF_8);
  }

  @Test
  void text_entries_areLinesInTheirOrder() {
    entries.put("format", 2L);
    entries.put("service", "kasse ä");
    entries.put("reason", "a\nb\r\nc\u2028d\u0085e\u007ff");

    assertThat(encoded(1000))
        .isEqualTo("counters=one,two\nformat=2\nservice=kasse ä\nreason=a b  c d e f\n");
  }

  @Test
  void text_thatDoesNotFit_isCutAtTheEndOfALine() {
    entries.put("a", "1");
    entries.put("b", "ä".repeat(10));
    String whole = encoded(1000);
    int length = whole.getBytes(UTF_8).length;

    assertThat(encoded(length)).isEqualTo(whole);
    assertThat(encoded(length - 1)).isEqualTo("counters=one,two\na=1\ntruncated=true\n");
    assertThat(encoded(36)).isEqualTo("counters=one,two\na=1\ntruncated=true\n");
    assertThat(encoded(35)).isEqualTo("counters=one,two\ntruncated=true\n");
  }

  /** Releasers count, and spans wait for them. */
  @Test
  void count_whileATextIsMade_doesNotWait() {
    LoadedLibrary.load();
    StatusBlock block = new StatusBlock();
    AtomicBoolean hasCounted = new AtomicBoolean();

    block.publish(
        () -> {
          CompletableFuture<Void> counted =
              CompletableFuture.runAsync(() -> block.count(counters -> {}));
          hasCounted.set(
              counted.handle((unused, e) -> true).completeOnTimeout(false, 10, SECONDS).join());
          return Map.of();
        },
        counters -> {});

    assertThat(hasCounted).isTrue();
  }
}
