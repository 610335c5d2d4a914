/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Scopes that are nested, left open, closed twice, closed in any order or on any thread. */
final class ScopeUses {
  static final List<Scenario> ALL =
      List.of(
          new Scenario("the same context and the same span three times", ScopeUses::reentrant),
          new Scenario("two hundred scopes deep", stage -> descend(stage, null, 200)),
          new Scenario("a context again above others, the lower closed first", ScopeUses::again),
          new Scenario("a thread ends with open scopes", ScopeUses::neverClosed),
          new Scenario("tasks of a pool forget to close", ScopeUses::forgottenInPool),
          new Scenario("closed twice", ScopeUses::closedTwice),
          new Scenario("closed in any order", ScopeUses::closedInAnyOrder),
          new Scenario("closed after the span was exported", ScopeUses::closedAfterExport),
          new Scenario("closed after the trace was forgotten", ScopeUses::closedAfterForgotten),
          new Scenario("closed where nothing is current", ScopeUses::closedWhereNothingIs),
          new Scenario("closed where another span is current", ScopeUses::closedWhereAnotherIs),
          new Scenario("closed where the context is current", ScopeUses::closedWhereItIs),
          new Scenario("suspended, resumed on another thread", ScopeUses::resumedElsewhere));

  private static void reentrant(Stage stage) {
    Span root = stage.root();
    Span child = stage.child(root);
    Context context = Stage.with(child);
    try (Scope scope = root.makeCurrent()) {
      nest(stage, context::makeCurrent, child, 3);
      stage.assertShows(root);
      nest(stage, child::makeCurrent, child, 3);
      stage.assertShows(root);
      nest(stage, root::makeCurrent, root, 3);
    }
    stage.assertShowsNone();
  }

  private static void nest(Stage stage, Supplier<Scope> opening, Span span, int times) {
    try (Scope scope = opening.get()) {
      stage.assertShows(span);
      if (times > 1) {
        nest(stage, opening, span, times - 1);
        stage.assertShows(span);
      }
    }
  }

  /** Nests scopes: every tenth span is a new root, and every seventh context has no span. */
  private static void descend(Stage stage, Span parent, int scopes) {
    Span span = scopes % 10 == 0 ? stage.root() : stage.child(parent);
    boolean without = scopes % 7 == 0;
    try (Scope scope = without ? Context.root().makeCurrent() : span.makeCurrent()) {
      Span shown = Span.fromContextOrNull(Context.current());
      stage.assertShowsCurrent();
      if (scopes > 1) {
        descend(stage, span, scopes - 1);
      }
      if (shown == null) {
        stage.assertShowsNone();
      } else {
        stage.assertShows(shown);
      }
    }
    stage.assertShowsCurrent();
  }

  private static void again(Stage stage) {
    Context first = Stage.with(stage.root());
    Context second = Stage.with(stage.child(stage.root()));
    List<Scope> scopes = new ArrayList<>();
    for (Context context : List.of(first, second, first, Context.root(), second, first)) {
      scopes.add(context.makeCurrent());
      stage.assertShowsCurrent();
    }
    for (int i : new int[] {0, 5, 4, 2, 1, 3, 0}) {
      Stage.close(scopes.get(i));
      stage.assertShowsCurrent();
    }
  }

  private static void neverClosed(Stage stage) throws Exception {
    stage.runAll(
        40,
        () -> {
          Span root = stage.root();
          Scope open = root.makeCurrent();
          stage.assertShows(root);
          Span child = stage.child(root);
          Scope alsoOpen = child.makeCurrent();
          stage.assertShows(child);
        });
    stage.runAll(stage.kind() == ThreadKind.VIRTUAL ? 1_000 : 100, stage::assertShowsNone);
  }

  private static void forgottenInPool(Stage stage) throws Exception {
    ExecutorService worker = stage.worker();
    Span root = stage.root();
    for (Span span : List.of(root, stage.child(root), stage.root(), root, root)) {
      Stage.on(
          worker,
          () -> {
            stage.assertShowsCurrent();
            Scope open = span.makeCurrent();
            stage.assertShows(span);
          });
      stage.assertShowCurrent(worker);
      Stage.on(
          worker,
          () -> {
            Scope open = Context.root().makeCurrent();
            stage.assertShowsNone();
          });
      stage.assertShowCurrent(worker);
      Stage.on(
          worker,
          () -> {
            try (Scope scope = root.makeCurrent()) {
              stage.assertShows(root);
            }
            stage.assertShowsCurrent();
          });
    }
  }

  private static void closedTwice(Stage stage) {
    Span outer = stage.root();
    Span inner = stage.child(outer);
    Span other = stage.root();
    Scope outerScope = outer.makeCurrent();
    Scope innerScope = inner.makeCurrent();
    for (int i = 0; i < 2; i++) {
      Stage.close(innerScope);
      stage.assertShows(outer);
    }
    try (Scope otherScope = other.makeCurrent()) {
      Stage.close(innerScope);
      stage.assertShows(other);
    }
    try (Scope innerAgain = inner.makeCurrent()) {
      Stage.close(innerScope);
      stage.assertShowsCurrent();
    }
    stage.assertShows(outer);
    for (int i = 0; i < 2; i++) {
      Stage.close(outerScope);
      stage.assertShowsNone();
    }
  }

  private static void closedInAnyOrder(Stage stage) throws Exception {
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int[] order : orders) {
      stage.kind().run(() -> closeInOrder(stage, order));
    }
  }

  private static void closeInOrder(Stage stage, int[] order) {
    Span root = stage.root();
    Scope[] scopes = new Scope[3];
    Span[] spans = {root, stage.root(), stage.child(root)};
    for (int i = 0; i < 3; i++) {
      scopes[i] = spans[i].makeCurrent();
      stage.assertShows(spans[i]);
    }
    for (int rounds = 0; rounds < 3; rounds++) {
      for (int i : order) {
        Stage.close(scopes[i]);
        stage.assertShowsCurrent();
      }
    }
  }

  private static void closedAfterExport(Stage stage) {
    Span root = stage.root();
    Span child = stage.child(root);
    try (Scope rootScope = root.makeCurrent()) {
      try (Scope childScope = child.makeCurrent()) {
        stage.endAndExport(child);
        stage.assertShows(child);
        stage.endAndExport(root);
        stage.assertShows(child);
      }
      stage.assertShows(root);
    }
    stage.assertShowsNone();
  }

  private static void closedAfterForgotten(Stage stage) {
    Span root = stage.root();
    Span child = stage.child(root);
    Scope rootScope = root.makeCurrent();
    Scope childScope = child.makeCurrent();
    Span other = stage.root();
    try (Scope otherScope = other.makeCurrent()) {
      child.end();
      stage.endAndExport(root);
      stage.endManyOthers();
      stage.assertShows(other);
    }
    // The local root of the child may have been evicted, but must not be a wrong one.
    assertThat(Span.current()).isSameAs(child);
    assertThat(ShownRecord.showsNoTrace() || ShownRecord.shows(child, root)).isTrue();
    childScope.close();
    stage.assertShows(root);
    rootScope.close();
    stage.assertShowsNone();
  }

  private static void closedWhereNothingIs(Stage stage) throws Exception {
    ExecutorService here = stage.worker();
    ExecutorService there = stage.worker();
    AtomicReference<Scope> scope = new AtomicReference<>();
    Span root = stage.root();
    Stage.on(here, () -> scope.set(root.makeCurrent()));
    stage.assertShowCurrent(here, there);
    for (ExecutorService closing : List.of(there, here, there, here)) {
      Stage.on(closing, () -> Stage.close(scope.get()));
      stage.assertShowCurrent(here, there);
    }
    Stage.on(there, stage::assertShowsNone);
  }

  private static void closedWhereAnotherIs(Stage stage) throws Exception {
    ExecutorService here = stage.worker();
    ExecutorService there = stage.worker();
    AtomicReference<Scope> scope = new AtomicReference<>();
    AtomicReference<Scope> other = new AtomicReference<>();
    Span root = stage.root();
    Span otherSpan = stage.child(stage.root());
    Stage.on(here, () -> scope.set(root.makeCurrent()));
    Stage.on(there, () -> other.set(otherSpan.makeCurrent()));
    stage.assertShowCurrent(here, there);
    Stage.on(there, () -> Stage.close(scope.get()));
    stage.assertShowCurrent(here, there);
    Stage.on(there, () -> stage.assertShows(otherSpan));
    Stage.on(here, () -> Stage.close(other.get()));
    stage.assertShowCurrent(here, there);
    Stage.on(here, () -> stage.assertShows(root));
  }

  private static void closedWhereItIs(Stage stage) throws Exception {
    ExecutorService here = stage.worker();
    ExecutorService there = stage.worker();
    AtomicReference<Scope> scope = new AtomicReference<>();
    AtomicReference<Scope> sameThere = new AtomicReference<>();
    Span below = stage.root();
    Context context = Stage.with(stage.child(stage.root()));
    Stage.on(here, () -> below.makeCurrent());
    Stage.on(here, () -> scope.set(context.makeCurrent()));
    Stage.on(there, () -> sameThere.set(context.makeCurrent()));
    stage.assertShowCurrent(here, there);
    Stage.on(there, () -> Stage.close(scope.get()));
    stage.assertShowCurrent(here, there);
    for (ExecutorService closing : List.of(here, there)) {
      Stage.on(closing, () -> Stage.close(scope.get()));
      Stage.on(closing, () -> Stage.close(sameThere.get()));
      stage.assertShowCurrent(here, there);
    }
  }

  /** Acts like a coroutine whose context wrongly stays attached across suspensions. */
  private static void resumedElsewhere(Stage stage) throws Exception {
    ExecutorService first = stage.worker();
    ExecutorService second = stage.worker();
    AtomicReference<Scope> scope = new AtomicReference<>();
    AtomicReference<Scope> resumed = new AtomicReference<>();
    Context context = Stage.with(stage.child(stage.root()));
    for (int rounds = 0; rounds < 3; rounds++) {
      Stage.on(first, () -> scope.set(context.makeCurrent()));
      stage.assertShowCurrent(first, second);
      Stage.on(second, () -> Stage.close(scope.get()));
      stage.assertShowCurrent(first, second);
      Stage.on(second, () -> resumed.set(context.makeCurrent()));
      stage.assertShowCurrent(first, second);
      Stage.on(second, () -> Stage.close(resumed.get()));
      stage.assertShowCurrent(first, second);
    }
    Stage.on(first, () -> Stage.close(scope.get()));
    stage.assertShowCurrent(first, second);
  }

  private ScopeUses() {}
}
