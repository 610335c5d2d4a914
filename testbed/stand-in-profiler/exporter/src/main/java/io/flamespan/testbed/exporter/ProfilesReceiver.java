/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import static java.net.http.HttpResponse.BodyHandlers.ofByteArray;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A receiver of OTLP profiles over HTTP. */
final class ProfilesReceiver {
  // The end takes up to three attempts: two with the current batch and one with the last.
  private static final int ATTEMPT_SECONDS = 3;

  // Those that OTLP declares retryable.
  private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);

  enum Outcome {
    DONE,
    /** The request may succeed later. */
    AGAIN,
    /** It will not succeed. */
    REFUSED
  }

  /** The reason is one sentence, null if the receiver has accepted everything. */
  record Answer(Outcome outcome, String reason, long rejectedProfiles) {}

  private final URI url;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Throws an exception with the reason if the URL is not one of a receiver. */
  ProfilesReceiver(String url) throws URISyntaxException {
    URI given = new URI(url);
    boolean isHttp = "http".equals(given.getScheme()) || "https".equals(given.getScheme());
    if (!isHttp || given.getHost() == null) {
      throw new URISyntaxException(url, "has to be http://HOST[:PORT][/PATH]");
    }
    if (given.getUserInfo() != null || given.getFragment() != null) {
      throw new URISyntaxException(url, "has a user or a fragment");
    }
    if (given.getPort() == 0 || given.getPort() > 65535) {
      throw new URISyntaxException(url, "needs a port from 1 to 65535 after the colon");
    }
    boolean hasPath = !given.getPath().isEmpty() && !given.getPath().equals("/");
    this.url = hasPath ? given : given.resolve("/v1development/profiles");
  }

  URI url() {
    return url;
  }

  /** Sends a request, and waits for the answer for a few seconds at most. */
  Answer post(byte[] body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/x-protobuf")
            .header("otlp-profiles-development-version", "1")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    // The timeout of a request would not cover the body of the answer.
    CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, ofByteArray());
    try {
      return judge(answer.get(ATTEMPT_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      answer.cancel(true);
      return again("no answer within " + ATTEMPT_SECONDS + " s");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return again(cause instanceof ConnectException ? "cannot connect" : cause.toString());
    }
  }

  private static Answer again(String reason) {
    return new Answer(Outcome.AGAIN, reason, 0);
  }

  private static Answer judge(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status / 100 == 2) {
      ExportProfilesPartialSuccess partial = partialSuccess(response.body());
      long rejected = partial.getRejectedProfiles();
      return rejected == 0
          ? new Answer(Outcome.DONE, null, 0)
          : new Answer(
              Outcome.REFUSED,
              "the receiver rejected " + rejected + " profiles: " + partial.getErrorMessage(),
              rejected);
    }
    String reason = "the status of the answer is " + status + advice(status);
    return RETRYABLE.contains(status) ? again(reason) : new Answer(Outcome.REFUSED, reason, 0);
  }

  /** A body that is malformed rejects nothing. */
  private static ExportProfilesPartialSuccess partialSuccess(byte[] body) {
    try {
      return ExportProfilesServiceResponse.parseFrom(body).getPartialSuccess();
    } catch (InvalidProtocolBufferException e) {
      return ExportProfilesPartialSuccess.getDefaultInstance();
    }
  }

  private static String advice(int status) {
    return switch (status) {
      case 404 ->
          ": does the receiver accept profiles at this path? A collector needs the feature gate "
              + "service.profilesSupport, and a pipeline of profiles";
      case 413 -> ": raise the receiver's request size limit above 10 MiB";
      case 415 -> ": the receiver must accept application/x-protobuf";
      default -> "";
    };
  }
}
