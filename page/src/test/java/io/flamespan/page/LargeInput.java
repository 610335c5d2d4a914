/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes traces and profiles of any size, as OTLP JSON with batches of a usual size. */
final class LargeInput {
  private static final int BATCH = 2_000;
  private static final int SPANS_OF_A_TRACE = 5;
  private static final int ENDPOINTS = 40;
  private static final int FRAMES_OF_A_STACK = 30;

  private LargeInput() {}

  static void traces(Path file, int spans) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int first = 0; first < spans; first += BATCH) {
        TraceData batch = new TraceData("shop");
        for (int span = first; span < Math.min(spans, first + BATCH); span++) {
          int trace = span / SPANS_OF_A_TRACE + 1;
          long start = START + trace * MS;
          if (span % SPANS_OF_A_TRACE == 0) {
            batch.root(
                trace, "GET /endpoint/" + trace % ENDPOINTS, start, start + trace % 997 * MS);
          } else {
            byte[] id = spanId(1L << 32 | span);
            batch.span(traceId(trace), id, spanId(trace), LOCAL_PARENT, "work", start, start + MS);
          }
        }
        out.write(CollectorFiles.json(batch.build()));
      }
    }
  }

  /** With as many stacks as samples, each sample has a different stack. */
  static void profiles(Path file, int samples, int stacks, int spans) throws IOException {
    Random random = new Random(1);
    int traces = Math.max(1, spans / SPANS_OF_A_TRACE);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int first = 0; first < samples; first += BATCH) {
        ProfileData batch = new ProfileData().service("shop");
        for (int sample = first; sample < Math.min(samples, first + BATCH); sample++) {
          int trace = random.nextInt(traces) + 1;
          batch.sample(
              traceId(trace), spanId(trace), START + trace * MS, 1, stack(sample % stacks));
        }
        out.write(CollectorFiles.json(batch.build()));
      }
    }
  }

  private static List<String> stack(int number) {
    List<String> frames = new ArrayList<>();
    for (int depth = 0; depth < FRAMES_OF_A_STACK; depth++) {
      // Few distinct outer frames, many inner ones.
      int choices = Math.min(depth * depth + 1, 300);
      frames.add("com.example.shop.Layer" + depth + ".method" + number % choices);
    }
    frames.add("com.example.shop.Leaf.method" + number);
    return frames;
  }
}
