/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.embedded.IdleThreads;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.JoinedSamples;
import io.flamespan.embedded.WaitingBytes;
import io.flamespan.embedded.messages.ProfilesMessage;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Sends what was collected at once as a message. Messages go one after the other, on a thread that
 * ends when there is nothing to send; while too many bytes wait, new messages are dropped.
 * Thread-safe.
 */
public final class ProfileSender implements JoinedSamples, AutoCloseable {
  private static final long MAX_WAITING_BYTES = 8 << 20;

  /** So that the last profile is sent before the process ends. */
  private static final long MAX_CLOSE_MILLIS = 500;

  private final RateLimitedLogger failures = new RateLimitedLogger(ProfileSender.class);
  private final WaitingBytes waiting = new WaitingBytes(MAX_WAITING_BYTES, ProfileSender.class);
  private final AtomicInteger unanswered = new AtomicInteger(); // messages
  private final EmbeddedSettings settings;
  private final Destination destination;
  private final ThreadPoolExecutor thread;
  private final Client client;
  private final long maxCloseMillis;
  private volatile CompletableResultCode last = CompletableResultCode.ofSuccess();
  private volatile long answeredNanos; // when one last was, or the first of these was sent
  private volatile boolean isClosed;

  /**
   * Creates a sender.
   *
   * @param client sends one message after the other on the thread
   * @param maxCloseMillis how long {@link #close} waits for what was not sent yet
   */
  ProfileSender(
      EmbeddedSettings settings,
      Destination destination,
      ThreadPoolExecutor thread,
      Client client,
      long maxCloseMillis) {
    this.settings = settings;
    this.destination = destination;
    this.thread = thread;
    this.client = client;
    this.maxCloseMillis = maxCloseMillis;
  }

  /** Returns a sender, or null and logs why if there can be none. Never throws. */
  public static @Nullable ProfileSender create(EmbeddedSettings settings) {
    return create(settings, MAX_CLOSE_MILLIS);
  }

  /**
   * The same with another limit.
   *
   * @param maxCloseMillis how long {@link #close} waits for what was not sent yet
   */
  static @Nullable ProfileSender create(EmbeddedSettings settings, long maxCloseMillis) {
    try {
      Destination destination = new Destination(settings);
      ThreadPoolExecutor thread = IdleThreads.create("flamespan-otlp");
      Client client =
          destination.isGrpc
              ? new GrpcClient(destination, thread)
              : new HttpClient(destination, thread);
      Trouble.log(ProfileSender.class, Level.INFO, "Profiles are sent to {0}.", destination);
      return new ProfileSender(settings, destination, thread, client, maxCloseMillis);
    } catch (EmbeddedProfilerException e) {
      Trouble.warn(ProfileSender.class, "Profiles are not sent: " + e.getMessage());
    } catch (LinkageError e) {
      Trouble.warn(
          ProfileSender.class, "Profiles are not sent: this needs OpenTelemetry 1.60 or later", e);
    } catch (RuntimeException | ServiceConfigurationError e) {
      Trouble.warn(ProfileSender.class, "Profiles are not sent", e);
    }
    return null;
  }

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    try {
      for (ProfilesMessage message :
          ProfilesMessage.of(
              samples, periodNanos, settings.resource, settings.linksNameLocalRoots)) {
        send(message.toBytes());
      }
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      failures.warn("Profiles were not sent to " + destination, e);
    }
  }

  private void send(byte[] message) {
    if (!waiting.add(message, "Profiles", destination)) {
      return;
    }
    CompletableResultCode result = new CompletableResultCode();
    last = result;
    if (unanswered.getAndIncrement() == 0) {
      answeredNanos = System.nanoTime();
    }
    try {
      client.send(
          Client.writer(message), (isSent, problem) -> done(result, message, isSent, problem));
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      done(result, message, false, Client.printable(e));
    }
  }

  private void done(CompletableResultCode result, byte[] message, boolean isSent, String problem) {
    waiting.remove(message);
    unanswered.decrementAndGet();
    answeredNanos = System.nanoTime();
    if (!problem.isEmpty() && !isClosed) {
      failures.warn(
          (isSent ? "Profiles were sent to " : "Profiles were not sent to ")
              + destination
              + ": "
              + ProfilesVersion.explain(problem));
    }
    result.succeed();
  }

  /** Waits half a second for what was not sent yet, and gives up the rest. */
  @Override
  public void close() {
    CompletableResultCode unused = last.join(maxCloseMillis, TimeUnit.MILLISECONDS);
    isClosed = true;
    int givenUp = unanswered.get();
    if (givenUp > 0) {
      Trouble.warn(
          ProfileSender.class,
          "Profiles were not sent to "
              + destination
              + " before the end: "
              + givenUp
              + (givenUp == 1 ? " message" : " messages")
              + " had no answer for "
              + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answeredNanos)
              + " ms");
    }
    thread.shutdownNow(); // first: a client may wait for what runs
    client.close();
  }
}
