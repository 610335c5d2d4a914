/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.results.ThreadResult;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The file format of speedscope, with a profile for each endpoint that has samples, and for each
 * kind of threads that worked for no request.
 */
final class Speedscope {
  private static final int NODES = 1_000_000;
  private static final int LARGEST_TREE = 50_000;
  private static final int MOST_THREADS = 50;
  private static final int THREAD_TREE = 5_000;

  private final Results results;
  private final Frames frames = new Frames();

  Speedscope(Results results) {
    this.results = results;
  }

  void write(Path file) throws IOException {
    try (JsonWriter json = new JsonWriter(TextFiles.writer(file))) {
      json.beginObject();
      json.name("$schema").value("https://www.speedscope.app/file-format-schema.json");
      json.name("exporter").value("flame-graphs-join");
      json.name("name").value("CPU time of endpoints");
      json.name("profiles").beginArray();
      List<EndpointResult> endpoints = results.endpoints(Integer.MAX_VALUE);
      int limit = Math.max(100, Math.min(LARGEST_TREE, NODES / Math.max(1, endpoints.size())));
      for (EndpointResult endpoint : endpoints) {
        profiles(json, endpoint.name() + " of " + endpoint.service(), endpoint.tree(limit));
      }
      for (ThreadResult thread : results.threads(MOST_THREADS)) {
        String process = thread.process().isEmpty() ? "" : " of " + thread.process();
        profiles(json, ThreadKey.titled(thread.name()) + process, thread.tree(THREAD_TREE));
      }
      json.endArray();
      json.name("shared").beginObject().name("frames").beginArray();
      for (int number = 0; number < frames.size(); number++) {
        Frame frame = frames.get(number);
        json.beginObject().name("name").value(frame.name());
        if (!frame.file().isEmpty()) {
          json.name("file").value(frame.file());
        }
        json.endObject();
      }
      json.endArray().endObject().endObject();
    }
  }

  /** Writes one for CPU time, one for allocation and one for locks, each if there is any. */
  private void profiles(JsonWriter json, String name, FlameTree tree) throws IOException {
    if (tree.cpuNanos(0) > 0) {
      profile(json, name, "nanoseconds", tree, tree::cpuNanos);
    }
    if (tree.amount(Measure.ALLOC, 0) > 0) {
      profile(json, name + ", allocation", "bytes", tree, node -> tree.amount(Measure.ALLOC, node));
    }
    if (tree.amount(Measure.LOCK, 0) > 0) {
      profile(json, name + ", locks", "nanoseconds", tree, node -> tree.amount(Measure.LOCK, node));
    }
  }

  private void profile(
      JsonWriter json, String name, String unit, FlameTree tree, IntToLongFunction amount)
      throws IOException {
    json.beginObject();
    json.name("type").value("sampled");
    json.name("name").value(name);
    json.name("unit").value(unit);
    json.name("startValue").value(0);
    json.name("endValue").value(amount.applyAsLong(0));
    long[] self = new long[tree.size()];
    for (int node = tree.size() - 1; node >= 0; node--) {
      self[node] += amount.applyAsLong(node);
      if (node > 0) {
        self[tree.parent(node)] -= amount.applyAsLong(node);
      }
    }
    LongArrayList weights = new LongArrayList();
    json.name("samples").beginArray();
    for (int node = 0; node < tree.size(); node++) {
      if (self[node] > 0) {
        weights.add(self[node]);
        stack(json, tree, node);
      }
    }
    json.endArray();
    json.name("weights").beginArray();
    for (int i = 0; i < weights.size(); i++) {
      json.value(weights.getLong(i));
    }
    json.endArray().endObject();
  }

  /** Begins with the outermost frame and leaves out the root, which is the endpoint. */
  private void stack(JsonWriter json, FlameTree tree, int leaf) throws IOException {
    IntArrayList stack = new IntArrayList();
    for (int node = leaf; node > 0; node = tree.parent(node)) {
      stack.add(frames.number(tree.frame(node)));
    }
    json.beginArray();
    for (int i = stack.size() - 1; i >= 0; i--) {
      json.value(stack.getInt(i));
    }
    json.endArray();
  }
}
