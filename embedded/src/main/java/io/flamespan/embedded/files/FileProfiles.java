/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.JoinedSamples;
import io.flamespan.embedded.messages.ProfilesMessage;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Writes what was collected at once as a message, or as several if it is much. Thread-safe. */
final class FileProfiles implements JoinedSamples {
  /** So that the last samples are written before the process ends. */
  private static final long MAX_WAIT_MILLIS = 500;

  // All samples of the process are here, so the files of one SDK have them.
  private static final List<FileProfiles> LIVE = new CopyOnWriteArrayList<>();

  private final RateLimitedLogger logger = new RateLimitedLogger(FileProfiles.class);
  private final MessageWriter writer;
  private final Resource resource;
  private final boolean linksNameLocalRoots;

  FileProfiles(MessageWriter writer, Resource resource, boolean linksNameLocalRoots) {
    this.writer = writer;
    this.resource = resource;
    this.linksNameLocalRoots = linksNameLocalRoots;
  }

  /** Receives samples from now on. */
  void begin() {
    LIVE.add(this);
    EmbeddedAsyncProfiler.addListener(this);
  }

  /** Receives no samples any more. */
  void end() {
    EmbeddedAsyncProfiler.removeListener(this);
    LIVE.remove(this);
  }

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    if (LIVE.indexOf(this) != 0) {
      return;
    }
    try {
      for (ProfilesMessage message :
          ProfilesMessage.of(samples, periodNanos, resource, linksNameLocalRoots)) {
        CompletableResultCode unused =
            writer.write(message.toBytes()).join(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (RuntimeException e) {
      logger.warn("A profile was not written", e);
    }
  }
}
