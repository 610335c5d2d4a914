/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** One client that sends one request after the other. */
public final class Visits {

  private Visits() {}

  /** Fails if one is not answered with 200. */
  public static void to(URI address, int requests) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(address).build();
    for (int i = 0; i < requests; i++) {
      int status = client.send(request, BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IOException(address + " answered with status " + status);
      }
    }
  }
}
