/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.context.ContextMirror;
import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: the embedded profiler runs when the setting says, or one line says why not. */
class EmbeddedSamplingTest {
  private static final long NEVER = TimeUnit.HOURS.toNanos(1);
  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final LogCapturer logs = new LogCapturer();
  private final FakeEmbeddedProfiler profiler = new FakeEmbeddedProfiler();
  private final ContextMirror mirror = new ContextMirror(span -> {});
  private SamplesDelay delay = new SamplesDelay();
  private long maxWaitMillis = MINUTE_MILLIS;
  private String events = "cpu";
  private EmbeddedSampling sampling = sampling("on", 0, () -> profiler);

  @AfterEach
  void end() {
    sampling.stop();
    FakeEmbeddedProfiler.startFailure = null;
    logs.close();
  }

  private EmbeddedSampling sampling(
      String mode, long hostProfilerNanos, Supplier<EmbeddedProfiler> provider) {
    LocalRootSpans localRoots = new LocalRootSpans();
    return new EmbeddedSampling(
        CorrelationConfig.read(
            Map.of(
                    Settings.EMBEDDED_PROFILER.toString(),
                    mode,
                    Settings.EMBEDDED_PROFILER_EVENTS.toString(),
                    events)
                ::get,
            null),
        Resource.empty(),
        delay,
        new ArrivedSamples(localRoots, 1),
        null,
        mirror,
        localRoots,
        hostProfilerNanos,
        maxWaitMillis,
        provider);
  }

  private void begin(String mode, long hostProfilerNanos, Supplier<EmbeddedProfiler> provider) {
    delay = new SamplesDelay();
    sampling = sampling(mode, hostProfilerNanos, provider);
    sampling.begin();
  }

  private void awaitState(String state) {
    await().until(() -> sampling.state().equals(state));
  }

  @Test
  void on_withAProfiler_samplesFromTheStartUntilTheStop() {
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");

    assertThat(profiler.settings.events).containsExactly("cpu");
    assertThat(profiler.settings.periodNanos).isEqualTo(50_000_000);
    assertThat(delay.nanos()).isEqualTo(EmbeddedSampling.MAX_DELAY_NANOS);
    assertThat(delay.isActive()).isFalse();
    sampling.hostProfilerSeen(); // runs beside it, as the setting says
    assertThat(logs.warnings()).singleElement().asString().contains("samples count twice");
    sampling.collect();
    assertThat(profiler.stopped).isFalse();
    sampling.stop();
    assertThat(profiler.stopped).isTrue();
    assertThat(sampling.state()).isEqualTo("stopped");
    assertThat(delay.nanos()).isZero();
  }

  /** The line at the start says what waits are missing, and what waiting threads notice. */
  @ParameterizedTest
  @CsvSource({"cpu, 0", "'cpu,wall', 1"})
  void start_forATool_isALineOnlyWithWaits(String sampled, int lines) {
    events = sampled;
    sampling = sampling("on", NEVER, () -> profiler);
    sampling.serveTool();
    sampling.begin();

    assertThat(sampling.awaitStart(MINUTE_MILLIS)).isTrue();
    assertThat(logs.messages(Level.INFO))
        .filteredOn(line -> line.equals("The embedded profiler is on: a fake."))
        .hasSize(lines);
  }

  @Test
  void auto_withoutAHostProfiler_samplesAfterAWhile() {
    long begin = System.nanoTime();
    begin("auto", TimeUnit.MILLISECONDS.toNanos(300), () -> profiler);
    assertThat(sampling.state()).isEqualTo("waiting");
    awaitState("on: a fake");

    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(300_000_000);
  }

  @Test
  void auto_withAHostProfilerLater_stops() {
    begin("auto", 0, () -> profiler);
    awaitState("on: a fake");

    sampling.hostProfilerSeen();
    awaitState("stopped: a profiler of the host has sent a message");
    assertThat(profiler.stopped).isTrue();
    await()
        .untilAsserted(
            () ->
                assertThat(logs.messages(Level.INFO))
                    .contains(
                        "The embedded profiler is off: a profiler of the host has sent a message."));
  }

  @Test
  void auto_withAHostProfilerInTime_neverSamples() {
    begin("auto", NEVER, () -> profiler);
    sampling.hostProfilerSeen();
    awaitState("stopped: a profiler of the host has sent a message");

    assertThat(FakeEmbeddedProfiler.STARTED).doesNotContain(profiler);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "auto"})
  void stops_alone_runBesideAHostProfiler(String mode) {
    events = "stops";
    begin(mode, NEVER, () -> profiler);
    awaitState("on, without samples of threads: a fake");

    sampling.hostProfilerSeen();
    sampling.collect();
    assertThat(profiler.stopped).isFalse();
    assertThat(logs.warnings()).isEmpty();
    assertThat(delay.nanos()).isZero(); // no span waits for it
    assertThat(sampling.onSinceMillis()).isZero();
    sampling.stop();
    assertThat(profiler.stopped).isTrue();
  }

  @Test
  void profiler_thatEndsByItself_delaysNoMoreSpans() {
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");

    sampling.onEnded("somebody else has stopped it");
    awaitState("stopped: somebody else has stopped it");
    assertThat(delay.nanos()).isZero();
  }

  @Test
  void awaitStart_ofAProfilerThatStarts_isTrue() {
    begin("on", NEVER, () -> profiler);

    assertThat(sampling.awaitStart(TimeUnit.MINUTES.toMillis(1))).isTrue();
    assertThat(sampling.state()).isEqualTo("on: a fake");
  }

  @Test
  void awaitStart_withoutAProvider_isFalse() {
    begin("on", NEVER, () -> null);

    assertThat(sampling.awaitStart(TimeUnit.MINUTES.toMillis(1))).isFalse();
    assertThat(sampling.state()).startsWith("failed: ");
  }

  @Test
  void start_withoutAProvider_isOneLineThatNamesTheArtifact() {
    begin("on", NEVER, () -> null);
    await().until(() -> !logs.warnings().isEmpty());

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(
            "The embedded profiler is off",
            "flamespan-embedded",
            Settings.EMBEDDED_PROFILER + " to off");
    assertThat(sampling.state()).startsWith("failed: it is not on the class path");
  }

  @Test
  void start_thatTheProfilerRefuses_isOneLine() {
    FakeEmbeddedProfiler.startFailure = new EmbeddedProfilerException("it is denied");
    begin("on", NEVER, () -> profiler);
    awaitState("failed: it is denied");

    assertThat(logs.warnings()).containsExactly("The embedded profiler is off: it is denied.");
    assertThat(delay.hasBegun()).isFalse();
    sampling.stop();
    assertThat(sampling.state()).isEqualTo("failed: it is denied");
  }

  @Test
  void start_ofABrokenProvider_isOneLine() {
    begin(
        "on",
        NEVER,
        () -> {
          throw new ServiceConfigurationError("no such class");
        });
    await().until(() -> !logs.warnings().isEmpty());

    assertThat(logs.warnings())
        .containsExactly(
            "The embedded profiler is off: java.util.ServiceConfigurationError: no such class.");
    assertThat(sampling.state()).contains("failed: ", "no such class");
  }

  @Test
  void start_whileAnotherRuns_waitsForItsEnd() {
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");
    EmbeddedSampling first = sampling;
    FakeEmbeddedProfiler second = new FakeEmbeddedProfiler();
    begin("on", NEVER, () -> second);
    await().pollDelay(200, TimeUnit.MILLISECONDS).until(() -> sampling.state().equals("waiting"));

    first.stop();
    awaitState("on: a fake");
    assertThat(FakeEmbeddedProfiler.STARTED).endsWith(profiler, second);
  }

  @Test
  void stop_thatTakesTooLong_attributesNothingFromThenOn() {
    maxWaitMillis = 1;
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");
    profiler.isSlow = true;

    sampling.stop();
    assertThat(profiler.stopped).isFalse();
    assertThat(profiler.abandoned).isTrue();

    profiler.mayStop.countDown();
    awaitState("stopped");
  }

  @Test
  void stop_inTime_attributesWhatWasSampled() {
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");

    sampling.stop();
    assertThat(profiler.abandoned).isFalse();
  }

  @Test
  void start_thatEndsAfterTheStop_isUndoneBeforeAnyThreadReports() {
    maxWaitMillis = 1;
    profiler.isSlow = true;
    profiler.mayStop.countDown();
    mirror.startWithoutRecords(); // as the next SDK does
    begin("on", NEVER, () -> profiler);
    await().until(() -> profiler.starting);

    sampling.stop();
    profiler.mayStart.countDown();
    awaitState("stopped");
    mirror.stop();
    assertThat(profiler.abandoned).isTrue();
    assertThat(delay.nanos()).isZero();
    assertThat(logs.messages(Level.INFO)).isEmpty();
  }

  @Test
  void stop_beforeTheBegin_startsNothing() {
    sampling.stop();
    sampling.begin();
    awaitState("stopped");

    assertThat(FakeEmbeddedProfiler.STARTED).doesNotContain(profiler);
  }

  @Test
  void samples_ofASpanThatIsGone_countAsLate() {
    sampling.onSamples(new Work(1, 2, 3, 4), 5, 6, 7);

    assertThat(sampling.late()).isEqualTo(7);
  }

  @Test
  void profiler_thatFailsLater_isLoggedOnly() {
    begin("on", NEVER, () -> profiler);
    awaitState("on: a fake");
    profiler.otherFailure = new IllegalStateException("broken");

    assertThat(sampling.counts()).isNull();
    sampling.collect();
    sampling.stop();
    assertThat(sampling.state()).isEqualTo("stopped");
    assertThat(logs.messages(Level.WARNING)).isNotEmpty();
  }
}
