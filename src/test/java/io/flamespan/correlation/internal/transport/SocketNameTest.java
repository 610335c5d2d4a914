/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketNameTest {
  private static final String STAT =
      "4711 (%s) S 1 4711 4711 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 21 0 %s 123 45 1844 1 1 0";
  private static final String OF_FIXED_PROCESS = "profiler-4711-0123ab-[0-9a-f]{8}\\.sock";
  private static final String RANDOM = "profiler-[0-9a-f]{16}\\.sock";

  @TempDir Path proc;

  @BeforeEach
  void fixProcess() throws IOException {
    boot("0123abcd-1234-1234-1234-0123456789ab");
    process("java", "815");
    namespace("pid:[4026531836]");
  }

  private void boot(String id) throws IOException {
    Path file = proc.resolve("sys/kernel/random/boot_id");
    Files.createDirectories(file.getParent());
    Files.writeString(file, id + "\n");
  }

  private void process(String program, String start) throws IOException {
    Files.createDirectories(proc.resolve("self/ns"));
    Files.writeString(proc.resolve("self/stat"), String.format(STAT, program, start));
  }

  private void namespace(String pid) throws IOException {
    Files.deleteIfExists(proc.resolve("self/ns/pid"));
    Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of(pid));
  }

  private String name() {
    return SocketName.of(proc).toString();
  }

  @Test
  void sameProcess_alwaysHasTheSameName() {
    assertThat(name()).matches(OF_FIXED_PROCESS).isEqualTo(name());
  }

  @Test
  void longestName_hasTheLengthInTheReadme() throws IOException {
    String stat = String.format(STAT, "java", "815");
    String largestId = "4194303"; // Linux process ids have 22 bits
    Files.writeString(proc.resolve("self/stat"), stat.replaceFirst("\\d+", largestId));

    assertThat(name()).startsWith("profiler-" + largestId + "-").hasSize(37);
  }

  @Test
  void otherClassLoader_hasTheSameName() throws Exception {
    URL plugin = SocketName.class.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader parent = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader other = new URLClassLoader(new URL[] {plugin}, parent)) {
      Class<?> copy = other.loadClass(SocketName.class.getName());
      var own = copy.getDeclaredMethod("own");
      own.setAccessible(true);

      assertThat(copy).isNotSameAs(SocketName.class);
      assertThat(own.invoke(null).toString()).isEqualTo(SocketName.own().toString());
    }
  }

  @Test
  void sameIdInAnotherContainer_hasAnotherName() throws IOException {
    String first = name();
    namespace("pid:[4026531837]");

    assertThat(name()).matches(OF_FIXED_PROCESS).isNotEqualTo(first);
  }

  @Test
  void sameIdAfterAnotherProcess_hasAnotherName() throws IOException {
    String first = name();
    process("java", "816");

    assertThat(name()).matches(OF_FIXED_PROCESS).isNotEqualTo(first);
  }

  @Test
  void sameIdOnAnotherKernel_hasTheNameOfThatKernel() throws IOException {
    SocketName first = SocketName.of(proc);
    boot("89abcdef-1234-1234-1234-0123456789ab");

    assertThat(name()).matches("profiler-4711-89abcd-[0-9a-f]{8}\\.sock");
    assertThat(first.isOfSameKernel(name())).isFalse();
    assertThat(first.isOfSameKernel(first.toString())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"java) S 1", "a b", ")", "(", "\n", "ä"})
  void programNameOfAnyText_doesNotAffectTheName(String program) throws IOException {
    String plain = name();
    process(program, "815");

    assertThat(name()).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sys/kernel/random/boot_id", "self/stat", "self/ns/pid"})
  void fileThatIsMissing_makesTheNameRandom(String file) throws IOException {
    Files.delete(proc.resolve(file));

    assertThat(name()).matches(RANDOM).isNotEqualTo(name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sys/kernel/random/boot_id", "self/stat"})
  void fileWithOtherContent_makesTheNameRandom(String file) throws IOException {
    Files.writeString(proc.resolve(file), "other");

    assertThat(name()).matches(RANDOM).isNotEqualTo(name());
  }
}
