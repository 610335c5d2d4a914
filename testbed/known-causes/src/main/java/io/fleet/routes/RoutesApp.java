/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.fleet.routes;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import net.littleweb.Web;

/** A pool of two threads for the tasks of all requests. */
public final class RoutesApp {
  private RoutesApp() {}

  interface Leg {
    double minutes(int number);
  }

  static final class TrafficModel implements Leg {
    @Override
    public double minutes(int number) {
      try {
        Thread.sleep(40);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return number * 1.5;
    }
  }

  static final class RoutePlanner {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final Leg legs = new TrafficModel();

    double totalMinutes(int count) {
      List<CompletableFuture<Double>> all =
          IntStream.range(0, count)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> legs.minutes(i), pool))
              .toList();
      return all.stream().mapToDouble(CompletableFuture::join).sum();
    }
  }

  public static void main(String[] args) throws Exception {
    RoutePlanner planner = new RoutePlanner();
    new Web()
        .on("/drivers", query -> Web.digest("drivers"))
        .on("/route", query -> "minutes: " + planner.totalMinutes(10))
        .on("/trucks", query -> Web.digest("trucks"))
        .on("/depots", query -> Web.digest("depots"))
        .onJetty();
  }
}
