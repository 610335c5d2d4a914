/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import static io.flamespan.embedded.Samples.frame;
import static io.flamespan.embedded.Samples.sample;
import static io.flamespan.embedded.Samples.stack;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.embedded.JoinedSample;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Messages conform to the rules of {@link MessageConformance}. Those that any test receives do,
 * too.
 */
class MessageConformanceTest {
  private static final Work WORK = new Work(1, 2, 3, 4);

  private final ProfilesMessage ofKinds = new ProfilesOfKindsTest().message;

  private static ProfilesMessage message(JoinedSample... samples) {
    return ProfilesMessage.of(List.of(samples), 10_000_000, Resource.empty(), true).get(0);
  }

  private static List<String> violations(ProfilesMessage message)
      throws InvalidProtocolBufferException {
    return MessageConformance.violations(ProfilesData.parseFrom(message.toBytes()));
  }

  @Test
  void message_withSamplesOfAllKinds_conforms() throws Exception {
    assertThat(violations(ofKinds)).isEmpty();
    keep("kinds", ofKinds);
  }

  @Test
  void message_withWhatIsNotKnown_conforms() throws Exception {
    ProfilesMessage unknown =
        message(
            sample(3_000, "", stack(), null),
            sample(2_000, "", stack(frame("", "", 0, "Native")), null),
            sample(2_000, "main", stack(frame("", "", 0, "Kernel")), null),
            sample(1_000, "main", stack(frame("", "", 7, "Native"), frame("a", "b", 7, "")), WORK),
            sample(1_000, "main", stack(), WORK));

    assertThat(violations(unknown)).isEmpty();
    keep("unknown", unknown);
  }

  /** For the group's own program, as docs/internals/conformance.md says. */
  private static void keep(String name, ProfilesMessage message) throws IOException {
    Path directory = Files.createDirectories(Path.of("target/profiles"));
    Files.write(directory.resolve(name), message.toBytes());
  }

  @Test
  void violations_ofEachKind_areFound() throws Exception {
    assertThat(violated(data -> data.clearResourceProfiles())).contains("no resource profiles");
    assertThat(violated(data -> first(data).setStackIndex(99))).contains("stack 99 of 2");
    assertThat(violated(data -> first(data).setLinkIndex(-1)))
        .anyMatch(line -> line.startsWith("link -1 of"));
    assertThat(
            violated(data -> first(data).addAttributeIndices(first(data).getAttributeIndices(0))))
        .contains("sample with a key twice");
    assertThat(violated(data -> first(data).setTimestampsUnixNano(0, 1)))
        .anyMatch(line -> line.startsWith("time outside the profile"));
    assertThat(violated(data -> first(data).addValues(1).addValues(2)))
        .anyMatch(line -> line.startsWith("sample with as many values"));
    assertThat(violated(data -> first(data).clearTimestampsUnixNano()))
        .contains("sample without values and times");
    assertThat(violated(data -> data.getDictionaryBuilder().addStringTable("x")))
        .singleElement()
        .asString()
        .startsWith("nothing refers to string");
    assertThat(violated(data -> data.getDictionaryBuilder().addStringTable("")))
        .contains("string table with a row twice");
    assertThat(
            violated(
                data ->
                    data.getDictionaryBuilder()
                        .setLinkTable(
                            1, Link.newBuilder().setSpanId(ByteString.copyFromUtf8("12345678")))))
        .contains("trace id of 0");
    assertThat(
            violated(
                data ->
                    data.getDictionaryBuilder()
                        .getLocationTableBuilder(1)
                        .getLinesBuilder(0)
                        .setLine(-1)))
        .contains("negative line");
  }

  private List<String> violated(Consumer<ProfilesData.Builder> change) throws Exception {
    ProfilesData.Builder data = ProfilesData.parseFrom(ofKinds.toBytes()).toBuilder();
    change.accept(data);
    return MessageConformance.violations(data.build());
  }

  private static Sample.Builder first(ProfilesData.Builder data) {
    return data.getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .getProfilesBuilder(0)
        .getSamplesBuilder(0);
  }
}
