/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeLibraryFileTest {
  @TempDir Path dir;

  private Path extract() throws IOException {
    return NativeLibraryFile.extract(
        NativeLibraryFile.NAME, Directories.ofLibraries(dir.toString()));
  }

  @Test
  void path_ofTheLibrary_isOneThatProfilersPickUp() throws IOException {
    assertThat(extract().toString()).matches(".*/elastic-jvmti-linux-([\\w-]*)\\.so");
  }

  @Test
  void content_ofTheFile_isThatOfTheJar() throws IOException {
    Path file = extract();

    assertThat(file).hasBinaryContent(content());
    assertThat(Files.readAllBytes(file)).startsWith(0x7f, 'E', 'L', 'F');
  }

  @Test
  void directory_created_isForThisUserAlone() throws IOException {
    Path file = extract();

    assertThat(permissions(file.getParent())).isEqualTo("rwx------");
    assertThat(permissions(file)).isEqualTo("rw-------");
  }

  @Test
  void sharedDirectory_hasOneSubdirectoryPerUser() throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path file = extract();

    Path own = dir.toRealPath().resolve("flamespan-" + Files.getAttribute(dir, "unix:uid"));
    assertThat(file).startsWith(own);
    assertThat(permissions(own)).isEqualTo("rwx------");
  }

  @Test
  void directory_notConfigured_isTheTemporaryOne() throws IOException {
    String before = System.getProperty("java.io.tmpdir");
    System.setProperty("java.io.tmpdir", dir.toString());
    try {
      assertThat(NativeLibraryFile.extract(NativeLibraryFile.NAME, Directories.ofLibraries(null)))
          .startsWith(dir.toRealPath().resolve("flamespan-" + Files.getAttribute(dir, "unix:uid")))
          .hasBinaryContent(content());
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  @Test
  void socketLibrary_path_isNotPickedUpByProfilers() throws IOException {
    Path sockets =
        NativeLibraryFile.extract(
            NativeLibraryFile.SOCKETS, Directories.ofLibraries(dir.toString()));

    assertThat(sockets.toString()).doesNotContain("elastic-jvmti-linux-").endsWith(".so");
    assertThat(
            NativeLibraryFile.extract(
                NativeLibraryFile.SOCKETS, Directories.ofLibraries(dir.toString())))
        .isEqualTo(sockets);
    assertThat(Files.readAllBytes(sockets)).startsWith(0x7f, 'E', 'L', 'F');
    assertThat(permissions(sockets)).isEqualTo("rw-------");
    assertThat(sockets.getParent()).isNotEqualTo(extract().getParent());
  }

  @Test
  void threadContextLibrary_path_isNotMistakenForTheMainOne() throws IOException {
    Path context =
        NativeLibraryFile.extract(
            NativeLibraryFile.THREAD_CONTEXT, Directories.ofLibraries(dir.toString()));

    assertThat(context.toString()).doesNotContain("elastic-jvmti-linux-").endsWith(".so");
    assertThat(Files.readAllBytes(context)).startsWith(0x7f, 'E', 'L', 'F');
    assertThat(permissions(context)).isEqualTo("rw-------");
  }

  @Nested
  class Again {
    @Test
    void file_sameVersionThere_isUsedUnchanged() throws IOException {
      Path file = extract();
      Object inode = Files.getAttribute(file, "unix:ino");
      FileTime past = FileTime.fromMillis(1_000_000);
      Files.setLastModifiedTime(file, past);

      assertThat(extract()).isEqualTo(file);
      assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);
      assertThat(Files.getLastModifiedTime(file)).isEqualTo(past);
    }

    @Test
    void file_extractedOften_isOne() throws IOException {
      for (int i = 0; i < 20; i++) {
        extract();
      }

      assertThat(files()).containsExactly(extract());
    }

    @Test
    void file_extractedByManyAtATime_isWhole() throws Exception {
      byte[] content = content();
      ExecutorService executor = Executors.newFixedThreadPool(8);
      try {
        Callable<byte[]> extraction = () -> Files.readAllBytes(extract());
        for (Future<byte[]> found :
            executor.invokeAll(Stream.generate(() -> extraction).limit(64).toList())) {
          assertThat(found.get()).isEqualTo(content);
        }
      } finally {
        executor.shutdownNow();
      }
      assertThat(files()).hasSize(1);
    }

    @Test
    void file_ofAnotherVersion_isLeft() throws IOException {
      Path other = Files.createDirectory(dir.resolve("native-0123456789abcdef"));
      Path otherFile = Files.writeString(other.resolve("elastic-jvmti-linux-x64.so"), "mapped");
      Path file = extract();

      assertThat(otherFile).hasContent("mapped");
      assertThat(file.getParent()).isNotEqualTo(other);
    }
  }

  @Nested
  class NotOurs {
    @Test
    void file_changed_isReplacedAndNotOverwritten() throws IOException {
      Path file = extract();
      byte[] changed = content();
      changed[changed.length / 2] ^= 1;
      Files.write(file, changed);
      Object inode = Files.getAttribute(file, "unix:ino");
      extract();

      assertThat(file).hasBinaryContent(content());
      // If its bytes changed, a process that has mapped the file would crash.
      assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
      assertThat(files()).hasSize(1);
    }

    @Test
    void file_cutOrEmpty_isReplaced() throws IOException {
      Path file = extract();
      for (int length : new int[] {0, 1, content().length - 1}) {
        Files.write(file, java.util.Arrays.copyOf(content(), length));
        extract();

        assertThat(file).hasBinaryContent(content());
      }
    }

    /** Others could change the file after the comparison. */
    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw----rw-", "rw--w----"})
    void file_writableByOthers_isReplaced(String permissions) throws IOException {
      Path file = extract();
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      Object inode = Files.getAttribute(file, "unix:ino");
      extract();

      assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
      assertThat(permissions(file)).isEqualTo("rw-------");
      assertThat(file).hasBinaryContent(content());
    }

    @Test
    void file_ofAnotherUser_isReplaced() throws IOException {
      Path file = extract();
      Object user = Files.getAttribute(file, "unix:uid");
      assumeTrue(
          Integer.valueOf(0).equals(user),
          "needs root to give a file to another user and check that it is not used");
      Files.setAttribute(file, "unix:uid", 65_533);
      extract();

      assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(user);
      assertThat(file).hasBinaryContent(content());
    }

    @Test
    void link_toAnEqualFile_isReplacedAndNotFollowed() throws IOException {
      Path file = extract();
      Path target = Files.move(file, dir.resolve("target"));
      Files.createSymbolicLink(file, target);
      extract();

      assertThat(Files.isSymbolicLink(file)).isFalse();
      assertThat(file).hasBinaryContent(content());
      assertThat(target).hasBinaryContent(content());
    }

    @Test
    void link_toAnotherFile_isReplacedAndItsTargetLeft() throws IOException {
      Path file = extract();
      Path target = Files.writeString(dir.resolve("target"), "precious");
      Files.delete(file);
      Files.createSymbolicLink(file, target);
      extract();

      assertThat(file).hasBinaryContent(content());
      assertThat(target).hasContent("precious");
    }

    @Test
    void directory_behindALink_isRefused() throws IOException {
      Path directory = extract().getParent();
      Path moved = Files.move(directory, dir.resolve("moved"));
      Files.createSymbolicLink(directory, moved);

      assertThatThrownBy(() -> extract())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(directory.toString());
    }

    @Test
    void directory_writableByOthers_isRefused() throws IOException {
      Path directory = extract().getParent();
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

      assertThatThrownBy(() -> extract())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(directory.toString());
    }

    @Test
    void file_ofAKilledProcess_isRemovedAfterADay() throws IOException {
      Path directory = extract().getParent();
      String random = "-0123456789abcdef0123456789abcdef.so";
      Path old = Files.writeString(directory.resolve("elastic-jvmti-linux-x64" + random), "half");
      Path recent = Files.writeString(directory.resolve("otel-thread" + random), "half");
      Path other = Files.writeString(directory.resolve("other.so"), "kept");
      FileTime past = FileTime.from(Instant.now().minus(25, ChronoUnit.HOURS));
      Files.setLastModifiedTime(old, past);
      Files.setLastModifiedTime(other, past);
      Path library = extract();

      assertThat(files()).containsExactlyInAnyOrder(library, recent, other);
    }

    @Test
    void oldFile_thatCannotBeRemoved_isIgnored() throws IOException {
      Path file = extract();
      Path old =
          Files.createDirectory(file.resolveSibling("a-0123456789abcdef0123456789abcdef.so"));
      Files.createFile(old.resolve("in the way"));
      Files.setLastModifiedTime(old, FileTime.fromMillis(0));

      assertThat(extract()).isEqualTo(file);
      assertThat(old).isNotEmptyDirectory();
    }

    @Test
    void replacement_failed_leavesNothingBehind() throws IOException {
      Path file = extract();
      Files.delete(file);
      Files.createDirectories(file.resolve("in the way"));

      assertThatThrownBy(() -> extract()).isInstanceOf(IOException.class);
      assertThat(files()).isEmpty();
    }
  }

  /** Directories above, in which others could exchange ours, as in a volume of Kubernetes. */
  @Nested
  class Exchangeable {
    @BeforeEach
    void openToOthers() throws IOException {
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void file_eachTime_isNewWithAnUnguessableName() throws IOException {
      Path first = extract();
      Path second = extract();

      assertThat(first).isNotEqualTo(second).hasBinaryContent(content());
      assertThat(second).hasBinaryContent(content());
      // Profilers must still recognize it, and so must another class loader of the process.
      assertThat(first.toString()).matches(".*/elastic-jvmti-linux-[a-z0-9]+-[0-9a-f]{32}\\.so");
      assertThat(NativeLibraryFile.mapped(first.toString())).isEqualTo(first);
      assertThat(NativeLibraryFile.isOfThisContent(first)).isTrue();
      assertThat(permissions(first)).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-xr-x", "rwxr-----", "rwx---r--"})
    void directory_thatOthersCanList_isRefused(String permissions) throws IOException {
      Path directory = extract().getParent();
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));

      assertThatThrownBy(() -> extract())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(directory + " can be listed by other users");
    }

    @Test
    void files_thatOthersCanName_areNotUsed() throws IOException {
      Path shared = extract().resolveSibling("elastic-jvmti-linux-x64.so");
      Files.writeString(shared, "foreign");

      assertThat(extract()).isNotEqualTo(shared);
      assertThat(shared).hasContent("foreign");
    }
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(dir.toRealPath())) {
      return all.filter(Files::isRegularFile).collect(Collectors.toSet());
    }
  }

  private static byte[] content() throws IOException {
    String cpu =
        List.of("amd64", "x86_64").contains(System.getProperty("os.arch")) ? "x64" : "arm64";
    String resource = "elastic-jvmti-linux-" + cpu + ".so";
    try (InputStream in = NativeLibraryFile.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
