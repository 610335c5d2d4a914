/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static io.flamespan.embedded.files.WrittenSpans.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.embedded.messages.ProfilesMessageTest;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two endpoints allocate, in the files of a process. */
class AllocationFilesTest {
  private static final long MB = 1_000_000;
  private static volatile Object sink = "";

  @TempDir private Path temporary;

  private OpenTelemetrySdk sdk() {
    return WrittenSpans.sdk(
        Map.of(
            PREFIX + "profiler",
            "on",
            PREFIX + "profiler.events",
            "cpu,alloc",
            PREFIX + "profiler.directory",
            temporary.toString()));
  }

  @Test
  void allocation_ofTwoEndpoints_hasTheirSharesAndClasses() throws Exception {
    WrittenSpans written = new WrittenSpans(temporary);
    Map<String, String> endpoints =
        written.run(
            this::sdk,
            call -> {
              for (int i = 0; i < 100; i++) {
                call.accept("first", () -> allocateBytes(10 * MB));
                call.accept("second", () -> allocateLongs(30 * MB));
              }
            });

    Map<String, Double> bytes = new HashMap<>(); // by endpoint and class
    for (ProfilesData data : written.profiles()) {
      add(data, endpoints, bytes);
    }
    assertThat(bytes).containsOnlyKeys("first class byte[]:0", "second class long[]:0");
    // Of 1 and 3 GB, by a sample each 512 KB: a standard deviation of the share is 1 %.
    double first = bytes.get("first class byte[]:0");
    assertThat(first / (first + bytes.get("second class long[]:0"))).isCloseTo(0.25, within(0.06));
  }

  private static void add(
      ProfilesData data, Map<String, String> endpoints, Map<String, Double> bytes)
      throws IOException {
    List<String> strings = data.getDictionary().getStringTableList();
    for (Profile profile : data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
      if (strings.get(profile.getSampleType().getTypeStrindex()).equals("alloc_space")) {
        for (Sample sample : profile.getSamplesList()) {
          List<String> frames = ProfilesMessageTest.frames(data, sample);
          String endpoint =
              endpoints.get(
                  ProfilesMessageTest.hex(
                      data.getDictionary().getLinkTable(sample.getLinkIndex()).getSpanId()));
          if (endpoint != null && frames.get(1).contains("AllocationFilesTest.allocate")) {
            double sum = sample.getValuesList().stream().mapToLong(Long::longValue).sum();
            bytes.merge(endpoint + " " + frames.get(0), sum, Double::sum);
          }
        }
      }
    }
  }

  private static void allocateBytes(long bytes) {
    for (long rest = bytes; rest > 0; rest -= 1_000) {
      sink = new byte[1_000 - 16]; // the header
    }
  }

  private static void allocateLongs(long bytes) {
    for (long rest = bytes; rest > 0; rest -= 1_000) {
      sink = new long[(1_000 - 16) / 8];
    }
  }
}
