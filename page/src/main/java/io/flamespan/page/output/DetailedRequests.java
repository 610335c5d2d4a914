/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Slowest;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The requests of an endpoint with details. What is told of them is known once traces are written.
 */
final class DetailedRequests {
  private final List<RequestResult> requests;
  private final int most;
  private final Sentence sentence;
  private final Optional<Slowest> slowest;
  private final int[] traces;
  private final String[] sentences;

  DetailedRequests(EndpointResult endpoint, int most, Sentence sentence, TracesData traces) {
    this.requests = endpoint.detailed(most);
    this.most = most;
    this.sentence = sentence;
    this.slowest = Slowest.begin(endpoint, most);
    this.traces = new int[requests.size()];
    this.sentences = new String[requests.size()];
    for (int place = 0; place < requests.size(); place++) {
      int of = place;
      this.traces[place] = traces.add(requests.get(place), graph -> take(of, graph));
    }
  }

  private void take(int place, FlameTree graph) {
    RequestResult request = requests.get(place);
    sentences[place] = sentence.of(request.measured(), graph);
    if (place < most && slowest.isPresent()) {
      slowest.get().add(request, graph);
    }
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  /** Empty if these are all requests, or none is known. */
  Optional<Slowest> slowest() {
    return requests.isEmpty() ? Optional.empty() : slowest;
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("slowest").beginArray();
    for (int place = 0; place < requests.size(); place++) {
      RequestResult request = requests.get(place);
      json.beginObject();
      json.name("trace").value(traces[place]);
      json.name("span").value(HexFormat.of().toHexDigits(request.spanId()));
      json.name("start").value(request.startNanos() / 1_000_000);
      json.name("duration").value(request.durationNanos());
      PartsJson.write(json, "parts", sentences[place], Parts.ofOne(request.measured()));
      graphs.tally("tally", request.tally());
      json.endObject();
    }
    json.endArray();
  }
}
