/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ShownTraceApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: where another library keeps each context with its thread, but not in OpenTelemetry's
 * storage, threads show their traces if that library is trusted. Sentry's is by default.
 */
class TrustedContextStorageTest {
  private static final String TRUSTED = CorrelatedSdk.PREFIX + "context.storage.trusted";
  private static final String SENTRY = "io.sentry.opentelemetry";
  private static final String OTHER = "com.example.storage";

  @TempDir Path directory;
  private Path classes;
  private Path services;

  @BeforeEach
  void createDirectories() throws IOException {
    classes = Files.createDirectory(directory.resolve("classes"));
    services = Files.createDirectories(classes.resolve("META-INF/services"));
  }

  /** Adds a storage with its provider to the class path. */
  private void addStorage(String packageName) throws IOException {
    Path source = Path.of("src/test/context-storage/SentryContextStorageProvider.java");
    Path renamed = directory.resolve("SentryContextStorageProvider.java");
    Files.writeString(renamed, Files.readString(source).replace(SENTRY, packageName));
    SourceFile.compile(renamed, classes);
    Files.writeString(
        services.resolve("io.opentelemetry.context.ContextStorageProvider"),
        packageName + ".SentryContextStorageProvider\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private ChildJvm app() {
    return ChildJvm.exporting("logging")
        .firstOnClassPath(classes)
        .setting("enabled", "true")
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
  }

  private static void assertShown(ChildJvm.Result result) {
    assertThat(result.output()).contains("outer: true", "inner: true", "again: true");
    assertThat(result.output()).contains("after: false");
    result.hasNoWarning();
  }

  private static void assertNotShown(ChildJvm.Result result, String packageName) {
    assertThat(result.output()).contains("outer: false", "inner: false", "after: false");
    result.hasOneWarning("no thread has shown a trace", packageName + ".Sentry", TRUSTED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void storageOfSentry_withoutASetting_isShown(boolean contextFirst) throws IOException {
    addStorage(SENTRY);

    assertShown(
        app().run(ShownTraceApp.class, contextFirst ? new String[] {"early"} : new String[0]));
  }

  @Test
  void storageOfSentry_notTrusted_isNotShown() throws IOException {
    addStorage(SENTRY);

    assertNotShown(app().property(TRUSTED, "none").run(ShownTraceApp.class), SENTRY);
  }

  @Test
  void anotherStorage_withoutASetting_isNamedInOneWarning() throws IOException {
    addStorage(OTHER);

    assertNotShown(app().run(ShownTraceApp.class), OTHER);
  }

  @Test
  void anotherStorage_trusted_isShown() throws IOException {
    addStorage(OTHER);

    assertShown(app().property(TRUSTED, SENTRY + ", com.example.").run(ShownTraceApp.class));
  }

  @Test
  void storageOfSentry_besideAnotherProvider_isNotTrusted() throws IOException {
    addStorage(SENTRY);
    addStorage(OTHER); // Sentry's storage would use it

    assertNotShown(
        app()
            .property(
                "io.opentelemetry.context.contextStorageProvider",
                SENTRY + ".SentryContextStorageProvider")
            .run(ShownTraceApp.class),
        SENTRY);
  }
}
