/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.model.Endpoint;
import io.flamespan.page.model.Join;
import io.flamespan.page.model.Moments;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.ReceivedSpan;
import io.flamespan.page.model.Request;
import io.flamespan.page.model.SampledSpan;
import io.flamespan.page.model.SpanKey;
import io.flamespan.page.results.ThreadKey;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * The Firefox Profiler's processed format, version 66, which newer ones upgrade. Each endpoint is a
 * track, with its requests and their spans as markers above the samples; so is each kind of threads
 * without a request.
 */
final class FirefoxProfile {
  private static final int VERSION = 66;
  private static final int MOST_MARKERS = 50_000;
  private static final int INTERVAL = 1; // the phase of a marker with a start and an end

  private static final class Track {
    final String process;
    final String name;
    final List<Request> requests;
    final IntArrayList moments = new IntArrayList();

    Track(String process, String name, List<Request> requests) {
      this.process = process;
      this.name = name;
      this.requests = requests;
    }
  }

  private final Join join;
  private final Profiles profiles;
  private final Map<SpanKey, List<ReceivedSpan>> spansOfRequests;
  private final FirefoxTables tables;
  private final List<Track> tracks = new ArrayList<>();
  private final long startNanos;
  private int markers;
  private long markersLeftOut;

  FirefoxProfile(Join join, Profiles profiles) {
    this.join = join;
    this.profiles = profiles;
    this.spansOfRequests = join.spansOfRequests();
    this.tables = new FirefoxTables(profiles);
    assign();
    long start = Long.MAX_VALUE;
    for (Track track : tracks) {
      for (int moment : track.moments) {
        start = Math.min(start, profiles.moments().unixNanos(moment));
      }
      for (Request request : track.requests) {
        start = Math.min(start, request.span().startNanos());
      }
    }
    startNanos = start == Long.MAX_VALUE ? 0 : start;
  }

  private void assign() {
    int[] ofLinks = new int[profiles.samples().links().size()];
    Arrays.fill(ofLinks, -1);
    for (Endpoint endpoint : join.endpoints()) {
      for (Request request : endpoint.requests()) {
        for (SampledSpan span : request.sampled()) {
          ofLinks[span.link()] = tracks.size();
        }
      }
      tracks.add(new Track(endpoint.service(), endpoint.name(), endpoint.requests()));
    }
    int threads = tracks.size();
    for (int number = 0; number < profiles.threads().size(); number++) {
      ThreadKey key = profiles.threads().key(number);
      tracks.add(new Track(key.process(), ThreadKey.titled(key.name()), List.of()));
    }
    Moments moments = profiles.moments();
    for (int moment = 0; moment < moments.size(); moment++) {
      int owner = moments.owner(moment);
      int track = owner < 0 ? threads - 1 - owner : ofLinks[owner];
      if (track >= 0) {
        tracks.get(track).moments.add(moment);
      }
    }
    tracks.removeIf(track -> track.moments.isEmpty() && track.requests.isEmpty());
  }

  void write(Path file) throws IOException {
    try (JsonWriter json = new JsonWriter(TextFiles.writer(file))) {
      json.beginObject();
      json.name("libs").beginArray().endArray();
      json.name("threads").beginArray();
      for (int number = 0; number < tracks.size(); number++) {
        track(json, tracks.get(number), number);
      }
      json.endArray();
      tables.write(json);
      meta(json);
      json.endObject();
    }
  }

  private void track(JsonWriter json, Track track, int number) throws IOException {
    track.moments.sort(
        (a, b) -> Long.compare(profiles.moments().unixNanos(a), profiles.moments().unixNanos(b)));
    json.beginObject();
    json.name("processType").value("default");
    json.name("processStartupTime").value(0);
    json.name("processShutdownTime").nullValue();
    json.name("registerTime").value(0);
    json.name("unregisterTime").nullValue();
    json.name("pausedRanges").beginArray().endArray();
    json.name("showMarkersInTimeline").value(true);
    json.name("name").value(track.name);
    json.name("isMainThread").value(false);
    json.name("processName").value(track.process);
    json.name("pid").value(track.process.isEmpty() ? "0" : track.process);
    json.name("tid").value(number);
    samples(json, track.moments);
    markers(json, track);
    json.endObject();
  }

  private void samples(JsonWriter json, IntArrayList chosen) throws IOException {
    Moments moments = profiles.moments();
    json.name("samples").beginObject();
    json.name("stack").beginArray();
    for (int i = 0; i < chosen.size(); i++) {
      int stack = FirefoxTables.stack(moments.stack(chosen.getInt(i)));
      if (stack < 0) {
        json.nullValue();
      } else {
        json.value(stack);
      }
    }
    json.endArray();
    millis(json, "time", chosen, moment -> moments.unixNanos(moment) - startNanos);
    millis(json, "weight", chosen, moments::cpuNanos);
    json.name("weightType").value("tracing-ms");
    FirefoxTables.end(json, chosen.size());
  }

  private static void millis(
      JsonWriter json, String name, IntArrayList moments, IntToLongFunction nanos)
      throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < moments.size(); i++) {
      json.value(millis(nanos.applyAsLong(moments.getInt(i))));
    }
    json.endArray();
  }

  /** Writes the slowest requests, each followed by its spans, until there are too many of all. */
  private void markers(JsonWriter json, Track track) throws IOException {
    List<ReceivedSpan> shown = new ArrayList<>();
    for (Request request : track.requests) {
      List<ReceivedSpan> spans = spansOfRequests.getOrDefault(request.span().key(), List.of());
      if (markers + spans.size() > MOST_MARKERS) {
        markersLeftOut += spans.size();
      } else {
        markers += spans.size();
        shown.addAll(spans);
      }
    }
    json.name("markers").beginObject();
    FirefoxTables.column(
        json, "name", shown.size(), i -> tables.string(Graphs.cut(shown.get(i).name())));
    json.name("startTime").beginArray();
    for (ReceivedSpan span : shown) {
      json.value(millis(span.startNanos() - startNanos));
    }
    json.endArray();
    json.name("endTime").beginArray();
    for (ReceivedSpan span : shown) {
      json.value(millis(span.startNanos() - startNanos + span.durationNanos()));
    }
    json.endArray();
    FirefoxTables.column(json, "phase", shown.size(), i -> INTERVAL);
    FirefoxTables.column(json, "category", shown.size(), i -> 0);
    json.name("data").beginArray();
    for (ReceivedSpan span : shown) {
      json.beginObject();
      json.name("type").value(join.isRequest(span) ? "Request" : "Span");
      json.name("trace").value(span.key().traceId());
      json.name("span").value(span.key().spanId());
      json.name("service").value(Graphs.cut(span.service().title()));
      json.endObject();
    }
    json.endArray();
    FirefoxTables.end(json, shown.size());
  }

  private void meta(JsonWriter json) throws IOException {
    json.name("meta").beginObject();
    json.name("interval").value(1);
    json.name("startTime").value(millis(startNanos));
    json.name("processType").value(0);
    json.name("product").value("Requests with their CPU time");
    json.name("stackwalk").value(1);
    json.name("version").value(24); // of another format, not read
    json.name("preprocessedProfileVersion").value(VERSION);
    json.name("symbolicated").value(true);
    json.name("usesOnlyOneStackType").value(true);
    json.name("sourceCodeIsNotOnSearchfox").value(true);
    json.name("keepProfileThreadOrder").value(true);
    json.name("categories").beginArray();
    List<String> colours = List.of("grey", "blue", "orange", "red");
    for (int i = 0; i < colours.size(); i++) {
      json.beginObject().name("name").value(FirefoxTables.CATEGORIES.get(i));
      json.name("color").value(colours.get(i));
      json.name("subcategories").beginArray().value("Other").endArray().endObject();
    }
    json.endArray();
    json.name("markerSchema").beginArray();
    for (String kind : List.of("Request", "Span")) {
      json.beginObject().name("name").value(kind);
      json.name("display").beginArray();
      json.value("marker-chart").value("marker-table").value("timeline-overview").endArray();
      json.name("fields").beginArray();
      for (String field : List.of("trace", "span", "service")) {
        json.beginObject().name("key").value(field).name("label").value(field);
        json.name("format").value("string").endObject();
      }
      json.endArray().endObject();
    }
    json.endArray();
    leftOut(json);
    json.endObject();
  }

  private void leftOut(JsonWriter json) throws IOException {
    json.name("extra").beginArray().beginObject();
    json.name("label").value("Left out").name("entries").beginArray();
    json.beginObject().name("label").value("Samples").name("format").value("integer");
    json.name("value").value(profiles.moments().leftOut()).endObject();
    json.beginObject().name("label").value("Spans").name("format").value("integer");
    json.name("value").value(markersLeftOut).endObject();
    json.endArray().endObject().endArray();
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }
}
