/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.otelprofiling.doctor.internal.reader.TlsVariable.Kind;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Promise: a variable is called unresolved only if the memory that says so was read. */
class TlsVariableTest {
  private static final long NOWHERE = 0x1000;

  private final OwnMemory own = new OwnMemory();

  private TlsVariable at(Kind kind, long address) throws IOException {
    return new TlsVariable(own.reader, kind, address, false);
  }

  @Test
  void descriptor_ofZeros_isNotResolved() throws IOException {
    own.write(new byte[16]);

    assertThat(at(Kind.DESCRIPTOR, own.address()).problem).contains("is not resolved");
    assertThat(at(Kind.MODULE, own.address()).problem).contains("is not resolved");
  }

  @Test
  void descriptor_thatIsNotMapped_cannotBeRead() {
    assertThatThrownBy(() -> at(Kind.DESCRIPTOR, NOWHERE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot read");
  }
}
