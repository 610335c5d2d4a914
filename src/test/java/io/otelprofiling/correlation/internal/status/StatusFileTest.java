/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.otelprofiling.correlation.internal.threads.FilesThread;
import io.otelprofiling.correlation.testing.LogCapturer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusFileTest {
  private static final long NO_PROCESS = 99_999_999; // above the kernel's limit

  @TempDir Path directory;
  private final FilesThread files = new FilesThread();
  private final StatusFile file = new StatusFile("0123abcd", files);

  private Path path() {
    return directory.resolve("status-" + ProcessHandle.current().pid() + "-0123abcd");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void write_entries_areLinesInTheirOrder() throws IOException {
    Map<String, Object> entries = new java.util.LinkedHashMap<>();
    entries.put("format", 1L);
    entries.put("service", "kasse ä");
    entries.put("reason", "a\nb\r\nc\u2028d");
    file.writeIn(directory, entries);

    assertThat(path()).hasContent("format=1\nservice=kasse ä\nreason=a b  c d\n");
  }

  @Test
  void write_file_isForTheOwnerOnlyAndAlone() throws IOException {
    file.writeIn(directory, Map.of("a", "b"));
    file.writeIn(directory, Map.of("a", "c"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-------");
    assertThat(names()).containsExactly(path().getFileName().toString());
  }

  @Test
  void write_whileOthersRead_replacesTheFileAsAWhole() throws Exception {
    String a = "a".repeat(50_000);
    String b = "b".repeat(50_000);
    file.writeIn(directory, Map.of("x", a));
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 500; i++) {
                  file.writeIn(directory, Map.of("x", i % 2 == 0 ? a : b));
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              } finally {
                done.set(true);
              }
            });
    writer.start();
    while (!done.get()) {
      assertThat(Files.readString(path())).isIn("x=" + a + "\n", "x=" + b + "\n");
    }
    writer.join();
  }

  @Test
  void write_temporaryFileLeftBehind_isReplaced() throws IOException {
    Files.writeString(directory.resolve(path().getFileName() + ".tmp"), "half of a");
    file.writeIn(directory, Map.of("a", "b"));

    assertThat(names()).containsExactly(path().getFileName().toString());
  }

  @Test
  void restore_onlyOfAMissingFile_asksForEntries() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Supplier<Map<String, Object>> entries =
        () -> {
          asked.incrementAndGet();
          throw new IllegalStateException("requested by the test");
        };
    file.writeIn(directory, Map.of("a", "b"));
    file.restore(entries);
    assertThat(asked).hasValue(0);
    Files.delete(path());
    assertThatThrownBy(() -> file.restore(entries)).hasMessage("requested by the test");
    assertThat(asked).hasValue(1);
  }

  @Test
  void write_impossible_logsOneFineLineInTotal() {
    // a file whose directory does not exist
    StatusFile impossible = new StatusFile("x/x", files);
    try (LogCapturer log = new LogCapturer()) {
      impossible.write(() -> Map.of("a", "b"));
      impossible.write(() -> Map.of("a", "b"));
      assertThat(files.await(60_000)).isTrue();

      assertThat(log.messages(Level.FINE)).hasSize(1);
      assertThat(log.messages(Level.CONFIG)).isEmpty();
    }
    assertThatThrownBy(() -> impossible.writeIn(directory, Map.of()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void firstWrite_filesOfDeadProcesses_removesThemOnly() throws IOException {
    String dead = "status-" + NO_PROCESS;
    Files.writeString(directory.resolve(dead + "-00000001"), "a=b\n");
    Files.writeString(directory.resolve(dead + "-00000002.tmp"), "");
    Files.writeString(directory.resolve(dead + "-00000003"), namespace(Origin.pidNamespace()));
    List<String> kept =
        List.of(
            dead + "-0000000g",
            dead + "-00000004.old",
            "status-" + ProcessHandle.current().pid() + "-00000005",
            "status-1-00000006",
            "other");
    for (String name : kept) {
      Files.writeString(directory.resolve(name), "a=b\n");
    }
    file.writeIn(directory, Map.of("a", "b"));

    assertThat(names())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(kept.stream(), Stream.of(path().getFileName().toString())).toList());
  }

  @Test
  void firstWrite_filesOfOtherContainers_removesWeekOldOnes() throws IOException {
    Path young = directory.resolve("status-" + NO_PROCESS + "-00000001");
    Path old = directory.resolve("status-1-00000002");
    Files.writeString(young, namespace("pid:[1]"));
    Files.writeString(old, namespace("pid:[1]"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(8 * 24 * 3600)));
    file.writeIn(directory, Map.of("a", "b"));

    assertThat(young).exists();
    assertThat(old).doesNotExist();
  }

  private static String namespace(String namespace) {
    return "format=1\npid.namespace=" + namespace + "\nmode=auto\n";
  }
}
