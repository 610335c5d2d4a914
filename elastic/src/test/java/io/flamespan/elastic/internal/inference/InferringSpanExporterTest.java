/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static io.flamespan.elastic.internal.inference.EndedSpan.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.EveryMethod;
import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: the next exporter gets each span once with all its data, whatever fails here. */
class InferringSpanExporterTest {
  private final LogCapturer logs = new LogCapturer();
  private final Delegate delegate = new Delegate();
  private final SpanExporter exporter = new InferringSpanExporter(delegate);

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Test
  void export_always_passesTheSpansOnInOrder() {
    SpanData first = EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql");
    SpanData second = EndedSpan.of(LOCAL, SpanKind.CLIENT, "rpc.system=grpc");

    assertThat(exporter.export(List.of(first, second))).isSameAs(delegate.exportResult);
    assertThat(delegate.exported)
        .extracting(span -> EndedSpan.attributes(span).get("span.subtype"))
        .containsExactly("mysql", "grpc");
    assertThat(delegate.exports).isEqualTo(1);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void export_empty_callsTheDelegate() {
    assertThat(exporter.export(List.of())).isSameAs(delegate.exportResult);
    assertThat(delegate.exported).isEmpty();
  }

  @Test
  void span_withMoreThanTheLimits_keepsEverything() {
    SpanData full = EndedSpan.full();
    assertThat(full.getAttributes().size()).isEqualTo(2);
    assertThat(full.getTotalAttributeCount()).isEqualTo(3);
    exporter.export(List.of(full));

    SpanData exported = delegate.exported.get(0);
    EveryMethod.but(
        Set.of("getAttributes", "getTotalAttributeCount"), full, exported, SpanData.class);
    assertThat(EndedSpan.attributes(exported))
        .containsAllEntriesOf(EndedSpan.attributes(full))
        .containsEntry("service.target.name", "shop")
        .containsEntry("event.outcome", "failure")
        .hasSize(10);
    assertThat(exported.getTotalAttributeCount()).isEqualTo(11);
  }

  @Test
  void spans_wrappedTwice_haveEachAttributeOnce() {
    SpanData span = EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql");
    exporter.export(List.of(span));
    SpanData once = delegate.exported.get(0);
    new InferringSpanExporter(exporter).export(List.of(span));

    assertThat(delegate.exported).containsExactly(once);
  }

  @Test
  void span_thatCannotBeRead_isExportedAsItIsLikeItsBatch() {
    SpanData unreadable = new UnreadableSpan();
    SpanData other = EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql");
    for (int i = 0; i < 10; i++) {
      exporter.export(List.of(unreadable, other));

      assertThat(delegate.exported).containsExactly(unreadable, other);
    }
    assertThat(delegate.exports).isEqualTo(10);
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ElasticSettings.SPAN_INFERENCE_ENABLED + "=true", "Remove the setting");
  }

  @Test
  void export_thatThrows_throwsTheSame() {
    delegate.failure = new IllegalStateException("theirs");
    SpanData span = EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql");

    assertThatThrownBy(() -> exporter.export(List.of(span))).isSameAs(delegate.failure);
    assertThat(delegate.exports).isEqualTo(1);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void flushShutdownAndClose_always_callTheDelegate() {
    assertThat(exporter.flush()).isSameAs(delegate.flushResult);
    assertThat(delegate.shutdowns).isZero();
    assertThat(exporter.shutdown()).isSameAs(delegate.shutdownResult);
    assertThat(delegate.shutdowns).isEqualTo(1);
    assertThat(delegate.closes).isZero();
    exporter.close();
    assertThat(delegate.closes).isEqualTo(1);
    assertThat(delegate.shutdowns).isEqualTo(1);
    assertThat(exporter).hasToString("InferringSpanExporter{their exporter}");
  }

  private static final class UnreadableSpan extends DelegatingSpanData {
    UnreadableSpan() {
      super(EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql"));
    }

    @Override
    public Attributes getAttributes() {
      throw new NoClassDefFoundError("injected");
    }
  }

  private static final class Delegate implements SpanExporter {
    final CompletableResultCode exportResult = new CompletableResultCode();
    final CompletableResultCode flushResult = new CompletableResultCode();
    final CompletableResultCode shutdownResult = new CompletableResultCode();
    List<SpanData> exported;
    RuntimeException failure;
    int exports;
    int shutdowns;
    int closes;

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      exports++;
      if (failure != null) {
        throw failure;
      }
      exported = new ArrayList<>(spans);
      return exportResult;
    }

    @Override
    public CompletableResultCode flush() {
      return flushResult;
    }

    @Override
    public CompletableResultCode shutdown() {
      shutdowns++;
      return shutdownResult;
    }

    @Override
    public void close() {
      closes++;
    }

    @Override
    public String toString() {
      return "their exporter";
    }
  }
}
