/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static io.flamespan.correlation.testing.Waiting.await;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the doctor knows what the plug-in needs to work with an agent, and reads what another
 * library of Elastic's protocol publishes.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorAgentsTest {
  private static final String SHOWN = "1 show a trace now";

  @TempDir Path directory;

  /** A JVM with an agent. The application gets its spans from OpenTelemetry's API. */
  private ChildJvm withAgent(String name) {
    Path agent = Path.of(System.getProperty("test.agents"), name + ".jar");
    return PatientJvm.create()
        .property("java.io.tmpdir", directory.toString())
        .jvmArgument("-javaagent:" + agent);
  }

  private ChildJvm withOnlyAgent(String name) {
    return withAgent(name).withoutOnClassPath("flamespan");
  }

  private ChildJvm withExtension(String jar) {
    return withOnlyAgent("opentelemetry-javaagent").property("otel.javaagent.extensions", jar);
  }

  @Test
  void plugin_inTheApplicationOfTheAgent_isAFault() {
    DoctorReport report = PatientJvm.examine(withAgent("opentelemetry-javaagent"));

    report.hasFault("inside.context-storage", "the OpenTelemetry Java agent", "Follow this advice");
  }

  @Test
  void extensionJar_asExtension_hasNoFault() {
    DoctorReport report =
        PatientJvm.examine(withExtension(System.getProperty("test.plugin.jar")), "global")
            .exited(0);
    report.withoutFault();
    report.says("ok", "inside.state", "inside.context-storage");
    report.saw("threads.records", SHOWN);
  }

  @Test
  void elasticsAgent_withoutThePlugin_isReadable() throws IOException {
    String prefix = "elastic.apm.universal_profiling_integration_";
    ChildJvm jvm =
        withOnlyAgent("elastic-apm-agent")
            .property("elastic.apm.service_name", "shop")
            .property(prefix + "enabled", "true")
            .property(prefix + "socket_dir", directory.toString());

    DoctorReport report = examineWhenShown(jvm);

    report.saw("library.mapped", "elastic-jvmti-linux-");
    report.saw("storage.layout", "service shop", directory.toString());
    report.says("ok", "socket.file");
    report.withoutFault().says("not checked", "inside.state").saw("threads.records", SHOWN);
  }

  @Test
  void datadogsAgent_withoutThePlugin_isNoFault() throws IOException {
    ChildJvm jvm =
        withOnlyAgent("dd-java-agent")
            .property("dd.service", "shop")
            .property("dd.trace.otel.enabled", "true")
            .property("dd.instrumentation.telemetry.enabled", "false")
            .property("dd.remote_config.enabled", "false");

    DoctorReport report = PatientJvm.examine(jvm, "global");

    report.says("could not look", "library.mapped");
    report.withoutFault();
  }

  /**
   * These agents start their profiling in parallel with the application, so the trace appears
   * later.
   */
  private static DoctorReport examineWhenShown(ChildJvm jvm) throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class, "global"))) {
      return await()
          .alias("the trace to be shown")
          .until(patient::examine, report -> report.output().contains(SHOWN));
    }
  }
}
