/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProfilerSocketRebindTest extends BoundSocket {
  @Test
  void rebind_existingFile_keepsIt() throws IOException {
    Object inode = Files.getAttribute(socket.path(), "unix:ino");
    send("a");

    assertThat(rebind()).isFalse();
    assertThat(Files.getAttribute(socket.path(), "unix:ino")).isEqualTo(inode);
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void rebind_deletedFile_restoresIt() throws Exception {
    for (int i = 0; i < 3; i++) {
      Path path = socket.path();
      Files.delete(path);

      assertThat(rebind()).isTrue();
      assertThat(socket.path()).isEqualTo(path);
      assertIsSocket(path);
      assertThat(permissions(path)).isEqualTo("rw-------");
      CompletableFuture<Void> waiting = inBackground(() -> socket.await(Worker.NOTHING_DUE));
      send("a" + i);
      waiting.get(60, TimeUnit.SECONDS);
      assertThat(receive()).isEqualTo("a" + i);
      assertThat(rebind()).isFalse();
    }
  }

  @Test
  void rebind_deletedDirectory_isRestoredForThisUserAlone() throws IOException {
    Files.delete(socket.path());
    Files.delete(dir);

    assertThat(rebind()).isTrue();
    assertThat(permissions(dir)).isEqualTo("rwx------");
    send("a");
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void rebind_directoryWritableByOthers_isRefused() throws IOException {
    Files.delete(socket.path());
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> socket.rebindIfLost())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(dir.toString());
    assertThat(socket.path()).doesNotExist();
  }

  @Test
  void rebind_anotherFileInPlace_replacesIt() throws IOException {
    Files.delete(socket.path());
    Files.writeString(socket.path(), "swept and written anew");

    assertThat(rebind()).isTrue();
    assertIsSocket(socket.path());
    send("a");
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void rebind_anotherLinkToTheSocketRestored_leavesIt() throws IOException {
    Path saved = dir.resolve("saved");
    Files.createLink(saved, socket.path());
    Files.delete(socket.path());
    Files.move(saved, socket.path());

    assertThat(rebind()).isFalse();
    send("a");
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void rebind_socketOfAnotherInPlace_isRefusedAndLeavesIt() throws IOException {
    Files.delete(socket.path());
    try (OpenSocket other = Sockets.NATIVE.open(socket.path())) {
      assertThatThrownBy(() -> socket.rebindIfLost())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another socket");
      assertThat(StaleSockets.isAlive(socket.path())).isTrue();
    }
    assertThat(rebind()).isTrue();
  }

  @Test
  void close_socketOfAnotherInPlace_leavesIt() throws IOException {
    Files.delete(socket.path());
    try (OpenSocket other = Sockets.NATIVE.open(socket.path())) {
      close();
      assertThat(StaleSockets.isAlive(socket.path())).isTrue();
    }
  }

  /** A file system may give the inode of the deleted file to the next one. */
  @Test
  void deleteFile_pathIsUsedByAnotherAfterClose_leavesIt() throws IOException {
    socket.close();
    Path path = socket.path();
    Files.delete(path);
    try (OpenSocket other = Sockets.NATIVE.open(path)) {
      socket.deleteFile();
      assertThat(StaleSockets.isAlive(path)).isTrue();
    }
  }

  @Test
  void rebind_twiceBeforeItIsUsed_receivesFromTheLast() throws IOException {
    for (int i = 0; i < 2; i++) {
      Files.delete(socket.path());
      assertThat(socket.rebindIfLost()).isTrue();
    }
    send("a");

    assertThat(socket.useRebound()).isTrue();
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void rebind_afterClose_leavesNoFile() throws IOException {
    Files.delete(socket.path());
    socket.close();

    assertThat(socket.rebindIfLost()).isFalse();
    assertThat(socket.path()).doesNotExist();
  }

  @Test
  void wake_afterRebind_works() throws Exception {
    Files.delete(socket.path());
    rebind();
    socket.startReceiving();
    CompletableFuture<Void> waiting = inBackground(() -> socket.await(Worker.NOTHING_DUE));
    socket.wake();

    waiting.get(60, TimeUnit.SECONDS);
  }

  @Test
  void rebind_often_leavesNoFileDescriptor() throws IOException {
    long before = openFiles();
    for (int i = 0; i < 200; i++) {
      Files.delete(socket.path());
      rebind();
      socket.await(1);
    }

    assertThat(openFiles()).isLessThan(before + 100);
  }
}
