/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says about more samples than it is for. */
class ManySamplesTest {
  private static final byte[] NO_LENGTH = {-1, -1, -1, -1}; // of a message: reading ends

  @TempDir Path directory;

  @Test
  void samples_manyInASmallPartOfAFile_areToldOnceWithWhatToDo() {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(told::add);
    many.begin(1_000);
    many.read(10);
    many.add(300_000);
    assertThat(told).as("1 % is too little to tell").isEmpty();

    many.read(20);
    many.add(300_000);
    many.read(20);
    many.add(300_000);

    assertThat(told)
        .singleElement()
        .asString()
        .contains("about 20 million samples", "--clickhouse URL --from TIME")
        .doesNotContain("\n");
  }

  @Test
  void samples_fewInTheFiles_areNotTold() {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(told::add);
    many.begin(1_000);
    for (int read = 0; read < 1_000; read++) {
      many.read(1);
      many.add(4_900);
    }

    assertThat(told).isEmpty();
  }

  @Test
  void samples_ofFilesBefore_countAsTheyAre() {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(told::add);
    many.begin(100);
    many.read(100);
    many.add(4_000_000);
    many.begin(1_000);
    many.read(500);
    many.add(400_000);
    assertThat(told).isEmpty();

    many.read(100);
    many.add(800_000);
    assertThat(told).singleElement().asString().contains("about 6 million samples");
  }

  @Test
  void samples_ofAPipe_whoseLengthNobodyKnows_areNotTold() {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(told::add);
    many.begin(0);
    many.read(1);
    many.add(6_000_000);

    assertThat(told).isEmpty();
  }

  @Test
  void samples_manyInASmallFileBesideALargeOneWithout_areNotTold() throws Exception {
    Path input = Files.createDirectories(directory.resolve("input"));
    long size = Files.size(Files.write(input.resolve("profiles"), profiles()));
    byte[] traces = CollectorFiles.protobuf(Example.shop());
    enlarged(Files.write(input.resolve("traces"), traces), 45 * size);

    assertThat(printed(OutputStream.nullOutputStream(), input.toString()))
        .doesNotContain("million samples");
  }

  @Test
  void samples_manyInTheFirstPartOfAFile_areToldOnTheErrorStream() throws Exception {
    Path input = Files.createDirectories(directory.resolve("input"));
    Path file = Files.write(input.resolve("profiles"), profiles());
    enlarged(file, 45 * Files.size(file));

    assertThat(printed(OutputStream.nullOutputStream(), input.toString()))
        .containsOnlyOnce("million samples")
        .contains(ManySamples.REMEDY);
  }

  @Test
  void heap_tooSmallForFiles_isToldWithClickHouse() throws Exception {
    Path input = Files.createDirectories(directory.resolve("input"));
    Files.write(input.resolve("file"), CollectorFiles.json(Example.shop(), Example.shopProfile()));

    assertThat(printed(full(), input.toString())).contains("-Xmx, or " + ManySamples.REMEDY);
  }

  @Test
  void heap_tooSmallForSomethingElse_isToldWithoutClickHouse() throws Exception {
    Path file = Files.write(directory.resolve("file"), CollectorFiles.json(Example.shop()));

    assertThat(printed(full(), "print", file.toString())).contains("-Xmx").doesNotContain("or let");
    assertThat(printed(full(), "sql", "endpoints")).contains("-Xmx").doesNotContain("or let");
  }

  /** Runs the program, and returns what is on the error stream. */
  private String printed(OutputStream out, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (arguments.length == 1) {
      all.addAll(0, List.of("--out", directory.resolve("out").toString()));
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    FlameGraphs.run(
        all.toArray(String[]::new),
        InputStream.nullInputStream(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
    return err.toString(UTF_8);
  }

  private static OutputStream full() {
    return new OutputStream() {
      @Override
      public void write(int one) {
        throw new OutOfMemoryError("a test");
      }
    };
  }

  /** 120,000 samples. */
  private static byte[] profiles() {
    ProfileData samples = new ProfileData().service("shop");
    for (int number = 0; number < 1_200; number++) {
      samples.sample(new byte[0], new byte[0], Example.START, 1, List.of("main"));
    }
    return CollectorFiles.protobuf(
        Collections.nCopies(100, samples.build()).toArray(Message[]::new));
  }

  /** Adds bytes that are no message. */
  private static void enlarged(Path path, long size) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(file.length());
      file.write(NO_LENGTH);
      file.setLength(size);
    }
  }
}
