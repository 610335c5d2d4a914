/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.otelprofiling.doctor.internal.proc.MadeUpMapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: reading any published data ends, with a result or an IOException. */
@Timeout(120) // fails on an endless loop
class ProcessDataFuzzTest {
  private static final int MUTATIONS = 5_000;
  private static final int SIZE = 1 << 17;
  private static final int PAYLOAD = 64;

  private final OwnMemory own = new OwnMemory();
  private final ProcessMemory memory = own.reader;

  private static byte[] storage() {
    ByteBuffer bytes = ByteBuffer.allocate(200).order(ByteOrder.nativeOrder());
    bytes.putShort((short) 1);
    for (String text : List.of("shöp", "test", "/tmp/a.sock")) {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      bytes.putInt(encoded.length).put(encoded);
    }
    return bytes.array();
  }

  /** Encodes a length-delimited field of a protobuf message. */
  private static byte[] field(int number, byte[]... contents) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : contents) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write(number << 3 | 2);
    int length = content.size();
    for (; length > 0x7f; length >>>= 7) {
      field.write(length & 0x7f | 0x80);
    }
    field.write(length);
    field.writeBytes(content.toByteArray());
    return field.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] context(byte[] payload) {
    ByteBuffer bytes = ByteBuffer.allocate(PAYLOAD + payload.length);
    bytes.order(ByteOrder.nativeOrder()).put(text("OTEL_CTX")).putInt(2).putInt(payload.length);
    bytes.putLong(1).putLong(own.address() + PAYLOAD).position(PAYLOAD).put(payload);
    return bytes.array();
  }

  private byte[] context() {
    byte[] resource = field(1, field(1, text("service.name")), field(2, field(1, text("shop"))));
    byte[] keys = field(5, field(1, field(1, text("a"))), field(1, field(1, text("b"))));
    return context(
        concat(
            field(1, resource),
            field(2, field(1, text("threadlocal.attribute_key_map")), field(2, keys)),
            field(2, field(1, text("n")), field(2, new byte[] {3 << 3, 42}))));
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private void write(byte[] bytes) {
    own.write(bytes);
  }

  private FoundProcessStorage readStorage() throws IOException {
    return new FoundProcessStorage(memory, own.address());
  }

  private FoundProcessContext readContext() throws IOException {
    return new FoundProcessContext(memory, MadeUpMapping.at(own.address(), SIZE));
  }

  private static byte[] mutate(byte[] valid, int from, Random random) {
    byte[] mutated = valid.clone();
    for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
      int at = from + random.nextInt(valid.length - from);
      mutated[at] =
          switch (random.nextInt(3)) {
            case 0 -> (byte) random.nextInt();
            case 1 -> (byte) -1;
            default -> (byte) (mutated[at] ^ 1 << random.nextInt(8));
          };
    }
    return mutated;
  }

  @Test
  void data_valid_isRead() throws IOException {
    write(storage());
    assertThat(readStorage().serviceName).isEqualTo("shöp");
    write(context());
    assertThat(readContext().resource()).containsEntry("service.name", "shop");
    assertThat(readContext().attributes())
        .containsEntry("threadlocal.attribute_key_map", List.of("a", "b"))
        .containsEntry("n", "42");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void storage_mutated_endsWithResultOrIoException(long seed) {
    Random random = new Random(seed);
    byte[] valid = storage();
    for (int i = 0; i < MUTATIONS; i++) {
      write(mutate(valid, 0, random));
      check("seed " + seed + ", mutation " + i, this::readStorage);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void context_mutated_endsWithResultOrIoException(long seed) {
    Random random = new Random(seed);
    byte[] valid = context();
    for (int i = 0; i < MUTATIONS; i++) {
      write(mutate(valid, i % 5 == 0 ? 0 : PAYLOAD, random));
      check("seed " + seed + ", mutation " + i, this::readContext);
    }
  }

  @Test
  void context_nestedWithoutEnd_isRefused() {
    byte[] nested = {};
    while (nested.length < 60_000) {
      nested = field(5, field(1, nested));
    }
    byte[] payload = field(2, field(1, text("k")), field(2, nested));
    write(context(payload));

    check("nested", this::readContext);
  }

  @Test
  void pointers_toNowhere_areIoExceptions() {
    for (long address : new long[] {0, -1, 1, 0x10, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> new FoundProcessStorage(memory, address))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("0x");
    }
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private static void check(String name, Reading reading) {
    try {
      assertThat(reading.read()).isNotNull();
    } catch (IOException e) {
      assertThat(e.getMessage()).as(name).isNotEmpty();
    } catch (Throwable e) {
      throw new AssertionError(name, e);
    }
  }
}
