/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.otelprofiling.correlation.testing.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JnrExtractionTest {
  private static final String JNR_PROPERTY = "jffi.extract.dir";

  @TempDir Path temp;
  private final String before = System.getProperty(JNR_PROPERTY);

  @BeforeEach
  void clear() {
    System.clearProperty(JNR_PROPERTY);
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(JNR_PROPERTY);
    } else {
      System.setProperty(JNR_PROPERTY, before);
    }
  }

  @Test
  void extraction_configuredDirectory_createsAndUsesIt() throws IOException {
    Path configured = temp.resolve("a/b");
    JnrExtraction.setDirectory(Directories.ofLibraries(configured.toString()));

    assertThat(System.getProperty(JNR_PROPERTY)).isEqualTo(configured.toString());
    assertThat(configured).isDirectory();
  }

  @Test
  void directory_chosenByTheUser_isKept() throws IOException {
    System.setProperty(JNR_PROPERTY, "/own");
    JnrExtraction.setDirectory(Directories.ofLibraries(temp.resolve("a").toString()));

    assertThat(System.getProperty(JNR_PROPERTY)).isEqualTo("/own");
    assertThat(temp).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "file/below", "\0"})
  void directory_unusable_isNamedWithTheProperty(String name) throws IOException {
    Files.createFile(temp.resolve("file"));

    assertThatThrownBy(() -> JnrExtraction.setDirectory(Directories.ofLibraries(temp + "/" + name)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(temp + "/" + name)
        .hasMessageContaining("elastic.otel.universal.profiling.integration.native.dir");
    assertThat(System.getProperty(JNR_PROPERTY)).isNull();
  }

  @Test
  void directory_thatOthersCanExchange_isRefusedWithItsNameAndTheProperty() throws IOException {
    Path open = Files.createDirectory(temp.toRealPath().resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path below = Files.createDirectory(open.resolve("below"));
    System.setProperty(JNR_PROPERTY, below.toString());

    assertThatThrownBy(() -> JnrExtraction.check(Directories.ofLibraries(null)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other users may write to " + open + " and")
        .hasMessageContaining(below.toString())
        .hasMessageContaining("elastic.otel.universal.profiling.integration.native.dir");
  }

  @Test
  void directory_thatNobodyCanExchange_isAccepted() throws IOException {
    System.setProperty(JNR_PROPERTY, temp.toString());

    JnrExtraction.check(Directories.ofLibraries(null));
  }
}
