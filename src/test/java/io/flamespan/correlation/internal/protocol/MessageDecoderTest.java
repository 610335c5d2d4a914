/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static io.flamespan.correlation.testing.RecordingHandler.correlation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.Datagrams;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingHandler;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDecoderTest {
  private final RecordingHandler handler = new RecordingHandler();
  private final MessageDecoder decoder = new MessageDecoder(handler);
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private void decode(byte[] datagram) {
    decoder.decode(ByteBuffer.wrap(datagram));
  }

  private void assertDropped(byte[] datagram) {
    long before = decoder.invalidMessages();
    decode(datagram);
    assertThat(handler.calls).isEmpty();
    assertThat(decoder.invalidMessages()).isEqualTo(before + 1);
  }

  @Nested
  class Correlation {
    @Test
    void correlation_bytes_areThoseOfTheProtocol() {
      String ids = "0102030405060708090a0b0c0d0e0f10" + "2122232425262728";
      String stack = "3132333435363738393a3b3c3d3e3f40";
      boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
      decode(
          HexFormat.of()
              .parseHex(
                  little ? "01000100" + ids + stack + "0300" : "00010001" + ids + stack + "0003"));

      assertThat(handler.calls).containsExactly(correlation(3));
      assertThat(decoder.invalidMessages()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 32_767, 32_768, 40_000, 65_535})
    void correlation_count_isUnsigned(int count) {
      decode(Datagrams.correlation(count));

      assertThat(handler.calls).containsExactly(correlation(count));
    }

    @Test
    void correlation_shorter_isDropped() {
      for (int length = 1; length < 46; length++) {
        assertDropped(Datagrams.cut(Datagrams.correlation(1), length));
      }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "2, 8", "65535, 1000", "1, 7", "0, 0"})
    void correlation_newerMinorVersion_isUnderstood(int minor, int extraBytes) {
      decode(Datagrams.correlation(minor, 5, extraBytes));

      assertThat(handler.calls).containsExactly(correlation(5));
    }
  }

  @Nested
  class Registration {
    @Test
    void registration_bytes_areThoseOfTheProtocol() {
      boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
      decode(
          HexFormat.of()
              .parseHex(
                  little
                      ? "02000100" + "e8030000" + "04000000" + "686f7374"
                      : "00020001" + "000003e8" + "00000004" + "686f7374"));

      assertThat(handler.calls).containsExactly("registration 1000 'host'");
    }

    @ParameterizedTest
    @CsvSource({
      "0, 0",
      "1, 1",
      "0x7fffffff, 2147483647",
      "-2147483648, 2147483648",
      "-1, 4294967295",
    })
    void registration_delay_isUnsigned(int sent, long received) {
      decode(Datagrams.registration(sent, "host"));

      assertThat(handler.calls).containsExactly("registration " + received + " 'host'");
    }

    @Test
    void registration_hostId_mayBeEmpty() {
      decode(Datagrams.registration(7, ""));

      assertThat(handler.calls).containsExactly("registration 7 ''");
    }

    @Test
    void registration_hostId_isUtf8() {
      decode(Datagrams.registration(7, "hôte-😀"));

      assertThat(handler.calls).containsExactly("registration 7 'hôte-😀'");
    }

    @Test
    void registration_hostIdThatIsNotUtf8_isDropped() {
      byte[] datagram = Datagrams.registration(7, "host-abcde");
      for (int i = 12; i < datagram.length; i++) {
        datagram[i] = (byte) 0xfe;
      }

      assertDropped(datagram);
      assertThat(decoder.registrationMessages()).isZero();
      assertThat(logs.warnings()).singleElement().asString().contains("host id", "not UTF-8");
    }

    @Test
    void registration_longHostId_isUnderstood() {
      decode(Datagrams.registration(7, "h".repeat(60_000)));

      assertThat(handler.calls).containsExactly("registration 7 '" + "h".repeat(60_000) + "'");
    }

    @Test
    void registration_shorter_isDropped() {
      byte[] whole = Datagrams.registration(7, "host");
      for (int length = 1; length < whole.length; length++) {
        assertDropped(Datagrams.cut(whole, length));
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 1_000, 0x7fffffff, 0x80000000, 0xffffffff})
    void registration_hostIdBeyondTheDatagram_isDropped(int length) {
      byte[] message = Datagrams.registration(7, "host");
      ByteBuffer.wrap(message).order(ByteOrder.nativeOrder()).putInt(8, length);

      assertDropped(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7fffffff, 0xffffffff})
    void registration_impossibleHostIdLength_allocatesLittle(int length) {
      byte[] bytes = Datagrams.registration(7, "host");
      ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(8, length);
      ByteBuffer message = ByteBuffer.wrap(bytes);
      int rounds = 1_000;
      decodeAgain(message, rounds);
      com.sun.management.ThreadMXBean threads =
          (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      decodeAgain(message, rounds);
      long each = (threads.getCurrentThreadAllocatedBytes() - before) / rounds;

      // The text of the warning is created even if it is not logged.
      assertThat(each).isLessThan(2_000);
      assertThat(decoder.invalidMessages()).isEqualTo(2 * rounds);
    }

    private void decodeAgain(ByteBuffer message, int rounds) {
      for (int i = 0; i < rounds; i++) {
        message.clear();
        decoder.decode(message);
      }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "2, 8", "65535, 1000", "1, 7", "0, 0"})
    void registration_newerMinorVersion_isUnderstood(int minor, int extraBytes) {
      decode(Datagrams.registration(minor, 7, "host", extraBytes));

      assertThat(handler.calls).containsExactly("registration 7 'host'");
    }
  }

  @Test
  void datagram_inALargerBuffer_isReadWithinItsLimits() {
    byte[] message = Datagrams.correlation(3);
    ByteBuffer buffer = ByteBuffer.allocateDirect(200);
    buffer.position(77).put(message).flip().position(77);
    decoder.decode(buffer);
    assertThat(handler.calls).containsExactly(correlation(3));

    // The bytes after the limit belong to the previous message.
    buffer.limit(77 + 45).position(77);
    decoder.decode(buffer);
    assertThat(handler.calls).hasSize(1);
    assertThat(decoder.invalidMessages()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 4, 0x0100, 0x0200, 0x0102, 0x8001, 0xffff})
  void datagram_unknownType_isDropped(int type) {
    assertDropped(Datagrams.unknown(type, 46));
    assertDropped(Datagrams.unknown(type, 4));
  }

  @Test
  void datagram_tooLargeForTheBuffer_isDropped() {
    decoder.dropTruncated(65_536);

    assertThat(decoder.invalidMessages()).isEqualTo(1);
    assertThat(logs.warnings()).hasSize(1);
    assertThat(logs.warnings().get(0)).contains("65536");
  }

  @Test
  void datagrams_manyDropped_giveOneWarning() {
    decode(Datagrams.unknown(77, 10));
    for (int i = 0; i < 1_000; i++) {
      decode(Datagrams.cut(Datagrams.correlation(1), 1 + i % 45));
    }

    assertThat(decoder.invalidMessages()).isEqualTo(1_001);
    assertThat(logs.warnings()).hasSize(1);
    assertThat(logs.warnings().get(0)).contains("77").contains("10 bytes");
  }

  @Test
  void datagrams_valid_giveNoWarning() {
    decode(Datagrams.registration(7, "host"));
    decode(Datagrams.correlation(1));

    assertThat(handler.calls).hasSize(2);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void handler_failing_isPassedToTheCaller() {
    MessageDecoder failing =
        new MessageDecoder(
            new RecordingHandler() {
              @Override
              public void onRegistration(long samplesDelayMillis, String hostId) {
                throw new IllegalStateException("handler");
              }
            });

    assertThatThrownBy(() -> failing.decode(ByteBuffer.wrap(Datagrams.registration(1, ""))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(failing.invalidMessages()).isZero();
  }

  @Test
  void emptyDatagram_isIgnoredButCountsAsReceived() {
    decode(new byte[0]);

    assertThat(handler.calls).isEmpty();
    assertThat(decoder.datagrams()).isEqualTo(1);
    assertThat(decoder.registrationMessages() + decoder.correlationMessages()).isZero();
    assertThat(decoder.invalidMessages()).isZero();
    assertThat(decoder.lastMessageMillis()).isZero();
  }
}
