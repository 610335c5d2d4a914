/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot.runner;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One client, who asks for both paths in turn. */
final class Visits {
  static final String BUSY = "/busy";
  static final String IDLE = "/idle";
  static final int OF_EACH = 15;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Visits() {}

  static List<Answer> to(URI shop) throws IOException, InterruptedException {
    HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < OF_EACH; i++) {
      for (String path : List.of(BUSY, IDLE)) {
        HttpRequest request = HttpRequest.newBuilder(shop.resolve(path)).timeout(TIMEOUT).build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        answers.add(new Answer(path, response.statusCode(), response.body()));
      }
    }
    return answers;
  }
}
