/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: reading a mapped library with any contents ends, with a result or an IOException. */
@Timeout(120) // fails on an endless loop
class ElfImageFuzzTest {
  private static final int MUTATIONS = 2_500;
  private static final long MAX_ALLOCATED = 300 << 20;
  private static final String TLS = "elastic_apm_profiling_correlation_tls_v1";
  private static final String STORAGE = "elastic_apm_profiling_correlation_process_storage_v1";
  private static final OwnMemory MEMORY = new OwnMemory();

  private byte[] image;
  private int dynamic;

  @BeforeEach
  void loadLibrary() throws IOException {
    String name = "/io/flamespan/correlation/internal/nativelib/elastic-jvmti-linux-x64.so";
    try (InputStream resource = ElfImage.class.getResourceAsStream(name)) {
      load(resource.readAllBytes());
    }
  }

  /** Puts the segments of a file where they belong, as the dynamic linker does. */
  private void load(byte[] file) {
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    byte[] loaded = new byte[OwnMemory.SIZE];
    int end = 0;
    for (int i = 0; i < header.getShort(56); i++) {
      int segment = (int) header.getLong(32) + i * 56;
      int address = (int) header.getLong(segment + 16);
      if (header.getInt(segment) == 1) {
        int size = (int) header.getLong(segment + 32);
        System.arraycopy(file, (int) header.getLong(segment + 8), loaded, address, size);
        end = address + size;
      } else if (header.getInt(segment) == 2) {
        dynamic = address;
      }
    }
    image = Arrays.copyOf(loaded, end);
  }

  private static ElfImage read(byte[] content) throws IOException {
    MEMORY.write(content);
    return new ElfImage(MEMORY.reader, MEMORY.address(), MEMORY.address(), TLS, STORAGE);
  }

  @Test
  void library_unchanged_isRead() throws IOException {
    ElfImage elf = read(image);

    assertThat(elf.descriptor(TLS) - MEMORY.address()).isBetween(1L, (long) image.length);
    assertThat(elf.symbol(STORAGE) - MEMORY.address()).isPositive();
    assertThat(elf.hasPointer(STORAGE)).isTrue();
    assertThat(elf.hasPointer(TLS)).isTrue();
  }

  @Test
  void addresses_thatTheLinkerHasAdjusted_areReadAsWell() throws IOException {
    ByteBuffer entries = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (int entry = dynamic; entries.getLong(entry) != 0; entry += 16) {
      if (Arrays.asList(5L, 6L, 7L, 23L, 0x6ffffff0L).contains(entries.getLong(entry))) {
        entries.putLong(entry + 8, entries.getLong(entry + 8) + MEMORY.address());
      }
    }

    assertThat(read(image).descriptor(TLS)).isNotNull();
  }

  /** As by lld, which puts the beginning of the code into the page where the file begins. */
  @Test
  void beginningOfTheFile_mappedTwice_isReadWhereItsCodeIs() throws IOException {
    byte[] twice = Arrays.copyOf(image, image.length + 4096);
    System.arraycopy(image, 0, twice, image.length, 4096);
    MEMORY.write(twice);
    long address = MEMORY.address();
    ElfImage elf = new ElfImage(MEMORY.reader, address + image.length, address, TLS, STORAGE);

    assertThat(elf.symbol(STORAGE)).isEqualTo(read(image).symbol(STORAGE));
    assertThat(elf.descriptor(TLS)).isEqualTo(read(image).descriptor(TLS));
  }

  @Test
  void symbols_behindAllOtherTables_areUnknown() {
    ByteBuffer entries = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (int entry = dynamic; entries.getLong(entry) != 0; entry += 16) {
      if (Arrays.asList(4L, 5L, 7L, 23L, 0x6ffffef5L, 0x6ffffff0L)
          .contains(entries.getLong(entry))) {
        entries.putLong(entry + 8, 8);
      }
    }

    assertThatThrownBy(() -> read(image))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the end of its symbols");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void library_mutated_endsWithResultOrIoException(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < MUTATIONS; i++) {
      check(mutate(random), "seed " + seed + ", mutation " + i);
    }
  }

  @Test
  void library_cutOffAnywhere_endsWithResultOrIoException() throws IOException {
    for (int length = 0; length < image.length; length += 1 + length / 40) {
      check(Arrays.copyOf(image, length), "the first " + length + " bytes");
    }
  }

  @Test
  void tables_ofAnySize_areNotAllReadAtOnce() throws IOException {
    ByteBuffer entries = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (long size : new long[] {-1, 1 << 20, 60 << 20, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      for (int entry = dynamic; entries.getLong(entry) != 0; entry += 16) {
        if (Arrays.asList(2L, 8L, 10L).contains(entries.getLong(entry))) {
          entries.putLong(entry + 8, size);
        }
      }
      check(image, "tables of " + size + " bytes");
    }
  }

  private byte[] mutate(Random random) {
    byte[] mutated = image.clone();
    ByteBuffer memory = ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN);
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      int at =
          switch (random.nextInt(4)) {
            case 0 -> 16 + random.nextInt(48);
            case 1 -> dynamic + random.nextInt(mutated.length - dynamic);
            case 2 -> 64 + random.nextInt(0x1000);
            default -> random.nextInt(mutated.length);
          };
      at = Math.min(at, mutated.length - 8);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = (byte) random.nextInt();
        case 1 -> memory.putInt(at, random.nextInt());
        case 2 -> memory.putLong(at & ~7, Long.MIN_VALUE >> random.nextInt(64));
        default -> mutated[at] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return mutated;
  }

  private static void check(byte[] content, String name) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    try {
      assertThat(read(content)).isNotNull();
    } catch (IOException e) {
      assertThat(e.getMessage()).as(name).isNotEqualTo("");
    } catch (Throwable e) {
      throw new AssertionError(name, e);
    }
    long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    assertThat(after - before).as(name).isLessThan(MAX_ALLOCATED);
  }
}
