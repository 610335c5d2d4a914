/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.SpanRecorder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/** Writes the attributes of each span to a file with its name, and where profiles would go. */
public final class FakeSpanRecorder implements SpanRecorder {
  public static final String ENDPOINT = "otlp.endpoint";

  @Override
  public SpanProcessor spans(String directory, EmbeddedSettings settings) {
    try {
      Files.writeString(Path.of(directory, ENDPOINT), settings.otlpEndpoint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ProfilingCorrelation.correlate(
        SimpleSpanProcessor.create(new FileExporter(Path.of(directory))));
  }

  private static final class FileExporter implements DirectExporter {
    private final Path directory;

    FileExporter(Path directory) {
      this.directory = directory;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      try {
        for (SpanData span : spans) {
          Files.writeString(directory.resolve(span.getName()), "" + span.getAttributes());
        }
        return CompletableResultCode.ofSuccess();
      } catch (IOException e) {
        return CompletableResultCode.ofFailure();
      }
    }
  }
}
