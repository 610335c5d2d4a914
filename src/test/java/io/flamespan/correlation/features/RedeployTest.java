/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ServerApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SocketLibraries;
import io.flamespan.correlation.testing.StandIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: correlation resumes after a server stops and redeploys an application. */
class RedeployTest {
  private static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";

  @TempDir Path directory;

  private ChildJvm server() {
    return ChildJvm.exporting("logging")
        .setting("enabled", "true")
        .property(CorrelatedSdk.PREFIX + "native.dir", directory.resolve("native").toString())
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.resolve("s").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"usual", "library unusable", "jnr as set"})
  @NotInEmulation("a debugger sees the emulator's thread pointer, not the emulated one")
  void secondDeployment_underTheProfilerOfTheFirst_correlates(String sockets) throws IOException {
    ChildJvm server = server();
    if (sockets.equals("library unusable")) {
      server.firstOnClassPath(SocketLibraries.unusable(directory));
    } else if (sockets.equals("jnr as set")) {
      server.setting("socket.library", "jnr");
    }

    String output = assertBothDeploymentsCorrelate(server).output();
    if (sockets.equals("usual")) {
      assertThat(output).doesNotContain("\njnr.", "\ncom.kenai.");
    } else {
      assertThat(output)
          .contains("\njnr.", "\ncom.kenai.", "internal.transport.JnrReceiver source")
          .doesNotContain("internal.nativelib.NativeReceiver source");
    }
  }

  private ChildJvm.Result assertBothDeploymentsCorrelate(ChildJvm server) throws IOException {
    StandIn standIn = new StandIn(directory);
    ChildJvm.Result result =
        server
            .jvmArgument("-Xlog:class+load:stdout:none")
            .under(standIn.command("--rate 100 --thread-name server-thread --no-stacks --retry"))
            .run(ServerApp.class, "2", "0")
            .succeeded();
    assertThat(result.output()).doesNotContain("WARNING");
    for (String deployment : List.of("deployment-1", "deployment-2")) {
      assertThat(standIn.records())
          .extracting(DecodedRecord::traceId)
          .as("records of %s", deployment)
          .containsAnyElementsOf(traceIds(result, deployment));
      assertThat(result.output().lines())
          .as("exported spans of %s", deployment)
          .anyMatch(line -> line.contains("'" + deployment) && line.contains(STACK_TRACE_IDS));
    }
    return result;
  }

  private static List<String> traceIds(ChildJvm.Result result, String deployment) {
    return Pattern.compile(deployment + " traces (\\w+)")
        .matcher(result.output())
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void classLoaderOfADeployment_afterItsEnd_isCollected() throws IOException {
    ChildJvm.Result result = server().run(ServerApp.class, "3", "20").succeeded();
    for (int i = 1; i <= 3; i++) {
      assertThat(result.output())
          .contains("deployment-" + i + " collected: true", "deployment-" + i + " unmapped: true")
          .contains("status: deployment-" + i + " stopped");
    }
    assertThat(result.output()).doesNotContain("WARNING");
    try (Stream<Path> extracted = Files.walk(directory.resolve("native"))) {
      assertThat(extracted).noneMatch(file -> file.toString().endsWith(".tmp"));
    }
  }
}
