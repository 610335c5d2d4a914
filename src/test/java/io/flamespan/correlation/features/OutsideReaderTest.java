/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.SwitchingApp;
import io.flamespan.correlation.apps.TakingTurnsApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.StandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: a profiler in another process finds our memory and never reads a torn or foreign record.
 */
@NotInEmulation("a debugger sees the emulator's thread pointer, not the emulated one")
class OutsideReaderTest {
  private static final String UNLIMITED = "0"; // samples a second
  private static final int TRACED_SAMPLES = Integer.getInteger("test.samples", 8_000);
  private static final String JAVA_8_FENCE = "io.flamespan.correlation.java8Fence";

  @TempDir Path directory;
  private StandIn standIn;

  @BeforeEach
  void createStandIn() {
    standIn = new StandIn(directory);
  }

  private ChildJvm app(String standInOptions) {
    return ChildJvm.exporting("none")
        .jvmArgument("-XX:TieredStopAtLevel=4") // which orders memory accesses anew
        .under(standIn.command(standInOptions))
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
  }

  private ChildJvm switchingApp(String rate, int tracedSamples) {
    return app("--protocol both --rate "
            + rate
            + " --thread-name switcher --no-stacks --no-registration --samples "
            + tracedSamples
            + " --duration "
            + 165 * Math.max(1, tracedSamples / 8_000))
        .property("otel.service.name", "switching");
  }

  private void assertRecordsBelongTogether(int tracedSamples, ChildJvm.Result result)
      throws IOException {
    result.succeeded();
    List<DecodedRecord> records = standIn.records();
    assertThat(records).as(result.output()).hasSizeGreaterThanOrEqualTo(tracedSamples);
    assertThat(records).filteredOn(record -> !record.belongsTogether()).isEmpty();
    assertThat(records.stream().distinct().count())
        .as("distinct records")
        .isGreaterThan(tracedSamples / 40);
    assertThat(standIn.relatedSamples()).isGreaterThan(tracedSamples / 4);
  }

  /** Allows for samples between the updates of the two records, a few nanoseconds apart. */
  private void assertProtocolsAgree() throws IOException {
    long traced = standIn.summary("traced");
    // The stand-in looks for thread contexts once a second until it finds them.
    assertThat(standIn.summary("agree") + standIn.summary("not_compared"))
        .isGreaterThan(traced * 97 / 100);
    assertThat(standIn.summary("disagree")).isLessThan(traced / 100);
    assertThat(standIn.summary("only_elastic")).isLessThan(traced * 3 / 100);
    assertThat(standIn.summary("only_elastic_otel_invalid"))
        .isEqualTo(standIn.summary("only_elastic"));
    assertThat(standIn.summary("only_otel_sampled")).isZero();
    assertThat(standIn.summary("otel_malformed")).isZero();
    assertThat(standIn.summary("otel_unsampled")).isZero();
  }

  @Test
  void records_ofSwitchingThreads_belongTogether() throws IOException {
    ChildJvm.Result result = switchingApp(UNLIMITED, TRACED_SAMPLES).run(SwitchingApp.class);

    assertRecordsBelongTogether(TRACED_SAMPLES, result);
    assertThat(standIn.summary("invalid")).as("within a trace").isZero();
    assertProtocolsAgree();
  }

  @Test
  void threadContext_ofThreadThatGoesFromTraceToTrace_isAlwaysValid() throws IOException {
    ChildJvm.Result result =
        app("--protocol both --rate 0 --thread-name turns --no-stacks --no-registration"
                + " --samples 5000 --duration 165")
            .run(TakingTurnsApp.class)
            .succeeded();
    assertThat(standIn.records()).filteredOn(record -> !record.belongsTogether()).isEmpty();
    assertThat(standIn.summary("otel_traced")).isGreaterThan(500);
    assertThat(standIn.summary("otel_invalid")).isZero();
    assertThat(standIn.summary("disagree")).isZero();
    assertThat(standIn.summary("only_elastic")).isZero();
    assertThat(standIn.summary("only_otel_elastic_invalid"))
        .isEqualTo(standIn.summary("only_otel_sampled"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tlsdesc_v1", "tls_v1"})
  void threadContext_underAnotherSchemaVersion_isReadByWhoKnowsThat(String version)
      throws IOException {
    app("--protocol otel --rate 100 --thread-name switcher --no-stacks --samples 50 --duration 165")
        .property(CorrelatedSdk.PREFIX + "thread.context.schema.version", version)
        .run(SwitchingApp.class)
        .succeeded();

    assertThat(standIn.summaryText("otel_schema_version")).isEqualTo(version);
    assertThat(standIn.summary("otel_traced")).isEqualTo(50);
    assertThat(standIn.summary("otel_malformed")).isZero();
  }

  @Test
  void records_writtenAsOnJava8_belongTogether() throws IOException {
    int samples = TRACED_SAMPLES / 4;
    ChildJvm.Result result =
        // So few samples would otherwise all be of a moment, in which a busy machine runs no
        // thread.
        switchingApp("1000", samples).property(JAVA_8_FENCE, "true").run(SwitchingApp.class);

    assertRecordsBelongTogether(samples, result);
  }

  @Test
  void processStorage_longServiceName_isCutToTheLimit() throws IOException {
    String longName = "ä".repeat(100);
    ChildJvm.Result result =
        app("--rate 50 --no-stacks --samples 1 --duration 60")
            .property("otel.service.name", longName)
            .property("otel.resource.attributes", "deployment.environment.name=staging")
            .property("file.encoding", "UTF-8")
            .jvmArgument("-Dsun.jnu.encoding=UTF-8")
            .environment("LC_ALL", "C.UTF-8")
            .run(SwitchingApp.class)
            .succeeded();
    assertThat(standIn.summaryText("service_name")).isEqualTo("ä".repeat(64));
    assertThat(standIn.summaryText("service_environment")).isEqualTo("staging");
    assertThat(standIn.summaryText("socket_path")).startsWith(directory.toString());
  }
}
