/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MethodRequestsTest {
  private static final int REQUESTS = 20_000;
  private static final long MS = 1_000_000;

  @Test
  void answer_ofManyRequests_writesOnlyRowsThatItHasRoomFor() {
    MethodRequests requests =
        new MethodRequests(frame -> frame.name().equals("com.example.Shop.serve"));
    requests.add(endpoint());
    Answer answer = new Answer();
    EndpointNames names = new EndpointNames(Set.of(EndpointNames.Id.of(endpoint())), List.of());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    requests.write(answer, Measure.CPU, names);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(answer.bytes()).isLessThanOrEqualTo(Answer.LIMIT);
    int rows = (int) answer.toString().lines().filter(line -> line.contains("| GET / |")).count();
    assertThat(answer.toString()).contains("| (" + (REQUESTS - rows) + " others) |");
    assertThat(bytes / REQUESTS).as("bytes for each request").isLessThan(500);
  }

  /** Each request has the method and 10 ms of it. */
  private static EndpointResult endpoint() {
    Frames frames = new Frames();
    StackTree tree = new StackTree(10);
    int stack =
        tree.child(StackTree.ROOT, frames.number("com.example.Shop.serve", "Shop.java", "jvm"));
    Tally tally = new Tally();
    tally.add(Measure.CPU, 1, 10 * MS);
    List<EndpointResult.Dot> all =
        IntStream.range(0, REQUESTS)
            .mapToObj(
                number ->
                    new EndpointResult.Dot(
                        String.format("%032x", number),
                        number,
                        number * MS,
                        true,
                        20 * MS,
                        tally,
                        new Measured(20 * MS)))
            .toList();
    RequestStacks stacks =
        new RequestStacks(
            REQUESTS,
            () -> all,
            () -> List.of(Map.of()),
            place -> visitor -> visitor.rows(stack, -1, tally),
            tree,
            frames,
            new FlameTrees(tree, frames));
    return (EndpointResult)
        Proxy.newProxyInstance(
            EndpointResult.class.getClassLoader(),
            new Class<?>[] {EndpointResult.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "requestStacks" -> stacks;
                  case "name" -> "GET /";
                  case "service" -> "shop";
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
