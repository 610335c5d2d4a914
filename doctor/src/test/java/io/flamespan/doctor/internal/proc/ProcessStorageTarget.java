/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Arbitrary bytes of a process storage are read as the document says, or refused. */
public final class ProcessStorageTarget {
  private static final int MAX_TEXT = 4096;
  private static final OwnMemory MEMORY = new OwnMemory();

  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 60_000) {
      return;
    }
    MEMORY.write(input);
    String expected = decoded(input);
    String read = null;
    try {
      FoundProcessStorage storage = new FoundProcessStorage(MEMORY.reader, MEMORY.address());
      read =
          storage.version
              + "|"
              + storage.serviceName
              + "|"
              + storage.environment
              + "|"
              + storage.socketPath;
    } catch (IOException e) {
      if (e.getMessage() == null) {
        throw new AssertionError("refused without a reason", e);
      }
    }
    if (expected == null ? read != null : !expected.equals(read)) {
      throw new AssertionError(read + ", not " + expected);
    }
  }

  /** Decodes the input as memory, followed by zeros. */
  private static @Nullable String decoded(byte[] input) {
    ByteBuffer bytes =
        ByteBuffer.wrap(Arrays.copyOf(input, input.length + 4 * MAX_TEXT))
            .order(ByteOrder.nativeOrder());
    StringBuilder all = new StringBuilder().append(bytes.getShort() & 0xffff);
    for (int i = 0; i < 3; i++) {
      int length = bytes.getInt();
      if (length < 0 || length > MAX_TEXT) {
        return null;
      }
      byte[] text = new byte[length];
      bytes.get(text);
      try {
        all.append('|').append(UTF_8.newDecoder().decode(ByteBuffer.wrap(text)));
      } catch (CharacterCodingException e) {
        return null;
      }
    }
    return all.toString();
  }

  private ProcessStorageTarget() {}
}
