/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFormsTest {
  private static final Message[] ALL = {
    Example.shopProfile(), Example.shop(), Example.storeProfile(), Example.store()
  };

  @TempDir Path directory;

  @Test
  void jsonLines_ofAllSignals_areRead() throws IOException {
    assertWhole(JoinRun.of(directory, CollectorFiles.json(ALL)));
  }

  @Test
  void protobuf_withLengths_isRead() throws IOException {
    assertWhole(JoinRun.of(directory, CollectorFiles.protobuf(ALL)));
  }

  @Test
  void protobuf_aMessageAFile_isRead() throws IOException {
    assertWhole(
        JoinRun.of(
            directory,
            ALL[0].toByteArray(),
            ALL[1].toByteArray(),
            ALL[2].toByteArray(),
            ALL[3].toByteArray()));
  }

  @Test
  void gzip_ofEitherForm_isRead() throws IOException {
    assertWhole(
        JoinRun.of(
            directory,
            CollectorFiles.gzip(CollectorFiles.json(ALL[0], ALL[1])),
            CollectorFiles.gzip(CollectorFiles.protobuf(ALL[2], ALL[3]))));
  }

  @Test
  void json_overSeveralLines_isRead() throws IOException {
    String spread = CollectorFiles.jsonLine(ALL[1]).replaceFirst("\\{", "{\n").replace(",", ",\n");

    assertWhole(
        JoinRun.of(
            directory,
            spread.getBytes(StandardCharsets.UTF_8),
            CollectorFiles.json(ALL[0], ALL[2], ALL[3])));
  }

  /** Written by hand after the OTLP specification, with ids in capitals and enums as numbers. */
  @Test
  void json_asTheSpecificationWritesIt_joinsByHexadecimalIds() throws IOException {
    String traces =
        """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},\
        "scopeSpans":[{"spans":[{"traceId":"5B8EFFF798038103D269B633813FC60C",\
        "spanId":"EEE19B7EC3C1B174","parentSpanId":"EEE19B7EC3C1B173","flags":769,"name":"hex",\
        "kind":2,"startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000",\
        "status":{"code":2}}]}]}]}
        """;
    String profiles =
        """
        {"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,\
        "unitStrindex":2},"samples":[{"stackIndex":1,"linkIndex":1,\
        "timestampsUnixNano":["1544712660500000000"]}],"periodType":{"typeStrindex":3,\
        "unitStrindex":4},"period":"50000000","profileId":"00000000000000000000000000000001"}]}]}],\
        "dictionary":{"mappingTable":[{}],"locationTable":[{},{"address":"4096"}],"functionTable":[{}],\
        "linkTable":[{},{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174"}],\
        "stringTable":["","samples","count","cpu","nanoseconds"],"attributeTable":[{}],\
        "stackTable":[{},{"locationIndices":[1]}]}}
        """;

    JoinRun run =
        JoinRun.of(
            directory,
            traces.getBytes(StandardCharsets.UTF_8),
            profiles.getBytes(StandardCharsets.UTF_8));

    assertThat(run.samplesOf("hex")).isEqualTo(1);
    assertThat(run.notes()).isEmpty();
    assertThat(Files.readString(run.page())).contains("5b8efff798038103d269b633813fc60c", "0x1000");
  }

  @Test
  void outputs_inTheInputDirectory_areNotRead() throws IOException {
    Path input = Files.createDirectories(directory.resolve("input"));
    Files.write(input.resolve("all.json"), CollectorFiles.json(ALL));
    for (String name : new String[] {"flame-graphs.html", "speedscope.json", "profile.pb.gz"}) {
      Files.writeString(input.resolve(name), "{}");
    }

    assertWhole(JoinRun.of(input));
  }

  private static void assertWhole(JoinRun run) throws IOException {
    assertThat(run.status()).isZero();
    assertThat(run.notes()).isEmpty();
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(7);
    assertThat(run.samplesOf("reserve")).isEqualTo(3);
    assertThat(run.unjoined("no Link")).isEqualTo(2);
  }
}
