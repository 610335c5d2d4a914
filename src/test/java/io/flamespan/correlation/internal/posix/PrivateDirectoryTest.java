/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import jnr.ffi.LibraryLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateDirectoryTest {
  private static final int LOOKS = 5_000;
  private static final int AT_FDCWD = -100;
  private static final int EXCHANGE = 2;

  @TempDir Path temp;
  private Path parent;
  private String name;

  /** File types that Java has no name for. */
  public interface LibC {
    int renameat2(int fromDirectory, String from, int toDirectory, String to, int flags);
  }

  @BeforeEach
  void findOutWhoWeAre() throws IOException {
    parent = Files.createDirectory(temp.toRealPath().resolve("parent"));
    name = "flamespan-" + Files.getAttribute(parent, "unix:uid");
  }

  @Nested
  class In {
    @Test
    void in_missing_isCreatedForThisUserAlone() throws IOException {
      Path directory = PrivateDirectory.in(parent);

      assertThat(directory).isEqualTo(parent.resolve(name)).isDirectory();
      assertThat(permissions(directory)).isEqualTo("rwx------");
    }

    @Test
    void in_existing_isTaken() throws IOException {
      Path file = Files.createFile(PrivateDirectory.in(parent).resolve("kept"));

      assertThat(PrivateDirectory.in(parent)).isEqualTo(file.getParent());
      assertThat(file).exists();
    }

    @Test
    void in_linksInTheParent_areResolved() throws IOException {
      Path link = Files.createSymbolicLink(temp.resolve("link"), parent);

      assertThat(PrivateDirectory.in(link)).isEqualTo(parent.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx-w----", "rwxrwxrwx", "rwx----w-"})
    void in_writableByOthers_isRefused(String permissions) throws IOException {
      Path planted = Files.createDirectory(parent.resolve(name));
      Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString(permissions));

      assertRefused(planted);
    }

    @Test
    void in_ownedByOthers_isRefused() throws IOException {
      Path planted = Files.createDirectory(parent.resolve(name));
      Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwx------"));
      giveAway(planted);

      assertRefused(planted);
    }

    @Test
    void in_link_isRefused() throws IOException {
      Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
      Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
      Files.createSymbolicLink(parent.resolve(name), elsewhere);

      assertRefused(parent.resolve(name));
      assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void in_danglingLink_isNotFollowed() throws IOException {
      Path elsewhere = temp.resolve("elsewhere");
      Files.createSymbolicLink(parent.resolve(name), elsewhere);

      assertRefused(parent.resolve(name));
      assertThat(elsewhere).doesNotExist();
    }

    @Test
    void in_file_isRefused() throws IOException {
      Files.createFile(parent.resolve(name));

      assertRefused(parent.resolve(name));
    }

    /** Neither directory is right, but the type of one and the mode of the other would be. */
    @Test
    void in_twoThatAreExchanged_isAlwaysRefused() throws Exception {
      Path open = Files.createDirectory(parent.resolve(name));
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
      Path file = Files.createFile(temp.resolve("file"));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      LibC libC = LibraryLoader.create(LibC.class).load("c");
      assertThat(libC.renameat2(AT_FDCWD, open.toString(), AT_FDCWD, file.toString(), EXCHANGE))
          .isZero();
      AtomicBoolean done = new AtomicBoolean();
      Thread exchanging =
          new Thread(
              () -> {
                while (!done.get()) {
                  libC.renameat2(AT_FDCWD, open.toString(), AT_FDCWD, file.toString(), EXCHANGE);
                }
              });
      exchanging.start();
      try {
        for (int i = 0; i < LOOKS; i++) {
          assertRefused(open);
        }
      } finally {
        done.set(true);
        exchanging.join();
      }
    }

    @Test
    void in_missingParent_isRefused() {
      assertThatThrownBy(() -> PrivateDirectory.in(temp.resolve("missing")))
          .isInstanceOf(IOException.class);
    }

    private void assertRefused(Path planted) {
      assertThatThrownBy(() -> PrivateDirectory.in(parent))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(planted.toString());
    }
  }

  @Nested
  class AtOrIn {
    @Test
    void atOrIn_missing_isCreatedForThisUserAlone() throws IOException {
      Path configured = temp.toRealPath().resolve("a/b/c");

      assertThat(PrivateDirectory.atOrIn(configured)).isEqualTo(configured);
      assertThat(permissions(configured)).isEqualTo("rwx------");
      assertThat(permissions(configured.getParent())).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwx------", "rwxr-x---", "rwxr-xr-x"})
    void atOrIn_writableByThisUserOnly_isUsedItself(String permissions) throws IOException {
      Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString(permissions));

      assertThat(PrivateDirectory.atOrIn(parent)).isEqualTo(parent);
      assertThat(permissions(parent)).isEqualTo(permissions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---"})
    void atOrIn_shared_getsOneForThisUser(String permissions) throws IOException {
      Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString(permissions));

      assertThat(PrivateDirectory.atOrIn(parent)).isEqualTo(parent.resolve(name));
      assertThat(permissions(parent.resolve(name))).isEqualTo("rwx------");
      assertThat(permissions(parent)).isEqualTo(permissions);
    }

    @Test
    void atOrIn_ownedByOthers_getsOneForThisUser() throws IOException {
      Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
      giveAway(parent);

      assertThat(PrivateDirectory.atOrIn(parent)).isEqualTo(parent.resolve(name));
    }

    @Test
    void atOrIn_link_isResolved() throws IOException {
      Path link = Files.createSymbolicLink(temp.resolve("link"), parent);

      assertThat(PrivateDirectory.atOrIn(link)).isEqualTo(parent);
    }

    @Test
    void atOrIn_linksInThePath_areResolved() throws IOException {
      Path link = Files.createSymbolicLink(temp.resolve("link"), parent);

      assertThat(PrivateDirectory.atOrIn(link.resolve("new"))).isEqualTo(parent.resolve("new"));
    }

    @Test
    void atOrIn_dots_areResolved() throws IOException {
      Path configured = parent.resolve("..").resolve("parent").resolve(".");

      assertThat(PrivateDirectory.atOrIn(configured)).isEqualTo(parent);
    }

    @Test
    void atOrIn_file_isRefused() throws IOException {
      Path file = Files.createFile(temp.resolve("file"));

      assertThatThrownBy(() -> PrivateDirectory.atOrIn(file)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> PrivateDirectory.atOrIn(file.resolve("below")))
          .isInstanceOf(IOException.class);
    }
  }

  @Nested
  class Subdirectory {
    @Test
    void subdirectory_created_isForThisUserAlone() throws IOException {
      Path sub = PrivateDirectory.subdirectory(PrivateDirectory.in(parent), "sub");

      assertThat(sub).isEqualTo(parent.resolve(name).resolve("sub"));
      assertThat(permissions(sub)).isEqualTo("rwx------");
      assertThat(PrivateDirectory.subdirectory(sub.getParent(), "sub")).isEqualTo(sub);
    }

    @Test
    void subdirectory_link_isRefused() throws IOException {
      Path directory = PrivateDirectory.in(parent);
      Files.createSymbolicLink(directory.resolve("sub"), Files.createDirectory(temp.resolve("x")));

      assertThatThrownBy(() -> PrivateDirectory.subdirectory(directory, "sub"))
          .isInstanceOf(IOException.class);
    }
  }

  @Nested
  class OpenToOthers {
    private Path below;

    @BeforeEach
    void createBelow() throws IOException {
      below = Files.createDirectories(parent.resolve("a/b"));
      assumeTrue(
          PrivateDirectory.openToOthers(temp.toRealPath()) == null,
          "needs a directory for temporary files that others cannot exchange");
    }

    private Path openToOthers() throws IOException {
      return PrivateDirectory.openToOthers(below);
    }

    @Test
    void path_ofRootAndThisUser_isClosed() throws IOException {
      assertThat(openToOthers()).isNull();
      assertThat(PrivateDirectory.openToOthers(Path.of("/"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0777, 02777, 0770, 0720, 0702})
    void ancestor_writableByOthers_isOpen(int mode) throws IOException {
      Files.setAttribute(parent, "unix:mode", mode);

      assertThat(openToOthers()).isEqualTo(parent);
    }

    @ParameterizedTest
    @ValueSource(ints = {01777, 03777, 01770})
    void ancestor_writableButSticky_isClosed(int mode) throws IOException {
      Files.setAttribute(parent, "unix:mode", mode);

      assertThat(openToOthers()).isNull();
    }

    /** The owner of a sticky directory may rename everything in it. */
    @ParameterizedTest
    @ValueSource(ints = {0700, 01777})
    void ancestor_ofAnotherUser_isOpen(int mode) throws IOException {
      Files.setAttribute(parent, "unix:mode", mode);
      giveAway(parent);

      assertThat(openToOthers()).isEqualTo(parent);
    }

    @Test
    void directory_itself_countsAsWell() throws IOException {
      Files.setAttribute(below, "unix:mode", 0777);

      assertThat(openToOthers()).isEqualTo(below);
    }

    @Test
    void severalAncestors_open_areNamedFromTheTop() throws IOException {
      Files.setAttribute(below, "unix:mode", 0777);
      Files.setAttribute(parent, "unix:mode", 0777);

      assertThat(openToOthers()).isEqualTo(parent);
    }

    @Test
    void link_onThePath_isOpen() throws IOException {
      Path link = Files.createSymbolicLink(parent.resolve("link"), below.getParent());

      assertThat(PrivateDirectory.openToOthers(link.resolve("b"))).isEqualTo(link);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void giveAway(Path path) throws IOException {
    assumeTrue(
        Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid")),
        "needs root to give a directory to another user and check that it is refused");
    Files.setAttribute(path, "unix:uid", 65_533);
  }
}
