/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.doctor.internal.proc.ElfImage.TlsVariable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Promise: a variable is called unresolved only if the memory that says so was read. */
class TlsVariableTest {
  private static final long NOWHERE = 0x1000;

  private final OwnMemory own = new OwnMemory();

  private TlsVariable at(long address) throws IOException {
    return new TlsVariable(own.reader, address, false);
  }

  @Test
  void descriptor_ofZeros_isNotResolved() throws IOException {
    own.write(new byte[16]);

    assertThat(at(own.address()).isResolved).isFalse();
  }

  @Test
  void distance_isThatOfStaticTls_ifBelowTheThreadPointer() throws IOException {
    ByteBuffer words = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    own.write(words.putLong(0, 1).putLong(8, -16).array());
    assertThat(at(own.address()).isStatic).isTrue();

    own.write(words.putLong(8, own.address()).array());
    assertThat(at(own.address()).isStatic).isFalse();
  }

  @Test
  void descriptor_thatIsNotMapped_cannotBeRead() {
    assertThatThrownBy(() -> at(NOWHERE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot read");
  }
}
