/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Java and C agree on the sizes of the data that they exchange. */
class NativeReceiverSizesTest {
  @Test
  void sizes_inJava_areThoseOfC() throws IOException {
    assertThat(NativeReceiver.MAX_DATAGRAM).isEqualTo(inC("PC_DATAGRAM_MAX"));
    assertThat(NativeReceiver.RING_SIZE).isEqualTo(inC("PC_RING_SIZE"));
    assertThat(Integer.BYTES).isEqualTo(inC("PC_DATAGRAM_LENGTH_SIZE"));
  }

  private static int inC(String name) throws IOException {
    String header = Files.readString(Path.of("native/include/receiver.h"));
    Matcher size = Pattern.compile("#define " + name + " (\\d+)\n").matcher(header);
    assertThat(size.find()).as(name).isTrue();
    return Integer.parseInt(size.group(1));
  }
}
