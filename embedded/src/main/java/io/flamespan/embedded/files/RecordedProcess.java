/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.SpanRecorder;
import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Connects a writer with the embedded profiler and the SDK. The plug-in finds it as a service
 * provider.
 */
public final class RecordedProcess implements SpanRecorder {
  private static final long MAX_FILE_BYTES = 8 << 20;
  private static final long MAX_BYTES = 200 << 20;
  private static final int QUEUE_SIZE = 8192;
  private static final int MAX_BATCH_SIZE = 512;
  private static final long BATCH_MILLIS = 500;
  private static final long MAX_EXPORT_SECONDS = 1;

  private static volatile @Nullable MessageWriter last;

  /** Returns whether what was recorded last is in files, as far as it was to be written by now. */
  public static boolean isInFiles() {
    MessageWriter writer = last;
    return writer != null && writer.hasAll();
  }

  /** Returns a processor that writes spans after they waited for their stack traces. */
  @Override
  public SpanProcessor spans(String directory, EmbeddedSettings settings) {
    Resource resource = settings.resource;
    Path path = Paths.get(directory).toAbsolutePath().normalize();
    String service = resource.getAttribute(AttributeKey.stringKey("service.name"));
    MessageWriter writer =
        new MessageWriter(
            new MessageFiles(
                path, service == null ? "service" : service, MAX_FILE_BYTES, MAX_BYTES));
    last = writer;
    FileProfiles profiles = new FileProfiles(writer, resource, settings.linksNameLocalRoots);
    profiles.begin();
    Trouble.log(
        RecordedProcess.class,
        settings.forTool ? Level.FINE : Level.INFO,
        "Spans and profiles are written to {0}, at most {1} MB; java -jar"
            + " flamespan-page-VERSION.jar {0} makes the page of flame graphs from it.",
        new Object[] {path, MAX_BYTES >> 20});
    return ProfilingCorrelation.correlate(
        BatchSpanProcessor.builder(new FileSpanExporter(writer, profiles))
            .setMaxQueueSize(QUEUE_SIZE)
            .setMaxExportBatchSize(MAX_BATCH_SIZE)
            .setScheduleDelay(BATCH_MILLIS, TimeUnit.MILLISECONDS)
            .setExporterTimeout(MAX_EXPORT_SECONDS, TimeUnit.SECONDS)
            .build());
  }
}
