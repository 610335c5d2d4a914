/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client that sends one request at a time. */
public final class Visits {

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private Visits() {}

  /**
   * Requests the paths in turn, each the given number of times.
   *
   * @return the bodies of the responses
   * @throws IOException if a response has a status other than 200
   */
  public static List<String> to(URI application, int ofEach, String... paths)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < ofEach; i++) {
      for (String path : paths) {
        URI address = application.resolve(path);
        HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
          throw new IOException(address + " answered with status " + response.statusCode());
        }
        answers.add(response.body());
      }
    }
    return answers;
  }
}
