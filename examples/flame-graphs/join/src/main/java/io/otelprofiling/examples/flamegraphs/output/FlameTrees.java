/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import io.otelprofiling.examples.flamegraphs.model.Endpoint;
import io.otelprofiling.examples.flamegraphs.model.Frame;
import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.model.Request;
import io.otelprofiling.examples.flamegraphs.model.SampledSpan;
import io.otelprofiling.examples.flamegraphs.model.Samples;
import io.otelprofiling.examples.flamegraphs.model.StackTree;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds flame graphs of bounded size: small frames are summed up where they would stand. */
final class FlameTrees {
  private final Join join;
  private final Profiles profiles;
  private final StackTree stacks;

  // By node of the tree of all stacks, and zero between two graphs.
  private final long[] samples;
  private final long[] cpu;
  private final long[] waits;
  private final long[] waitNanos;
  private final boolean[] touched;

  FlameTrees(Join join, Profiles profiles) {
    this.join = join;
    this.profiles = profiles;
    this.stacks = profiles.tree();
    this.samples = new long[stacks.size()];
    this.cpu = new long[stacks.size()];
    this.waits = new long[stacks.size()];
    this.waitNanos = new long[stacks.size()];
    this.touched = new boolean[stacks.size()];
  }

  FlameTree ofEndpoint(Endpoint endpoint, int limit) {
    return of(endpoint.name(), endpoint.requests(), limit);
  }

  /** With a frame for each local root span if the trace has several. */
  FlameTree ofTraceOf(Request request, int limit) {
    List<Request> requests =
        join.requestsOfTraceOf(request).stream()
            .filter(one -> one == request || !one.tally().isEmpty())
            .toList();
    if (requests.size() == 1) {
      return of(title(request), requests, limit);
    }
    FlameTree whole = new FlameTree("trace " + request.span().key().traceId());
    for (Request one : requests) {
      whole.graft(of(title(one), List.of(one), Math.max(1, limit / requests.size())));
    }
    return whole;
  }

  private static String title(Request request) {
    return request.span().name() + " of " + request.span().service().title();
  }

  /** Of the samples whose Link names this span, and none below it. */
  FlameTree ofSpan(SampledSpan span, int limit) {
    return ofSampled(span.span().name(), List.of(span), limit);
  }

  private FlameTree of(String title, List<Request> requests, int limit) {
    List<SampledSpan> sampled = new ArrayList<>();
    requests.forEach(request -> sampled.addAll(request.sampled()));
    return ofSampled(title, sampled, limit);
  }

  private FlameTree ofSampled(String title, List<SampledSpan> sampled, int limit) {
    IntArrayList nodes = new IntArrayList();
    Samples rows = profiles.samples();
    touch(StackTree.ROOT, nodes);
    for (SampledSpan span : sampled) {
      join.rows()
          .forEach(
              span,
              row -> {
                samples[rows.stack(row)] += rows.samples(row);
                cpu[rows.stack(row)] += rows.cpuNanos(row);
                waits[rows.stack(row)] += rows.waits(row);
                waitNanos[rows.stack(row)] += rows.waitNanos(row);
                touch(rows.stack(row), nodes);
              });
    }
    int[] sorted = nodes.toIntArray();
    Arrays.sort(sorted);
    for (int i = sorted.length - 1; i > 0; i--) {
      int parent = stacks.parent(sorted[i]);
      samples[parent] += samples[sorted[i]];
      cpu[parent] += cpu[sorted[i]];
      waits[parent] += waits[sorted[i]];
      waitNanos[parent] += waitNanos[sorted[i]];
    }
    FlameTree tree = pruned(title, sorted, limit);
    for (int node : sorted) {
      samples[node] = 0;
      cpu[node] = 0;
      waits[node] = 0;
      waitNanos[node] = 0;
      touched[node] = false;
    }
    return tree;
  }

  private void touch(int leaf, IntArrayList nodes) {
    for (int node = leaf; node >= 0 && !touched[node]; node = stacks.parent(node)) {
      touched[node] = true;
      nodes.add(node);
    }
  }

  /** The nodes come with ascending numbers, so each parent before its children. */
  private FlameTree pruned(String title, int[] nodes, int limit) {
    boolean[] kept = largest(nodes, limit);
    FlameTree tree = new FlameTree(title);
    grow(tree, 0, StackTree.ROOT);
    Int2IntOpenHashMap numbers = new Int2IntOpenHashMap();
    numbers.put(StackTree.ROOT, 0);
    Int2IntOpenHashMap rests = new Int2IntOpenHashMap();
    rests.defaultReturnValue(-1);
    for (int i = 1; i < nodes.length; i++) {
      int node = nodes[i];
      int parent = numbers.getOrDefault(stacks.parent(node), -1);
      if (kept[i]) {
        Frame frame = profiles.frames().get(stacks.frame(node));
        numbers.put(node, tree.add(parent, frame));
        grow(tree, numbers.get(node), node);
        continue;
      }
      tree.leaveOut(1);
      if (parent >= 0) {
        int rest = rests.get(parent);
        if (rest < 0) {
          rest = tree.add(parent, new Frame("(smaller frames)", "", ""));
          rests.put(parent, rest);
        }
        grow(tree, rest, node);
      }
    }
    return tree;
  }

  private void grow(FlameTree tree, int number, int node) {
    tree.grow(number, samples[node], cpu[node], waits[node], waitNanos[node]);
  }

  /** A parent is never smaller than its children, and is kept before them if they are equal. */
  private boolean[] largest(int[] nodes, int limit) {
    boolean[] kept = new boolean[nodes.length];
    if (nodes.length <= limit) {
      Arrays.fill(kept, true);
      return kept;
    }
    int[] order = new int[nodes.length];
    Arrays.setAll(order, i -> i);
    IntArrays.quickSort(
        order,
        (a, b) -> {
          int bySize = Double.compare(size(nodes[b]), size(nodes[a]));
          return bySize != 0 ? bySize : Integer.compare(a, b);
        });
    for (int i = 0; i < limit; i++) {
      kept[order[i]] = true;
    }
    return kept;
  }

  /** The larger of the shares of the CPU time and of the waiting. */
  private double size(int node) {
    return Math.max(
        (double) cpu[node] / Math.max(1, cpu[StackTree.ROOT]),
        (double) waitNanos[node] / Math.max(1, waitNanos[StackTree.ROOT]));
  }
}
