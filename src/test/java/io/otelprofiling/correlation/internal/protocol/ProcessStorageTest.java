/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ProcessStorageTest {
  @Test
  void encode_bytes_areThoseOfTheProtocol() {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    String expected =
        little
            ? "0100" + "04000000" + "73686f70" + "03000000" + "646576" + "05000000" + "2f742f7331"
            : "0001" + "00000004" + "73686f70" + "00000003" + "646576" + "00000005" + "2f742f7331";

    assertThat(HexFormat.of().formatHex(ProcessStorage.encode("shop", "dev", "/t/s1")))
        .isEqualTo(expected);
  }
}
