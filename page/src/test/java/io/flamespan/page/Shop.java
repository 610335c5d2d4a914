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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page as large applications have it: long names, deep traces, waits, threads, a minute of
 * requests that take from 2 ms to 4 s, and a baseline.
 */
final class Shop {
  static final String LONG =
      "POST /api/v2/customers/{customerId}/orders/{orderId}/positions/{positionId}/recalculate";
  static final List<String> ENDPOINTS = List.of(LONG, "GET /list", "GET /health");

  private static final List<String> REGIONS =
      List.of("europe-west-1-with-a-long-name-that-has-no-space", "asia");
  private static final int SECONDS = 60;
  private static final int DEEPEST = 12;
  private static final String PACKAGE = "com.example.shop.warehouse.internal.";

  private Shop() {}

  static Path page(Path directory) throws IOException {
    Path before = Files.write(directory.resolve("before.jsonl"), file(1_000, 2));
    Path after = Files.write(directory.resolve("after.jsonl"), file(1, 3));
    return JoinRun.with(directory.resolve("out"), "--baseline", before.toString(), after.toString())
        .page();
  }

  private static byte[] file(int first, int samples) {
    TraceData traces = new TraceData("shop-of-a-service-with-a-long-name");
    ProfileData cpu = new ProfileData().service("shop-of-a-service-with-a-long-name");
    ProfileData waits =
        new ProfileData()
            .service("shop-of-a-service-with-a-long-name")
            .type("off_cpu", "nanoseconds");
    for (int second = 0; second < SECONDS; second++) {
      for (int place = 0; place < ENDPOINTS.size(); place++) {
        int number = first + second * ENDPOINTS.size() + place;
        long start = START + second * 1_000 * MS;
        long duration = duration(second, place);
        traces
            .root(number, ENDPOINTS.get(place), start, start + duration)
            .attribute(
                "com.example.shop.warehouse.region_of_the_customer", REGIONS.get(second % 2));
        for (int depth = 1; place == 0 && depth <= DEEPEST; depth++) {
          traces.span(
              traceId(number),
              spanId(number + depth * 100_000L),
              depth == 1 ? spanId(number) : spanId(number + (depth - 1) * 100_000L),
              LOCAL_PARENT,
              "SELECT * FROM positions WHERE depth = " + depth,
              start + depth * duration / 20,
              start + duration - depth * duration / 40);
        }
        List<String> stack = new ArrayList<>(List.of("java.lang.Thread.run()"));
        for (int depth = 0; depth < 5 + place; depth++) {
          stack.add(PACKAGE + "Warehouse" + depth + "Service.calculateAvailability" + second % 5);
        }
        if (place < 2) {
          int count = samples + second % 3;
          cpu.sample(traceId(number), spanId(number), start, duration, count, stack);
          waits.value(traceId(number), spanId(number), duration / 3, stack);
        }
      }
      cpu.threadSample("GC Thread#" + second % 4, START + second * 1_000 * MS, 1, List.of("mark"));
    }
    return CollectorFiles.json(traces.build(), cpu.build(), waits.build());
  }

  private static long duration(int second, int place) {
    return switch (place) {
      case 0 -> (1_000 + 50L * second) * MS;
      case 1 -> (20 + 2L * second) * MS;
      default -> 2 * MS;
    };
  }
}
