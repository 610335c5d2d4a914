/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.Unjoined;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Joins samples with requests by the ids in the Links, which name a local root span or any span
 * below it.
 */
public final class Join {
  record EndpointKey(String name, String service) {}

  private final Spans spans;
  private final List<Endpoint> endpoints;
  private final Map<SpanKey, List<ReceivedSpan>> traces = new HashMap<>();
  private final Map<SpanKey, List<Request>> requestsOfTraces = new HashMap<>();
  private final Map<Unjoined, Tally> unjoined = new EnumMap<>(Unjoined.class);
  private final OwnedRows rows;
  private final TimeLines timeLines;
  private final StackTraceIds stackTraceIds = new StackTraceIds();

  public Join(Spans spans, Profiles profiles, Problems problems) {
    this.spans = spans;
    for (Unjoined reason : Unjoined.values()) {
      unjoined.put(reason, new Tally());
    }
    EndOfRequests ends = new EndOfRequests(spans, profiles);
    ends.separate(unjoined(Unjoined.AFTER_THE_END));
    timeLines = new TimeLines(spans, profiles, ends.roots());
    unjoined(Unjoined.NO_LINK).add(profiles.withoutLink());
    unjoined(Unjoined.NEITHER_CPU_NOR_WAIT).add(profiles.others());
    rows = new OwnedRows(profiles.samples().sums(), profiles.samples().links().size());
    endpoints = endpoints(spans, requests(spans, profiles, problems), ends);
    stackTraceIds.report(problems);
  }

  /** The requests with samples, by local root span. */
  private Map<SpanKey, Request> requests(Spans spans, Profiles profiles, Problems problems) {
    Map<SpanKey, Request> joined = new HashMap<>();
    LinkChecks checks = new LinkChecks(problems);
    List<Samples.LinkUse> links = profiles.samples().links();
    for (int link = 0; link < links.size(); link++) {
      Samples.LinkUse use = links.get(link);
      ReceivedSpan span = spans.find(use.key());
      if (span == null) {
        unjoined(Unjoined.SPAN_NOT_RECEIVED).add(use.tally());
        continue;
      }
      Optional<ReceivedSpan> root = spans.localRootOf(span);
      if (root.isEmpty()) {
        unjoined(Unjoined.LOCAL_ROOT_NOT_RECEIVED).add(use.tally());
        continue;
      }
      joined
          .computeIfAbsent(root.get().key(), key -> new Request(root.get()))
          .add(new SampledSpan(span, link, use.tally()));
      checks.check(use, span);
    }
    return joined;
  }

  private List<Endpoint> endpoints(Spans spans, Map<SpanKey, Request> sampled, EndOfRequests ends) {
    Map<EndpointKey, Endpoint> found = new LinkedHashMap<>();
    for (ReceivedSpan span : spans.all()) {
      traces.computeIfAbsent(span.key().trace(), trace -> new ArrayList<>(4)).add(span);
      if (!spans.isLocalRoot(span)) {
        continue;
      }
      Request known = sampled.get(span.key());
      Request request = known == null ? new Request(span) : known;
      EndpointKey key = new EndpointKey(span.name(), span.service().title());
      found.computeIfAbsent(key, added -> new Endpoint(added.name(), added.service())).add(request);
      requestsOfTraces
          .computeIfAbsent(span.key().trace(), trace -> new ArrayList<>(2))
          .add(request);
      stackTraceIds.compare(
          span, request.tally().samples(), request.tally().waits(), ends.samplesAfter(span.key()));
    }
    List<Endpoint> sorted = new ArrayList<>(found.values());
    sorted.forEach(Endpoint::sort);
    sorted.sort(
        Comparator.comparingLong((Endpoint endpoint) -> -endpoint.tally().cpuNanos())
            .thenComparing(Endpoint::name)
            .thenComparing(Endpoint::service));
    return sorted;
  }

  /** The endpoint with the most CPU time first. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** The spans of all services. */
  List<ReceivedSpan> spansOfTrace(SpanKey trace) {
    return traces.getOrDefault(trace, List.of());
  }

  /** By the key of a request's local root span: that span, and those below it in its process. */
  public Map<SpanKey, List<ReceivedSpan>> spansOfRequests() {
    Map<SpanKey, List<ReceivedSpan>> found = new HashMap<>();
    for (ReceivedSpan span : spans.all()) {
      spans
          .localRootOf(span)
          .ifPresent(
              root -> found.computeIfAbsent(root.key(), key -> new ArrayList<>(1)).add(span));
    }
    return found;
  }

  public boolean isRequest(ReceivedSpan span) {
    return spans.isLocalRoot(span);
  }

  /** The local root spans of all services. */
  List<Request> requestsOfTrace(SpanKey trace) {
    return requestsOfTraces.getOrDefault(trace, List.of());
  }

  @SuppressWarnings("NullAway") // there is one for each reason
  public Tally unjoined(Unjoined reason) {
    return unjoined.get(reason);
  }

  TimeLines timeLines() {
    return timeLines;
  }

  public OwnedRows rows() {
    return rows;
  }

  public StackTraceIds stackTraceIds() {
    return stackTraceIds;
  }
}
