/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.io.Closeable;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalRootSamplerTest {
  private static final String TRACE_ID = "ab".repeat(16);
  private static final String SPAN_ID = "cd".repeat(8);
  private static final AttributeKey<String> KEY = AttributeKey.stringKey("sampler");
  private static final TraceState RECEIVED = TraceState.builder().put("es", "s:0.5").build();

  /** Returns a sampler that always gives this result. */
  private static Sampler returning(SamplingResult result) {
    return new DecidingSampler((name, kind) -> result);
  }

  /** Returns a result that does not come from the SDK. */
  private static SamplingResult result(
      SamplingDecision decision, UnaryOperator<TraceState> change) {
    return new SamplingResult() {
      @Override
      public SamplingDecision getDecision() {
        return decision;
      }

      @Override
      public Attributes getAttributes() {
        return Attributes.of(KEY, "decided");
      }

      @Override
      public TraceState getUpdatedTraceState(TraceState parentState) {
        return change.apply(parentState);
      }
    };
  }

  private static SamplingResult sample(Sampler sampler, Context parent) {
    return sampler.shouldSample(
        parent, TRACE_ID, "span", SpanKind.SERVER, Attributes.empty(), List.of());
  }

  private static SamplingResult sample(SamplingResult result, Context parent) {
    return sample(new LocalRootSampler(returning(result), () -> true), parent);
  }

  private static Context remote(TraceState state) {
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.createFromRemoteParent(
                    TRACE_ID, SPAN_ID, TraceFlags.getSampled(), state)));
  }

  private static Context local(TraceState state) {
    return Context.root().with(Span.wrap(context(state)));
  }

  private static TraceState ofRoot() {
    return LocalRootTraceState.ofNewRoot(RECEIVED, null);
  }

  @Test
  void root_recorded_getsANewLocalRoot() {
    for (SamplingResult recorded :
        List.of(SamplingResult.recordAndSample(), SamplingResult.recordOnly())) {
      TraceState first = sample(recorded, remote(RECEIVED)).getUpdatedTraceState(RECEIVED);
      TraceState second = sample(recorded, remote(RECEIVED)).getUpdatedTraceState(RECEIVED);

      assertThat(first).isEqualTo(RECEIVED);
      assertThat(LocalRootTraceState.rootOf(first))
          .isNotNull()
          .isNotSameAs(LocalRootTraceState.rootOf(second));
    }
  }

  @Test
  void root_whoseRemoteParentHasALocalRoot_getsAnother() {
    TraceState sender = ofRoot();
    TraceState state =
        sample(SamplingResult.recordAndSample(), remote(sender)).getUpdatedTraceState(sender);

    assertThat(state).isEqualTo(RECEIVED);
    assertThat(LocalRootTraceState.rootOf(state))
        .isNotNull()
        .isNotSameAs(LocalRootTraceState.rootOf(sender));
  }

  @Test
  void resultsOfTheSdk_withoutAChange_areReturnedAsTheyAre() {
    for (SamplingResult result :
        List.of(
            SamplingResult.recordAndSample(), SamplingResult.recordOnly(), SamplingResult.drop())) {
      assertThat(sample(result, local(ofRoot()))).isSameAs(result);
      for (Context parent : List.of(Context.root(), remote(RECEIVED), local(RECEIVED))) {
        assertThat(sample(new LocalRootSampler(returning(result), () -> false), parent))
            .isSameAs(result);
      }
    }
  }

  @Test
  void root_dropped_leadsNowhereAndKeepsItsState() {
    UnaryOperator<TraceState> change = state -> state.toBuilder().put("a", "1").build();
    TraceState sender = ofRoot();
    for (Context parent : List.of(Context.root(), remote(sender), local(RECEIVED))) {
      TraceState state = Span.fromContext(parent).getSpanContext().getTraceState();
      TraceState dropped = sample(SamplingResult.drop(), parent).getUpdatedTraceState(state);
      TraceState changed =
          sample(result(SamplingDecision.DROP, change), parent).getUpdatedTraceState(state);

      assertThat(dropped).isInstanceOf(LocalRootTraceState.class).isEqualTo(state);
      assertThat(changed).isInstanceOf(LocalRootTraceState.class).isEqualTo(change.apply(state));
      assertThat(List.of(dropped, changed)).allMatch(s -> LocalRootTraceState.rootOf(s) == null);
      assertThat(sample(SamplingResult.recordAndSample(), local(dropped)))
          .as("a span below is no local root")
          .isSameAs(SamplingResult.recordAndSample());
    }
    assertThat(sample(SamplingResult.drop(), Context.root()))
        .as("no garbage")
        .isSameAs(sample(SamplingResult.drop(), Context.root()));
  }

  @Test
  void spanBelow_eachKindOfParent_isARootUnlessTheParentIsOfThisProcess() {
    Context ofOtherTrace = local(startedRoot("ef".repeat(16)).getTraceState());
    for (Context outside :
        List.of(
            Context.root(), remote(RECEIVED), remote(ofRoot()), local(RECEIVED), ofOtherTrace)) {
      assertThat(isRootBelow(outside)).as(outside.toString()).isTrue();
    }
    Span own = Span.wrap(startedRoot(TRACE_ID));
    Span changed = local(own, own.getSpanContext().getTraceState().toBuilder().put("a", "1"));
    Span dropped = Span.wrap(context(LocalRootTraceState.ofDroppedRoot(RECEIVED, null)));
    try (SdkTracerProvider plain = // the SDK records nothing without a processor
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
            .build()) {
      Span ofSdk = plain.get("test").spanBuilder("span").startSpan();
      Span ended = plain.get("test").spanBuilder("span").startSpan();
      ended.end();
      Span wrapper =
          (Span)
              Proxy.newProxyInstance(
                  Span.class.getClassLoader(),
                  new Class<?>[] {Span.class},
                  (proxy, method, arguments) -> method.invoke(ofSdk, arguments));
      for (Span inside : List.of(own, changed, dropped, ofSdk, ended, wrapper)) {
        assertThat(isRootBelow(Context.root().with(inside))).as(inside.toString()).isFalse();
      }
      assertThat(isRootBelow(Context.root().with(Span.wrap(ofSdk.getSpanContext()))))
          .as("a copy cannot be told from a context that was made")
          .isTrue();
    }
  }

  private static boolean isRootBelow(Context parent) {
    SpanContext above = Span.fromContext(parent).getSpanContext();
    TraceState state =
        sample(SamplingResult.recordAndSample(), parent)
            .getUpdatedTraceState(above.getTraceState());
    LocalRoot root = LocalRootTraceState.rootOf(state);
    return root != null && root != LocalRootTraceState.rootOf(above);
  }

  private static SpanContext startedRoot(String traceId) {
    SpanContext root =
        SpanContext.create(
            traceId,
            SPAN_ID,
            TraceFlags.getSampled(),
            LocalRootTraceState.ofNewRoot(TraceState.getDefault(), null));
    assertThat(new LocalRootSpans().onStart(root)).isTrue();
    return root;
  }

  private static SpanContext context(TraceState state) {
    return SpanContext.create(TRACE_ID, SPAN_ID, TraceFlags.getSampled(), state);
  }

  private static Span local(Span span, TraceStateBuilder state) {
    assertThat(span.getSpanContext().getTraceId()).isEqualTo(TRACE_ID);
    return Span.wrap(context(state.build()));
  }

  @ParameterizedTest
  @EnumSource(SamplingDecision.class)
  void child_whoseSamplerChangesTheState_keepsTheChangeAndItsLocalRoot(SamplingDecision decision) {
    TraceState parent = ofRoot();
    TraceState different = TraceState.builder().put("vendor", "1").build();
    List<UnaryOperator<TraceState>> changes =
        List.of(
            state -> state.toBuilder().put("added", "1").build(),
            state -> different,
            state -> state,
            state -> TraceState.getDefault());
    for (UnaryOperator<TraceState> change : changes) {
      SamplingResult result = sample(result(decision, change), local(parent));
      TraceState updated = result.getUpdatedTraceState(parent);

      assertThat(updated).isEqualTo(change.apply(RECEIVED));
      assertThat(LocalRootTraceState.rootOf(updated)).isSameAs(parentRoot(parent));
      assertThat(result.getDecision()).isEqualTo(decision);
      assertThat(result.getAttributes().asMap()).containsOnly(entry(KEY, "decided"));
    }
    assertThat(sample(result(decision, state -> state), local(parent)).getUpdatedTraceState(parent))
        .as("no avoidable garbage")
        .isSameAs(parent);
  }

  private static LocalRoot parentRoot(TraceState parent) {
    return LocalRootTraceState.rootOf(parent);
  }

  @Test
  void child_ofADroppedRoot_getsNoneWhenTheSamplerChangesTheState() {
    TraceState parent = LocalRootTraceState.ofDroppedRoot(RECEIVED, null);
    SamplingResult changing =
        result(SamplingDecision.RECORD_AND_SAMPLE, state -> TraceState.getDefault());
    TraceState updated = sample(changing, local(parent)).getUpdatedTraceState(parent);

    assertThat(updated).isInstanceOf(LocalRootTraceState.class).isEqualTo(TraceState.getDefault());
    assertThat(LocalRootTraceState.rootOf(updated)).isNull();
  }

  @Test
  void nameOfARoot_thatIsNotSampled_isKeptIfThatIsWanted() {
    UnaryOperator<TraceState> change = state -> state.toBuilder().put("a", "1").build();
    for (SamplingResult result :
        List.of(
            SamplingResult.drop(),
            SamplingResult.recordOnly(),
            result(SamplingDecision.DROP, change),
            result(SamplingDecision.RECORD_ONLY, change))) {
      for (Context parent : List.of(Context.root(), remote(RECEIVED), local(RECEIVED))) {
        TraceState state = Span.fromContext(parent).getSpanContext().getTraceState();
        TraceState without = sample(result, parent).getUpdatedTraceState(state);
        SamplingResult keeping = sampleKeepingNames(result, parent);
        TraceState with = keeping.getUpdatedTraceState(state);

        assertThat(with).isEqualTo(without);
        assertThat(nameAfterStart(with)).isEqualTo("span");
        assertThat(nameAfterStart(without)).isEmpty();
        assertThat(keeping.getDecision()).isEqualTo(result.getDecision());
      }
    }
  }

  private static @Nullable String nameAfterStart(TraceState state) {
    SpanContext started = SpanContext.create(TRACE_ID, SPAN_ID, TraceFlags.getDefault(), state);
    if (LocalRootTraceState.rootOf(state) != null) {
      boolean unused = new LocalRootSpans(1 << 6).onStart(started);
    }
    return LocalRootTraceState.nameOfRootNotSampled(started);
  }

  @Test
  void names_ofOtherSpans_areNotKept() {
    for (SamplingResult result : List.of(SamplingResult.drop(), SamplingResult.recordOnly())) {
      assertThat(sampleKeepingNames(result, local(ofRoot()))).isSameAs(result);
    }
    TraceState sampled =
        sampleKeepingNames(SamplingResult.recordAndSample(), Context.root())
            .getUpdatedTraceState(RECEIVED);
    assertThat(LocalRootTraceState.nameOfRootNotSampled(context(sampled))).isNull();
    assertThat(LocalRootTraceState.rootOf(sampled)).isNotNull();
    TraceState foreign =
        (TraceState)
            Proxy.newProxyInstance(
                TraceState.class.getClassLoader(),
                new Class<?>[] {TraceState.class},
                (proxy, method, arguments) -> method.invoke(RECEIVED, arguments));
    SamplingResult ofForeign = result(SamplingDecision.DROP, state -> foreign);
    assertThat(sampleKeepingNames(ofForeign, Context.root()).getUpdatedTraceState(RECEIVED))
        .as("by which a sampler may recognize the span")
        .isSameAs(foreign);
  }

  private static SamplingResult sampleKeepingNames(SamplingResult result, Context parent) {
    LocalRootSampler.keepNames(true);
    try {
      return sample(result, parent);
    } finally {
      LocalRootSampler.keepNames(false);
    }
  }

  @Test
  void root_whoseSamplerChangesTheState_keepsTheChange() {
    SamplingResult changing =
        result(
            SamplingDecision.RECORD_AND_SAMPLE, state -> state.toBuilder().put("a", "1").build());
    SamplingResult result = sample(changing, remote(RECEIVED));
    TraceState updated = result.getUpdatedTraceState(RECEIVED);

    assertThat(updated).isEqualTo(RECEIVED.toBuilder().put("a", "1").build());
    assertThat(LocalRootTraceState.rootOf(updated)).isNotNull();
    assertThat(result.getAttributes().asMap()).containsOnly(entry(KEY, "decided"));
  }

  @Test
  void sampler_wrappedTwice_givesOneLocalRoot() {
    Sampler sampler = ProfilingCorrelation.correlate(returning(SamplingResult.recordAndSample()));
    assertThat(ProfilingCorrelation.correlate(sampler)).isSameAs(sampler);

    Sampler between = Sampler.parentBased(new LocalRootSampler(Sampler.alwaysOn(), () -> true));
    TraceState state =
        sample(new LocalRootSampler(between, () -> true), Context.root())
            .getUpdatedTraceState(RECEIVED);
    assertThat(state).isInstanceOf(LocalRootTraceState.class).isEqualTo(RECEIVED);
  }

  @Test
  void description_isThatOfTheWrappedSampler() {
    Sampler wrapped = Sampler.parentBased(Sampler.traceIdRatioBased(0.25));
    Sampler sampler = ProfilingCorrelation.correlate(wrapped);

    assertThat(sampler.getDescription()).isEqualTo(wrapped.getDescription());
    assertThat(sampler).asString().contains("LocalRootSampler", wrapped.toString());
  }

  @Test
  void provider_shutDown_shutsDownTheWrappedSamplerOnce() {
    assumeTrue(
        Arrays.asList(Sampler.class.getInterfaces()).contains(Closeable.class),
        "this SDK does not shut samplers down");
    AtomicInteger shutdowns = new AtomicInteger();
    Sampler wrapped =
        new Sampler() {
          @Override
          public SamplingResult shouldSample(
              Context parent,
              String traceId,
              String name,
              SpanKind kind,
              Attributes attributes,
              List<LinkData> links) {
            return SamplingResult.drop();
          }

          @Override
          public String getDescription() {
            return "closeable";
          }

          @Override
          public CompletableResultCode shutdown() {
            shutdowns.incrementAndGet();
            return CompletableResultCode.ofSuccess();
          }
        };
    SdkTracerProvider provider =
        SdkTracerProvider.builder().setSampler(ProfilingCorrelation.correlate(wrapped)).build();

    assertThat(provider.shutdown().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertThat(shutdowns).hasValue(1);
  }
}
