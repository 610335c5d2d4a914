/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import static io.flamespan.embedded.Samples.frame;
import static io.flamespan.embedded.Samples.held;
import static io.flamespan.embedded.Samples.sample;
import static io.flamespan.embedded.Samples.stack;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.embedded.SampleKind;
import io.flamespan.embedded.StackTrace;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.sdk.resources.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Samples of each kind are a profile of their own, whose type says what they stand for. */
class ProfilesOfKindsTest {
  private static final long PERIOD = 50_000_000;

  private final StackTrace stack = stack(frame("com.example.Shop", "buy", 12, "JIT compiled"));
  private final Work work = new Work(1, 2, 3, 4);
  final ProfilesMessage message =
      ProfilesMessage.of(
              List.of(
                  sample(SampleKind.LOCK, 2_000_000_000_000L, 1_000, "main", stack, work),
                  sample(SampleKind.ALLOC, 524_300, 2_000, "main", stack, work),
                  sample(SampleKind.WALL, 0, 5_000, "main", stack, work),
                  sample(SampleKind.CPU, 0, 3_000, "main", stack, work),
                  sample(SampleKind.THROTTLED, 40_000_000, 6_000, "", stack, null),
                  sample(SampleKind.STOPPED, 7_000_000, 7_000, "", stack, null),
                  sample(SampleKind.STOPPED, 0, 9_000, "", stack, null),
                  sample(SampleKind.RUNNABLE, 0, 8_000, "main", stack, work),
                  held(9_000_000, 9_000, stack, work, new Work(0xa, 0xb, 0xc, 0xd), "exec-1"),
                  held(4_000_000, 9_050, stack, work, Work.UNKNOWN, "exec-1"),
                  held(1, 9_060, stack, work, Work.notSampled("GET /pay"), "exec-1"),
                  held(1, 9_070, stack, work, Work.notSampled(""), "exec-1"),
                  held(3_000_000, 9_100, stack, work, null, "exec-2"),
                  held(2_000_000, 9_200, stack, work, null, ""),
                  sample(SampleKind.ALLOC, 1_000_000, 4_000, "main", stack, work)),
              PERIOD,
              Resource.empty(),
              false)
          .get(0);

  @Test
  void holders_ofLocks_areAttributesOfSamples() throws Exception {
    ProfilesData data = ProfilesData.parseFrom(message.toBytes());
    Profile profile = data.getResourceProfiles(0).getScopeProfiles(0).getProfiles(7);

    assertThat(profile.getSamplesList())
        .extracting(sample -> attributes(data, sample))
        .containsExactly(
            Map.of(
                "thread.name", "main",
                "lock.holder.trace_id", "000000000000000a000000000000000b",
                "lock.holder.span_id", "000000000000000c",
                "lock.holder.thread.name", "exec-1"),
            Map.of(
                "thread.name", "main",
                "lock.holder.trace_id", "00000000000000000000000000000000",
                "lock.holder.span_id", "0000000000000000",
                "lock.holder.thread.name", "exec-1"),
            ofNotSampled("GET /pay"),
            ofNotSampled("unknown"),
            Map.of("thread.name", "main", "lock.holder.thread.name", "exec-2"),
            Map.of("thread.name", "main"));
    assertThat(profile.getSamplesList())
        .allSatisfy(sample -> assertThat(sample.getLinkIndex()).isPositive());
  }

  private static Map<String, String> ofNotSampled(String name) {
    return Map.of(
        "thread.name", "main",
        "lock.holder.trace_id", "00000000000000000000000000000000",
        "lock.holder.span_id", "0000000000000000",
        "lock.holder.not_sampled.span.name", name,
        "lock.holder.thread.name", "exec-1");
  }

  private static Map<String, String> attributes(ProfilesData data, Sample sample) {
    Map<String, String> found = new HashMap<>();
    for (int index : sample.getAttributeIndicesList()) {
      KeyValueAndUnit attribute = data.getDictionary().getAttributeTable(index);
      found.put(
          data.getDictionary().getStringTable(attribute.getKeyStrindex()),
          attribute.getValue().getStringValue());
    }
    return found;
  }

  private static String type(ProfilesData data, ValueType type) {
    List<String> strings = data.getDictionary().getStringTableList();
    return strings.get(type.getTypeStrindex()) + '/' + strings.get(type.getUnitStrindex());
  }

  @Test
  void kinds_always_areProfilesOfTheirOwn() throws Exception {
    ProfilesData data = ProfilesData.parseFrom(message.toBytes());
    List<Profile> profiles = data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList();

    assertThat(profiles)
        .extracting(profile -> type(data, profile.getSampleType()))
        .containsExactly(
            "samples/count",
            "alloc_space/bytes",
            "lock/nanoseconds",
            "off_cpu/nanoseconds",
            "runnable/nanoseconds",
            "jvm_stopped/nanoseconds",
            "cpu_throttled/nanoseconds",
            "lock_holder/nanoseconds");
    assertThat(profiles)
        .extracting(profile -> type(data, profile.getPeriodType()))
        .containsExactly(
            "cpu/nanoseconds", "/", "/", "wall/nanoseconds", "wall/nanoseconds", "/", "/", "/");
    assertThat(profiles.subList(0, 7))
        .allSatisfy(profile -> assertThat(profile.getSamplesList()).hasSize(1));
    assertThat(profiles)
        .extracting(profile -> profile.getSamples(0).getValuesList())
        .containsExactly(
            List.of(),
            List.of(524_300L, 1_000_000L),
            List.of(2_000_000_000_000L),
            List.of(PERIOD),
            List.of(PERIOD),
            List.of(7_000_000L, 0L),
            List.of(40_000_000L),
            List.of(9_000_000L));
    assertThat(profiles)
        .extracting(profile -> profile.getSamples(0).getTimestampsUnixNanoList())
        .containsExactly(
            List.of(3_000L),
            List.of(2_000L, 4_000L),
            List.of(1_000L),
            List.of(5_000L),
            List.of(8_000L),
            List.of(7_000L, 9_000L),
            List.of(6_000L),
            List.of(9_000L));
    assertThat(profiles.subList(0, 5))
        .allSatisfy(profile -> assertThat(profile.getSamples(0).getLinkIndex()).isPositive());
    assertThat(profiles.subList(5, 7))
        .allSatisfy(
            profile -> {
              assertThat(profile.getSamples(0).getLinkIndex()).isZero();
              assertThat(profile.getSamples(0).getAttributeIndicesList()).isEmpty();
            });
  }
}
