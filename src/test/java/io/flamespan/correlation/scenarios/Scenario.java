/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.stream.Stream;

/**
 * A correct or incorrect use of threads and scopes that asserts at each step what the threads show.
 * Plays in any JVM with the plug-in.
 */
public record Scenario(String name, Body body) {
  /** Runs on a new thread of the stage's kind. */
  public interface Body {
    void run(Stage stage) throws Exception;
  }

  /** Returns all scenarios for a kind of threads. */
  public static List<Scenario> all(ThreadKind kind) {
    Stream<Scenario> common = Stream.concat(ScopeUses.ALL.stream(), ThreadUses.ALL.stream());
    return (kind == ThreadKind.VIRTUAL
            ? Stream.concat(common, VirtualThreadUses.ALL.stream())
            : common)
        .toList();
  }

  public void run(CorrelatedSdk app, ThreadKind kind) throws Exception {
    try (Stage stage = new Stage(app, kind)) {
      kind.run(() -> showOneTrace(stage));
      kind.run(() -> body.run(stage));
    }
    // The memory and the carriers of the ended threads are reused.
    kind.runAll(100, () -> assertThat(ShownRecord.showsNoTrace()).isTrue());
  }

  /**
   * The first virtual thread with a trace starts the tracking of carriers. Others do not wait for
   * it: they show no trace until it is done.
   */
  private static void showOneTrace(Stage stage) {
    stage.assertShowsNone();
    Span root = stage.root();
    try (Scope scope = root.makeCurrent()) {
      stage.assertShows(root);
    }
    stage.assertShowsNone();
  }

  @Override
  public String toString() {
    return name;
  }
}
