/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.SpanFlags;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All spans that were received, each once. */
public final class Spans {
  static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";

  static final int HAS_IS_REMOTE = SpanFlags.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK.getNumber();
  static final int IS_REMOTE = SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK.getNumber();

  private static final Set<SpanKind> CALLERS =
      EnumSet.of(SpanKind.SPAN_KIND_CLIENT, SpanKind.SPAN_KIND_PRODUCER);
  private static final Set<SpanKind> CALLED =
      EnumSet.of(SpanKind.SPAN_KIND_SERVER, SpanKind.SPAN_KIND_CONSUMER);

  private final Problems problems;
  private final Map<SpanKey, ReceivedSpan> spans = new LinkedHashMap<>();
  private final Map<Service, Service> services = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final FewValues fewValues = new FewValues();
  private final Set<String> runtimes = new TreeSet<>();
  private long withoutTimes;
  private final Map<SpanKey, Optional<ReceivedSpan>> localRoots = new HashMap<>();

  public Spans(Problems problems) {
    this.problems = problems;
  }

  /** Adds the spans of a message, which stays as it is. */
  public void add(ReadTraces read, String where) {
    for (OfResource<ReadSpan> resource : read.resources) {
      Service service = services.computeIfAbsent(Service.of(resource.resource), known -> known);
      Map<String, String> ofResource = fewValues.ofResource(resource.resource.attributes());
      resource.resource.runtime().ifPresent(runtimes::add);
      resource.all.forEach(span -> add(span, service, ofResource, where));
    }
  }

  private void add(ReadSpan span, Service service, Map<String, String> ofResource, String where) {
    SpanKey key = span.key();
    if (key == null) {
      problems.add(
          "not a span",
          where + " has a span without valid ids; is it from another signal or another program?");
      return;
    }
    String name = names.computeIfAbsent(span.name(), added -> added);
    Map<String, String> few =
        span.mayBeLocalRoot() ? fewValues.of(span.attributes(), ofResource) : Map.of();
    ReceivedSpan received = span.received(key, name, service, few);
    ReceivedSpan known = spans.putIfAbsent(key, received);
    if (known == null && !received.hasTimes()) {
      withoutTimes++;
    }
    if (known != null) {
      problems.add(
          "span received twice",
          where + " has span " + key.spanId() + " of trace " + key.traceId() + " again, left out");
    }
  }

  /** Tells what is not known of spans, after all were added. */
  public void report() {
    if (withoutTimes > 0) {
      problems.add(
          "spans without a start or an end that can be",
          withoutTimes + "; they count, but not in durations");
    }
  }

  /** Notes which attributes had many values before those were forgotten. */
  void addManyValues(FewValues ofForgotten) {
    fewValues.addMany(ofForgotten);
  }

  /** The attributes of a span by which requests can be grouped, after all were added. */
  Map<String, String> withoutManyValues(Map<String, String> attributes) {
    return fewValues.only(attributes);
  }

  public Collection<ReceivedSpan> all() {
    return Collections.unmodifiableCollection(spans.values());
  }

  /** The runtimes of all processes, as far as their resources tell. */
  public Set<String> runtimes() {
    return Collections.unmodifiableSet(runtimes);
  }

  /** Null if the span was not received. */
  public @Nullable ReceivedSpan find(SpanKey key) {
    return spans.get(key);
  }

  /**
   * The span itself, or its nearest ancestor that is a local root span. Empty if that or a span
   * between them was not received. Call it after all spans were added. Any thread may call this.
   */
  synchronized Optional<ReceivedSpan> localRootOf(ReceivedSpan span) {
    Set<SpanKey> passed = new HashSet<>();
    Optional<ReceivedSpan> root = Optional.empty();
    // Spans may be parents of each other.
    for (ReceivedSpan at = span; at != null && passed.add(at.key()); at = parentOf(at)) {
      Optional<ReceivedSpan> known = localRoots.get(at.key());
      if (known != null || isLocalRoot(at)) {
        root = known != null ? known : Optional.of(at);
        break;
      }
    }
    for (SpanKey key : passed) {
      localRoots.put(key, root);
    }
    return root;
  }

  /** The parent in the same process, null for a local root span. */
  @Nullable ReceivedSpan parentInProcess(ReceivedSpan span) {
    return isLocalRoot(span) ? null : parentOf(span);
  }

  private @Nullable ReceivedSpan parentOf(ReceivedSpan span) {
    return spans.get(span.key().withSpan(span.parentSpanId()));
  }

  /**
   * Whether the span does not have a parent in the same process. Its flags say so. Without flags, a
   * parent counts as remote if it was not received or belongs to another service, or if its kind
   * says that it called and the span's that it was called.
   */
  public boolean isLocalRoot(ReceivedSpan span) {
    if (span.parentSpanId() == 0) {
      return true;
    }
    if ((span.flags() & HAS_IS_REMOTE) != 0) {
      return (span.flags() & IS_REMOTE) != 0;
    }
    ReceivedSpan parent = parentOf(span);
    return parent == null
        || !parent.service().sameProcess(span.service())
        || (CALLERS.contains(parent.kind()) && CALLED.contains(span.kind()));
  }
}
