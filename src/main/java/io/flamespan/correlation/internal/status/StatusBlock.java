/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The status in native memory, where readers outside the process find it: a text, which is replaced
 * as a whole, and counters, each of which is updated in place. Thread-safe.
 *
 * <pre>
 *   0  version    uint32    8  sequence            uint64    24       counters  int64[n]
 *   4  size       uint32   16  number of counters  uint32    24 + 8n  text      utf-8
 *                          20  length of the text  uint32
 * </pre>
 */
public final class StatusBlock {
  private static final int COUNTERS_OFFSET = 24;
  private static final String TRUNCATED = "truncated=true\n";

  private final Object publishing = new Object();
  private final ObjLongConsumer<String> update = this::update;
  private @Nullable LongBuffer counters; // null until there is a text
  private int next;

  /**
   * Replaces everything, unless the library is not loaded or another class loader has it.
   *
   * @param text returns the lines; one that names the counters precedes them
   * @param counts passes all counters on, always in the same order
   */
  public void publish(
      Supplier<Map<String, Object>> text, Consumer<ObjLongConsumer<String>> counts) {
    synchronized (publishing) {
      ByteBuffer block = NativeLibrary.statusBlock();
      if (block != null) {
        publish(block, text.get(), counts);
      }
    }
  }

  private void publish(
      ByteBuffer block, Map<String, Object> text, Consumer<ObjLongConsumer<String>> counts) {
    List<String> names = new ArrayList<>();
    counts.accept((name, unused) -> names.add(name));
    int textOffset = COUNTERS_OFFSET + names.size() * Long.BYTES;
    byte[] bytes = encode(text, names, block.capacity() - textOffset);
    synchronized (this) { // only now: who counts does not wait for the text
      LongBuffer numbers = LongBuffer.allocate(names.size());
      counts.accept((unused, value) -> numbers.put(value));
      if (NativeLibrary.publishStatus(numbers.array(), bytes)) {
        block.limit(textOffset).position(COUNTERS_OFFSET);
        counters = block.slice().order(ByteOrder.nativeOrder()).asLongBuffer();
      }
    }
  }

  /**
   * Updates all counters. Allocates nothing. The status must be this class loader's.
   *
   * @param counts as for {@link #publish}
   */
  public synchronized void count(Consumer<ObjLongConsumer<String>> counts) {
    if (counters != null) {
      next = 0;
      counts.accept(update);
    }
  }

  private void update(String name, long value) {
    if (counters != null) {
      counters.put(next++, value);
    }
  }

  static byte[] encode(Map<String, ?> text, List<String> counters, int room) {
    StringBuilder lines = new StringBuilder();
    append(lines, "counters", String.join(",", counters));
    text.forEach((key, value) -> append(lines, key, value));
    byte[] bytes = lines.toString().getBytes(UTF_8);
    if (bytes.length <= room) {
      return bytes;
    }
    int end = room - TRUNCATED.length();
    while (bytes[end - 1] != '\n') {
      end--;
    }
    byte[] cut = Arrays.copyOf(bytes, end + TRUNCATED.length());
    System.arraycopy(TRUNCATED.getBytes(UTF_8), 0, cut, end, TRUNCATED.length());
    return cut;
  }

  /** Appends a line, with blanks in place of all characters that may end one. */
  private static void append(StringBuilder lines, String key, Object value) {
    String text = value.toString();
    lines.append(key).append('=');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      lines.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c);
    }
    lines.append('\n');
  }
}
