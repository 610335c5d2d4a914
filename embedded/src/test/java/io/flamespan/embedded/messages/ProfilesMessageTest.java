/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import static io.flamespan.embedded.Samples.frame;
import static io.flamespan.embedded.Samples.ofClass;
import static io.flamespan.embedded.Samples.sample;
import static io.flamespan.embedded.Samples.stack;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.embedded.Frame;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.SampleKind;
import io.flamespan.embedded.StackTrace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message with profiles has everything that was sampled, and refers to it as OTLP says. */
public class ProfilesMessageTest {
  private static final long PERIOD = 50_000_000;
  private static final Resource SHOP =
      Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "shop"));
  private static final Work WORK = new Work(-1, 2, 3, -4);

  private final StackTrace stack =
      stack(
          frame("", "__memcpy", 0, "C++"),
          frame("", "page_fault", 0, "Kernel"),
          frame("com.example.Shop", "buy", 12, "JIT compiled"),
          frame("com.example.Shop", "buy", 34, "Inlined"),
          frame("com.example.Main", "main", 0, "Interpreted"));

  private static ProfilesMessage message(boolean linksNameLocalRoots, JoinedSample... samples) {
    List<ProfilesMessage> messages =
        ProfilesMessage.of(List.of(samples), PERIOD, SHOP, linksNameLocalRoots);
    assertThat(messages).hasSize(1);
    return messages.get(0);
  }

  private static ProfilesData read(ProfilesMessage message) {
    try {
      return ProfilesData.parseFrom(message.toBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static ProfilesData read(JoinedSample... samples) {
    return read(message(false, samples));
  }

  private static Profile profile(ProfilesData data) {
    return data.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
  }

  private static String text(ProfilesData data, int index) {
    return data.getDictionary().getStringTable(index);
  }

  private static String attribute(ProfilesData data, String key, List<Integer> indexes) {
    for (int index : indexes) {
      KeyValueAndUnit attribute = data.getDictionary().getAttributeTable(index);
      if (text(data, attribute.getKeyStrindex()).equals(key)) {
        return attribute.getValue().getStringValue();
      }
    }
    return "";
  }

  public static List<String> frames(ProfilesData data, Sample sample) {
    List<String> frames = new ArrayList<>();
    ProfilesDictionary tables = data.getDictionary();
    for (int index : tables.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      Location location = tables.getLocationTable(index);
      Function function = tables.getFunctionTable(location.getLines(0).getFunctionIndex());
      frames.add(
          attribute(data, "profile.frame.type", location.getAttributeIndicesList())
              + ' '
              + text(data, function.getNameStrindex())
              + ':'
              + location.getLines(0).getLine());
    }
    return frames;
  }

  @Test
  void frames_ofEachType_haveNamesAndLines() {
    ProfilesData data = read(sample(1_000, "main", stack, WORK));

    assertThat(frames(data, profile(data).getSamples(0)))
        .containsExactly(
            "native __memcpy:0",
            "kernel page_fault:0",
            "jvm com.example.Shop.buy:12",
            "jvm com.example.Shop.buy:34",
            "jvm com.example.Main.main:0");
  }

  @Test
  void class_ofAnAllocation_isALeafOfItsOwnType() {
    StackTrace allocating =
        stack(ofClass("[B"), frame("com.example.Shop", "buy", 12, "JIT compiled"));
    ProfilesData data = read(sample(SampleKind.ALLOC, 524_300, 1_000, "main", allocating, WORK));

    assertThat(frames(data, profile(data).getSamples(0)))
        .containsExactly("class byte[]:0", "jvm com.example.Shop.buy:12");
  }

  @Test
  void link_ofASample_namesTheCurrentSpan() {
    ProfilesData data = read(sample(1_000, "main", stack, WORK));

    Link link = data.getDictionary().getLinkTable(profile(data).getSamples(0).getLinkIndex());
    assertThat(hex(link.getTraceId())).isEqualTo("ffffffffffffffff0000000000000002");
    assertThat(hex(link.getSpanId())).isEqualTo("fffffffffffffffc");
  }

  @Test
  void link_asTheSettingSays_namesTheLocalRootSpan() {
    ProfilesData data = read(message(true, sample(1_000, "main", stack, WORK)));

    Link link = data.getDictionary().getLinkTable(profile(data).getSamples(0).getLinkIndex());
    assertThat(hex(link.getTraceId())).isEqualTo("ffffffffffffffff0000000000000002");
    assertThat(hex(link.getSpanId())).isEqualTo("0000000000000003");
  }

  @Test
  void message_always_hasOnlyFieldsThatReceiversKnow() throws InvalidProtocolBufferException {
    byte[] message =
        message(
                false,
                sample(3_000, "main", stack, WORK),
                sample(1_000, "é", stack, null),
                sample(Long.MAX_VALUE, "", stack(frame("a", "b", 65_535, "Native")), WORK))
            .toBytes();

    ExportProfilesServiceRequest request = ExportProfilesServiceRequest.parseFrom(message);
    assertThat(request)
        .isEqualTo(
            DiscardUnknownFieldsParser.wrap(ExportProfilesServiceRequest.parser())
                .parseFrom(message));
    assertThat(request.getDictionary()).isEqualTo(ProfilesData.parseFrom(message).getDictionary());
  }

  @Test
  void samples_thatAreMany_areSeveralMessagesThatReceiversAccept() {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < 2_048; i++) {
      frames.add(frame("com.example.Deep", "method" + i, i, "Inlined"));
    }
    List<JoinedSample> samples = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      StackTrace different = stack(frames.get(i % 2_000), frames.get(i / 2_000));
      samples.add(sample(i, "thread " + i, different, new Work(i, i, i, i + 1)));
    }

    List<ProfilesMessage> messages = ProfilesMessage.of(samples, PERIOD, SHOP, false);

    assertThat(messages)
        .extracting(message -> profile(read(message)).getSamplesCount())
        .containsExactly(5_000, 5_000, 2_000);
    assertThat(messages).allMatch(message -> message.toBytes().length < 4 << 20);
  }

  public static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  @Test
  void sample_withoutSpan_hasNoLink() {
    assertThat(profile(read(sample(1_000, "main", stack, null))).getSamples(0).getLinkIndex())
        .isZero();
  }

  @Test
  void sample_ofASpanThatIsNotSampled_hasItsNameAndNoLink() {
    ProfilesData data =
        read(
            sample(1_000, "main", stack, Work.notSampled("GET /cart")),
            sample(2_000, "main", stack, Work.notSampled("GET /cart")),
            sample(3_000, "main", stack, Work.notSampled("")),
            sample(4_000, "main", stack, null));

    assertThat(profile(data).getSamplesList()).allMatch(sample -> sample.getLinkIndex() == 0);
    assertThat(profile(data).getSamplesList())
        .extracting(
            sample -> attribute(data, "not_sampled.span.name", sample.getAttributeIndicesList()))
        .containsExactly("GET /cart", "unknown", "");
    assertThat(profile(data).getSamples(0).getTimestampsUnixNanoCount()).isEqualTo(2);
  }

  @Test
  void samples_ofTheSameStackThreadAndSpan_areOne() {
    StackTrace other = stack(frame("a", "b", 1, "Interpreted"));
    ProfilesData data =
        read(
            sample(3_000, "main", stack, WORK),
            sample(1_000, "main", stack, new Work(-1, 2, 3, -4)),
            sample(2_000, "pool", stack, WORK),
            sample(4_000, "main", other, WORK),
            sample(5_000, "main", stack, new Work(-1, 2, 3, 3)),
            sample(6_000, "", stack, null));

    assertThat(profile(data).getSamplesList())
        .extracting(Sample::getTimestampsUnixNanoList)
        .containsExactly(
            List.of(3_000L, 1_000L),
            List.of(2_000L),
            List.of(4_000L),
            List.of(5_000L),
            List.of(6_000L));
    assertThat(profile(data).getSamplesList())
        .extracting(sample -> attribute(data, "thread.name", sample.getAttributeIndicesList()))
        .containsExactly("main", "pool", "main", "main", "");
  }

  @Test
  void profile_always_hasTypePeriodTimeAndResource() {
    ProfilesData data =
        read(sample(3_000, "main", stack, WORK), sample(1_000, "main", stack, null));

    Profile profile = profile(data);
    assertThat(text(data, profile.getSampleType().getTypeStrindex())).isEqualTo("samples");
    assertThat(text(data, profile.getSampleType().getUnitStrindex())).isEqualTo("count");
    assertThat(text(data, profile.getPeriodType().getTypeStrindex())).isEqualTo("cpu");
    assertThat(text(data, profile.getPeriodType().getUnitStrindex())).isEqualTo("nanoseconds");
    assertThat(profile.getPeriod()).isEqualTo(PERIOD);
    assertThat(profile.getTimeUnixNano()).isEqualTo(1_000);
    long end = profile.getTimeUnixNano() + profile.getDurationNano(); // does not belong to it
    for (Sample sample : profile.getSamplesList()) {
      assertThat(sample.getTimestampsUnixNanoList())
          .allMatch(time -> time >= profile.getTimeUnixNano() && time < end);
    }
    assertThat(profile.getDurationNano()).isEqualTo(2_001);
    assertThat(data.getResourceProfiles(0).getResource().getAttributes(0).getKey())
        .isEqualTo("service.name");
  }

  @Test
  void tables_always_beginWithAnEmptyRowAndHaveNoRowTwice() {
    ProfilesDictionary tables =
        read(sample(1_000, "main", stack, WORK), sample(2_000, "main", stack, WORK))
            .getDictionary();

    assertThat(tables.getStringTable(0)).isEmpty();
    assertThat(tables.getMappingTable(0)).isEqualTo(Mapping.getDefaultInstance());
    assertThat(tables.getLocationTable(0)).isEqualTo(Location.getDefaultInstance());
    assertThat(tables.getFunctionTable(0)).isEqualTo(Function.getDefaultInstance());
    assertThat(tables.getLinkTable(0)).isEqualTo(Link.getDefaultInstance());
    assertThat(tables.getAttributeTable(0)).isEqualTo(KeyValueAndUnit.getDefaultInstance());
    assertThat(tables.getStackTable(0)).isEqualTo(Stack.getDefaultInstance());
    assertThat(tables.getStringTableList()).doesNotHaveDuplicates();
    assertThat(tables.getLocationTableList()).doesNotHaveDuplicates();
    assertThat(tables.getFunctionTableList()).doesNotHaveDuplicates();
    assertThat(tables.getLinkTableList()).doesNotHaveDuplicates();
    assertThat(tables.getAttributeTableList()).doesNotHaveDuplicates();
    assertThat(tables.getStackTableList()).doesNotHaveDuplicates();
  }
}
