/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the messages that are read with those that the classes of the schema read. */
class ProtobufMessageTest {
  private static final int MUTANTS = 5_000;
  private static final Parser<ProfilesData> PARSER =
      DiscardUnknownFieldsParser.wrap(ProfilesData.parser());

  @Test
  void message_withAllKindsOfValues_isReadAsWritten() throws IOException {
    assertThat(read(message().toByteArray())).isEqualTo(message());
  }

  @Test
  void numbers_thatAreNotPacked_areRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeInt64(Sample.VALUES_FIELD_NUMBER, 7);
    out.writeInt64(Sample.VALUES_FIELD_NUMBER, -8);
    out.flush();
    Sample.Builder read = Sample.newBuilder();

    ProtobufMessage.read(bytes.toByteArray(), Sample.getDescriptor(), new Built(read));

    assertThat(read.getValuesList()).containsExactly(7L, -8L);
  }

  @Test
  void message_deeplyNested_isRefused() {
    AnyValue value = AnyValue.getDefaultInstance();
    for (int depth = 0; depth < 200; depth++) {
      value = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(value)).build();
    }
    byte[] bytes = value.toByteArray();

    assertThatThrownBy(() -> ProtobufMessage.read(bytes, AnyValue.getDescriptor(), Fields.LEFT_OUT))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  @Test
  void bytes_changedAtRandom_areRefusedOrReadAsByTheClassesOfTheSchema() throws IOException {
    byte[] bytes = message().toByteArray();
    Random random = new Random(42);
    int accepted = 0;
    for (int i = 0; i < MUTANTS; i++) {
      byte[] mutant = bytes.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
      }
      ProfilesData expected;
      try {
        expected = PARSER.parseFrom(mutant);
      } catch (InvalidProtocolBufferException e) {
        assertThatThrownBy(() -> read(mutant))
            .isInstanceOf(InvalidProtocolBufferException.class)
            .hasMessage(e.getMessage());
        continue;
      }
      accepted++;
      assertThat(read(mutant)).isEqualTo(expected);
    }
    assertThat(accepted).isBetween(MUTANTS / 100, MUTANTS - 1);
  }

  private static ProfilesData read(byte[] bytes) throws IOException {
    ProfilesData.Builder read = ProfilesData.newBuilder();
    ProtobufMessage.read(bytes, ProfilesData.getDescriptor(), new Built(read));
    return read.build();
  }

  private static ProfilesData message() {
    Profile.Builder profile =
        Profile.newBuilder()
            .setTimeUnixNano(Long.MAX_VALUE)
            .setDurationNano(1)
            .setPeriod(-1)
            .setProfileId(ByteString.copyFromUtf8("0123456789abcdef"))
            .addSamples(Sample.newBuilder().setStackIndex(-1).addValues(3).addValues(-4))
            .addSamples(Sample.newBuilder().addTimestampsUnixNano(5).addAttributeIndices(1));
    profile.getSampleTypeBuilder().setTypeStrindex(1);
    return ProfilesData.newBuilder()
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(attribute(AnyValue.newBuilder().setDoubleValue(-1.5e-7)))
                        .addAttributes(attribute(AnyValue.newBuilder().setBoolValue(true)))
                        .addAttributes(attribute(AnyValue.newBuilder().setStringValue("\u00e4"))))
                .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)))
        .setDictionary(
            ProfilesDictionary.newBuilder()
                .addStringTable("")
                .addStringTable("\ud83d\ude00")
                .addMappingTable(Mapping.newBuilder().setMemoryLimit(-1))
                .addStackTable(Stack.newBuilder().addLocationIndices(1).addLocationIndices(300)))
        .build();
  }

  private static KeyValue attribute(AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey("key").setValue(value).build();
  }
}
