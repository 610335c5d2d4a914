/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import io.flamespan.embedded.messages.TracesMessage;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Writes each batch of spans as a message. Thread-safe. */
final class FileSpanExporter implements SpanExporter {
  private static final long MAX_WAIT_SECONDS = 1;

  private final MessageWriter writer;
  private final FileProfiles profiles;

  /**
   * Creates an exporter.
   *
   * @param profiles what is written with the spans, until the shutdown
   */
  FileSpanExporter(MessageWriter writer, FileProfiles profiles) {
    this.writer = writer;
    this.profiles = profiles;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return writer.write(TracesMessage.of(spans));
  }

  @Override
  public CompletableResultCode flush() {
    return writer.flush();
  }

  /** Waits for a second at most: a file system may never answer. */
  @Override
  public CompletableResultCode shutdown() {
    profiles.end();
    writer.endSoon();
    return writer.flush().join(MAX_WAIT_SECONDS, TimeUnit.SECONDS).isSuccess()
        ? CompletableResultCode.ofSuccess()
        : CompletableResultCode.ofFailure();
  }

  @Override
  public String toString() {
    return "FileSpanExporter{" + writer + "}";
  }
}
