/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.otelprofiling.doctor.internal.proc.MadeUpMapping;
import io.otelprofiling.doctor.internal.proc.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: reading a mapped file with any contents ends, with a result or an IOException. */
@Timeout(120) // fails on an endless loop
class ElfFileFuzzTest {
  private static final int MUTATIONS = 2_500;
  private static final long MAX_ALLOCATED = 300 << 20;
  private static final String TLS = "elastic_apm_profiling_correlation_tls_v1";
  private static final String STORAGE = "elastic_apm_profiling_correlation_process_storage_v1";
  private static final Mapping CODE = MadeUpMapping.at(0x7f0000000000L, 1 << 20);

  @TempDir Path directory;
  private byte[] library;

  @BeforeEach
  void readLibrary() throws IOException {
    String name = "/io/otelprofiling/correlation/internal/nativelib/elastic-jvmti-linux-x64.so";
    try (InputStream resource = ElfFile.class.getResourceAsStream(name)) {
      library = resource.readAllBytes();
    }
  }

  @Test
  void library_unchanged_isRead() throws IOException {
    Path file = Files.write(directory.resolve("file"), library);
    ElfFile elf = new ElfFile(file, CODE, TLS, STORAGE);
    assertThat(elf.descriptor(TLS)).isGreaterThan(CODE.start);
    assertThat(elf.hasPointer(STORAGE)).isTrue();
    assertThat(elf.symbol(STORAGE)).isGreaterThan(CODE.start);
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
    for (int length = 0; length < library.length; length += 1 + length / 40) {
      check(Arrays.copyOf(library, length), "the first " + length + " bytes");
    }
  }

  /** Makes all sections claim to be as long as the file and to contain symbols. */
  @Test
  void tables_thatAllSpanTheFile_areNotReadForever() throws IOException {
    byte[] mutated = Arrays.copyOf(library, 4 << 20);
    ByteBuffer file = ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN);
    int table = 1 << 16;
    file.putLong(40, table).putShort(58, (short) 64).putShort(60, (short) 60_000);
    for (int section = table; section + 64 <= mutated.length; section += 64) {
      file.putInt(section + 4, 11).putLong(section + 24, 0).putLong(section + 32, 4 << 20);
    }
    check(mutated, "60000 sections");
  }

  private byte[] mutate(Random random) {
    byte[] mutated = library.clone();
    ByteBuffer file = ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN);
    int sections = (int) file.getLong(40);
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      int at =
          switch (random.nextInt(4)) {
            case 0 -> 16 + random.nextInt(48);
            case 1 -> sections + random.nextInt(mutated.length - sections);
            case 2 -> 64 + random.nextInt(0x1000);
            default -> random.nextInt(mutated.length);
          };
      at = Math.min(at, mutated.length - 8);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = (byte) random.nextInt();
        case 1 -> file.putInt(at, random.nextInt());
        case 2 -> file.putLong(at & ~7, Long.MIN_VALUE >> random.nextInt(64));
        default -> mutated[at] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return mutated;
  }

  private void check(byte[] content, String name) throws IOException {
    Path file = Files.write(directory.resolve("file"), content);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    try {
      ElfFile elf = new ElfFile(file, CODE, TLS, STORAGE);
      assertThat(elf).isNotNull();
    } catch (IOException e) {
      assertThat(e.getMessage()).as(name).isNotEqualTo("");
    } catch (Throwable e) {
      throw new AssertionError(name, e);
    }
    long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    assertThat(after - before).as(name).isLessThan(MAX_ALLOCATED);
  }
}
