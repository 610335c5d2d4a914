/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.REMOTE_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Two services: each checkout of the shop calls the store. Trace 1 has 6 samples in the shop and 3
 * in the store. 2 further samples do not have a Link.
 */
final class Example {
  static final long START = 1_767_225_600_000_000_000L;
  static final long MS = 1_000_000;
  static final long STORE_SPAN = 100;
  static final long INNER_SPAN = 200;

  private Example() {}

  static TracesData shop() {
    return new TraceData("shop")
        .root(1, "GET /checkout", START, START + 200 * MS)
        .stackTraceIds(6)
        .span(
            traceId(1),
            spanId(INNER_SPAN),
            spanId(1),
            LOCAL_PARENT,
            "price",
            START + 20 * MS,
            START + 80 * MS)
        .root(2, "GET /checkout", START, START + 100 * MS)
        .stackTraceIds(1)
        .root(3, "GET /search", START, START + 50 * MS)
        .build();
  }

  static TracesData store() {
    return new TraceData("store")
        .span(
            traceId(1),
            spanId(STORE_SPAN),
            spanId(INNER_SPAN),
            REMOTE_PARENT,
            "reserve",
            START + 30 * MS,
            START + 70 * MS)
        .build();
  }

  static ProfilesData shopProfile() {
    return new ProfileData()
        .service("shop")
        .sample(traceId(1), spanId(1), START, 4, List.of("main", "checkout", "tax"))
        .sample(traceId(1), spanId(1), START, 2, List.of("main", "checkout", "render"))
        .sample(traceId(2), spanId(2), START, 1, List.of("main", "checkout", "tax"))
        .sample(NONE, NONE, START, 2, List.of("main", "idle"))
        .build();
  }

  static ProfilesData storeProfile() {
    return new ProfileData()
        .service("store")
        .sample(
            traceId(1), spanId(STORE_SPAN), START + 30 * MS, 3, List.of("main", "reserve", "lock"))
        .build();
  }

  /** The program with all of it. */
  static JoinRun run(Path directory) throws IOException {
    return JoinRun.of(
        directory, CollectorFiles.json(shopProfile(), storeProfile(), shop(), store()));
  }
}
