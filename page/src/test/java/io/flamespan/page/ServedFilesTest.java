/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.flamespan.page.output.ServedPage;
import io.flamespan.page.serve.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that grow, shrink, move and vanish: the page is as that of a program that reads them at
 * once.
 */
class ServedFilesTest {
  @TempDir Path directory;

  private Path input;
  private Path file;
  private ServedFiles served;

  @BeforeEach
  void begin() throws Exception {
    input = Files.createDirectories(directory.resolve("input"));
    file = input.resolve("file");
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
  }

  /** Ways to write the same messages. */
  enum Form {
    LINES(CollectorFiles.json(messages())),
    LINES_OF_WINDOWS(text("\ufeff\r\n" + lines().replace("\n", "\r\n"))),
    WITHOUT_A_LAST_LINE_FEED(text(lines().strip())),
    ON_ONE_LINE(text(lines().replace("\n", " "))),
    OVER_SEVERAL_LINES(text(lines().replace("\":", "\":\n  "))),
    DAMAGED_LINES(text("{}\nno JSON\n{\"resourceSpans\":[{\n" + lines() + "{\"x\":\"\n" + lines())),
    LENGTHS(CollectorFiles.protobuf(messages())),
    A_WRONG_LENGTH(joined(CollectorFiles.protobuf(messages()), new byte[] {-1, -1, -1, -1, 7})),
    ONE_MESSAGE(messages()[0].toByteArray()),
    GZIP(CollectorFiles.gzip(CollectorFiles.json(messages()))),
    GZIP_OF_LENGTHS(CollectorFiles.gzip(CollectorFiles.protobuf(messages())));

    final byte[] bytes;

    Form(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  @ParameterizedTest
  @EnumSource
  void file_appendedByteByByte_isAsReadAtOnce(Form form) throws IOException {
    Files.createFile(file);
    for (byte one : form.bytes) {
      append(file, new byte[] {one});
      served.read();
    }

    assertAsReadAtOnce();
  }

  @ParameterizedTest
  @EnumSource
  void file_appendedInPieces_isAsReadAtOnce(Form form) throws IOException {
    Random random = new Random(form.ordinal());
    for (int run = 0; run < 20; run++) {
      Files.write(file, new byte[0]);
      for (int at = 0; at < form.bytes.length; ) {
        int end = Math.min(form.bytes.length, at + 1 + random.nextInt(form.bytes.length));
        append(file, Arrays.copyOfRange(form.bytes, at, end));
        at = end;
        served.read();
      }

      assertAsReadAtOnce();
    }
  }

  @Test
  void files_readByTurns_showAPartOfEachAndThenAll() throws Exception {
    int all = 40;
    for (int number = 1; number <= all; number++) {
      ProfileData samples = new ProfileData().service("shop");
      samples.sample(traceId(number), spanId(number), START, 2, List.of("main", "tax" + number));
      append(input.resolve("b-profiles"), CollectorFiles.json(samples.build()));
      TraceData spans = new TraceData("shop").root(number, "GET /", START, START + 20 * MS);
      append(input.resolve("a-traces"), CollectorFiles.json(spans.build()));
    }
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 4_000, line -> {});

    served.readPart(() -> true);
    assertThat(served.isPart()).isTrue();
    Source.Joined part = served.join().orElseThrow();
    assertThat(part.results().received().samples()).isBetween(2L, 20L);
    assertThat(requests()).isBetween(1, 20);
    assertThat(part.notes())
        .singleElement()
        .asString()
        .matches("[1-4]?[0-9] % of the files are read");

    while (served.isPart()) {
      assertThat(served.readPart(() -> true)).isTrue();
    }
    assertThat(requests()).isEqualTo(all);
    assertAsReadAtOnce();
    assertThat(served.readPart(() -> true)).isFalse();
  }

  @Test
  void files_readByTurnsInAnyForm_areAsReadAtOnce() throws Exception {
    for (Form form : Form.values()) {
      Files.write(file, form.bytes);
      served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 1, line -> {});
      do {
        served.readPart(() -> true);
      } while (served.isPart());
      assertAsReadAtOnce();
    }
  }

  @Test
  void files_moreThanATurnReads_haveTheirTurnsOneAfterTheOther() throws Exception {
    int all = 40;
    for (int number = 0; number < all; number++) {
      Files.write(
          input.resolve("file-" + number),
          CollectorFiles.json(
              new TraceData("shop").root(2 * number, "GET /1", START, START + 20 * MS).build(),
              new TraceData("shop").root(2 * number + 1, "GET /2", START, START + MS).build()));
    }
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 1_000, line -> {});

    served.readPart(() -> true);
    assertThat(requests()).isBetween(1, all / 2);
    while (!data().toString().contains("GET /2")) {
      assertThat(served.readPart(() -> true)).isTrue();
    }
    assertThat(requests()).isBetween(all + 1, all + all / 2);
    while (served.isPart()) {
      served.readPart(() -> true);
    }
    assertAsReadAtOnce();
  }

  @Test
  void file_inPartsThatEndsWithinAMessage_isReadAsFarAsItIsWhole() throws Exception {
    Files.write(file, joined(CollectorFiles.json(messages()), text("{\"resourceSpans\":")));
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 1, line -> {});
    served.readPart(() -> true);
    served.readPart(() -> true);
    assertThat(served.isPart()).isTrue();

    assertThat(served.readPart(() -> true)).isTrue();
    assertThat(served.isPart()).isFalse();
    assertThat(served.join().orElseThrow().notes())
        .containsExactly("not yet read: " + file + " ends within a message");
    assertThat(served.readPart(() -> true)).isFalse();
  }

  @Test
  void file_deletedWhenAPartIsRead_hasNoRest() throws Exception {
    Files.write(file, CollectorFiles.json(messages()));
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 1, line -> {});
    served.readPart(() -> true);
    assertThat(served.isPart()).isTrue();

    Files.delete(file);
    assertThat(served.readPart(() -> true)).isTrue();
    assertThat(served.isPart()).isFalse();
    assertThat(served.join().orElseThrow().notes()).noneMatch(note -> note.endsWith("are read"));
  }

  @Test
  void file_readButForItsLastMessage_isNotToldAsRead() throws Exception {
    int all = 300;
    for (int number = 0; number < all; number++) {
      append(file, CollectorFiles.json(messages()[0]));
    }
    served = new ServedFiles(Arguments.of(new String[] {input.toString()}), 1, line -> {});
    for (int read = 1; read < all; read++) {
      served.readPart(() -> true);
    }

    assertThat(served.join().orElseThrow().notes()).contains("99 % of the files are read");
  }

  @Test
  void file_withNothingNew_isNotReadAgain() throws IOException {
    Files.write(file, CollectorFiles.json(messages()));
    assertThat(served.read()).isTrue();
    assertThat(served.read()).isFalse();

    append(file, text("{\"resourceSpans\":"));
    assertThat(served.read()).as("a part of a message").isFalse();
    append(file, text("[]}\n"));
    assertThat(served.read()).isTrue();
    assertThat(served.read()).isFalse();
  }

  /** What was forgotten of them must not make groups of the others. */
  @ParameterizedTest
  @ValueSource(ints = {50, 51, 60})
  void attribute_ofSoManyValues_groupsAsReadAtOnce(int values) throws Exception {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 200; number++) {
      long start = START + number * 100 * MS;
      traces
          .root(number, "GET /", start, start + (number <= values ? 60 : 10) * MS + number)
          .attribute("client.port", "p" + Math.min(number, values));
    }
    Files.write(file, CollectorFiles.json(traces.build()));
    served.read();

    assertThat(data().toString().contains("client.port")).isEqualTo(values == 50);
    assertAsReadAtOnce();
  }

  @Test
  void value_ofASpanWithoutIds_doesNotCount() throws Exception {
    TraceData traces = new TraceData("shop");
    traces
        .span(NONE, NONE, NONE, TraceData.LOCAL_PARENT, "GET /", START, START + MS)
        .attribute("client.port", "p0");
    for (int number = 1; number <= 100; number++) {
      traces
          .root(number, "GET /", START, START + (number <= 50 ? 60 : 10) * MS + number)
          .attribute("client.port", "p" + Math.min(number, 50));
    }
    Files.write(file, CollectorFiles.json(traces.build()));
    served.read();

    assertThat(data().toString()).contains("client.port");
    assertAsReadAtOnce();
  }

  /** As a process does that could not write all of a message. */
  @Test
  void file_whoseLastPartIsTakenBack_isWholeAgain() throws IOException {
    for (byte[] whole :
        List.of(CollectorFiles.json(messages()), CollectorFiles.protobuf(messages()))) {
      Files.write(file, joined(whole, Arrays.copyOf(whole, 20)));
      served.read();
      assertThat(served.join().orElseThrow().notes())
          .anyMatch(note -> note.endsWith("within a message"));

      Files.write(file, whole);
      assertThat(served.read()).isTrue();
      assertThat(served.join().orElseThrow().notes()).isEmpty();
      assertThat(served.read()).isFalse();
    }
  }

  @Test
  void file_thatShrankOrWasReplaced_isReadAnew() throws IOException {
    for (byte[] first : List.of(request(1), CollectorFiles.gzip(request(1)))) {
      Files.write(file, first);
      served.read();
      Files.write(file, request(2));
      assertThat(served.read()).isTrue();
      assertAsReadAtOnce();

      Files.write(file, new byte[0]);
      assertThat(served.read()).isTrue();
      Files.write(file, joined(request(3), request(4), request(5)));
      assertThat(served.read()).as("longer than before").isTrue();
      assertAsReadAtOnce();
    }
  }

  @Test
  void file_renamedWhenItWasFull_countsOnce() throws IOException {
    Path full = input.resolve("file-2026-01-31");
    Files.write(file, withoutIds());
    served.read();
    Files.move(file, full);
    assertThat(served.read()).isTrue();
    assertAsReadAtOnce();

    Files.write(file, withoutIds());
    served.read();
    assertAsReadAtOnce();

    Files.move(file, input.resolve("another"));
    Files.write(file, withoutIds());
    served.read();
    assertAsReadAtOnce();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void file_compressedWhenItWasFull_countsOnce(int messages) throws Exception {
    byte[] bytes = joined(Collections.nCopies(messages, withoutIds()).toArray(byte[][]::new));
    keepDeletedOf(messages);
    for (String name : List.of("file.gz", "file.2.gz", "a.gz")) {
      for (boolean isSeenBoth : List.of(false, true)) {
        Path compressed = input.resolve(name);
        served = new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
        Files.write(file, bytes);
        served.read();
        Files.write(compressed, Arrays.copyOf(CollectorFiles.gzip(bytes), 30));
        served.read();
        Files.write(compressed, CollectorFiles.gzip(bytes));
        if (isSeenBoth) {
          served.read();
        }
        Files.delete(file);
        assertThat(served.read()).isTrue();
        assertAsReadAtOnce();
        assertThat(served.read()).isFalse();
        Files.delete(compressed);
      }
    }
  }

  @Test
  void files_rotated_countOnce() throws IOException {
    keepDeletedOf(20);
    Files.write(file, request(1));
    served.read();
    for (int number = 2; number < 6; number++) {
      for (int age = 3; age > 1; age--) {
        Path before = input.resolve("file." + age + ".gz");
        if (Files.exists(before)) {
          Files.move(before, input.resolve("file." + (age + 1) + ".gz"));
        }
      }
      Path first = input.resolve("file.1");
      if (Files.exists(first)) {
        Files.write(input.resolve("file.2.gz"), CollectorFiles.gzip(Files.readAllBytes(first)));
      }
      if (number % 2 == 0) {
        Files.copy(file, first, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.move(file, first, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.write(file, new byte[0]);
      served.read();
      append(file, request(number));
      served.read();
      assertAsReadAtOnce();
      assertThat(served.read()).isFalse();
    }
  }

  @Test
  void file_compressedThatBeginsAsADeletedOne_isAnotherIfItIsShorter() throws IOException {
    byte[] bytes = joined(Collections.nCopies(100, withoutIds()).toArray(byte[][]::new));
    Files.write(file, bytes);
    keepDeletedOf(100);
    served.read();
    Files.delete(file);
    Files.write(input.resolve("file.gz"), CollectorFiles.gzip(Arrays.copyOf(bytes, 10_000)));
    served.read();

    assertThat(served.join().orElseThrow().results().received().samples()).isGreaterThan(400);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "GZIP.*")
  void file_decompressedOrCompressed_countsOnce(Form form) throws IOException {
    Path compressed = input.resolve("file.gz");
    keepDeletedOf(20);
    Files.write(compressed, CollectorFiles.gzip(form.bytes));
    served.read();
    for (Path made : List.of(file, compressed)) {
      Path before = made.equals(file) ? compressed : file;
      Files.write(made, made.equals(file) ? form.bytes : CollectorFiles.gzip(form.bytes));
      Files.setLastModifiedTime(made, Files.getLastModifiedTime(before));
      served.read();
      Files.delete(before);
      served.read();
      assertAsReadAtOnce();
    }
  }

  @Test
  void file_deleted_isKeptUntilOthersHaveMore() throws IOException {
    Path other = input.resolve("other");
    Files.write(file, request(1));
    Files.write(other, request(2));
    served.read();

    Files.delete(file);
    assertThat(served.read()).isFalse();
    append(other, request(3));
    served.read();
    assertThat(requests()).isEqualTo(3);

    Files.delete(other);
    served.read();
    assertThat(requests()).as("nothing is left").isEqualTo(3);
    Files.write(file, request(4));
    assertThat(served.read()).isTrue();
    assertThat(requests()).isEqualTo(1);
    assertAsReadAtOnce();
  }

  @Test
  void files_manyDeletedOrRenamedAtOnce_areNotEachComparedWithAllOthersOnDisk() throws IOException {
    int many = 200;
    Path before = Files.createDirectories(input.resolve("before"));
    for (int number = 1; number <= many; number++) {
      Files.write(before.resolve("file-" + number), request(number));
      byte[] other = request(many + number);
      boolean isCompressed = number % 2 == 0;
      Files.write(
          input.resolve("file-" + number + (isCompressed ? ".gz" : "")),
          isCompressed ? CollectorFiles.gzip(other) : other);
    }
    served.read();

    long ofEach = many * many;
    Path after = Files.move(before, input.resolve("after"));
    long reads = reads();
    served.read();
    assertThat(reads() - reads).as("renamed").isLessThan(ofEach / 4);
    assertAsReadAtOnce();

    for (int number = 1; number <= many; number++) {
      Files.delete(after.resolve("file-" + number));
    }
    keepDeletedOf(many);
    reads = reads();
    served.read();
    assertThat(reads() - reads).as("deleted").isLessThan(ofEach / 4);
    assertThat(requests()).isEqualTo(3 * many);
  }

  @Test
  void file_deletedAndMadeAgain_isKeptBesideTheNewOne() throws IOException {
    Files.write(file, request(1));
    Files.write(input.resolve("other"), joined(request(2), request(3)));
    served.read();
    Files.delete(file);
    served.read();
    Files.write(file, request(4));
    served.read();

    assertThat(requests()).isEqualTo(4);
  }

  @Test
  void file_thatCannotBeRead_isANoteAndDoesNotStopTheOthers() throws IOException {
    Files.write(file, request(1));
    Path foreign = Files.write(input.resolve("a"), request(2));
    Files.setPosixFilePermissions(foreign, Set.of());
    assumeThat(Files.isReadable(foreign)).as("by root").isFalse();
    served.read();

    assertThat(requests()).isEqualTo(1);
    assertThat(served.join().orElseThrow().notes())
        .containsExactly("not read: " + foreign + ": this user may not access it");
    assertThat(served.read()).isFalse();
    Files.delete(foreign);
    assertThat(served.read()).isTrue();
    assertAsReadAtOnce();
  }

  /** Such as of the embedded profiler of another user's process. */
  @Test
  void directory_thatCannotBeRead_isANoteAndDoesNotHideOthers() throws IOException {
    Path foreign = Files.createDirectories(input.resolve("a/b"));
    Files.write(foreign.resolve("file"), request(2));
    Files.setPosixFilePermissions(foreign, Set.of());
    assumeThat(Files.isReadable(foreign)).as("by root").isFalse();
    String note = "not read: " + foreign + ": this user may not access it";
    Path later = Files.createDirectories(input.resolve("later"));
    for (int number = 3; number < 5; number++) {
      Files.write(later.resolve("file" + number), request(number));
      assertThat(served.read()).isTrue();
      assertThat(served.read()).isFalse();
      assertThat(requests()).isEqualTo(number - 2);
      assertThat(served.join().orElseThrow().notes()).containsExactly(note);
    }
    assertAsReadAtOnce();

    Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwx------"));
    assertThat(served.read()).isTrue();
    assertThat(requests()).isEqualTo(3);
    assertAsReadAtOnce();
  }

  @Test
  void directory_namedThatCannotBeRead_isRefusedAtFirstAndLaterKept() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Arguments both = Arguments.of(new String[] {input.toString(), other.toString()});
    served = new ServedFiles(both, line -> {});
    Files.write(file, joined(request(1), request(3)));
    served.read();
    Files.setPosixFilePermissions(input, Set.of());
    assumeThat(Files.isReadable(input)).as("by root").isFalse();
    try {
      assertThatThrownBy(() -> new ServedFiles(both, line -> {}))
          .isInstanceOf(AccessDeniedException.class);
      JoinRun atOnce = JoinRun.with(directory.resolve("out"), input.toString(), other.toString());
      assertThat(atOnce.status()).isEqualTo(2);

      assertThat(served.read()).isTrue();
      Files.write(other.resolve("file"), request(2));
      assertThat(served.read()).isTrue();
      assertThat(requests()).isEqualTo(3);
      assertThat(served.join().orElseThrow().notes())
          .containsExactly("not there or not readable any more: " + input);
    } finally {
      Files.setPosixFilePermissions(input, PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(served.read()).isTrue();
    assertThat(requests()).isEqualTo(3);
    assertThat(served.join().orElseThrow().notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"---------", "-wx------"})
  void directory_thatBecomesUnreadable_keepsItsFiles(String permissions) throws IOException {
    Path below = Files.createDirectories(input.resolve("a"));
    Path hidden = Files.write(below.resolve("file"), joined(request(1), request(2)));
    Files.write(file, request(3));
    served.read();
    Files.setPosixFilePermissions(below, PosixFilePermissions.fromString(permissions));
    assumeThat(Files.isReadable(below)).as("by root").isFalse();
    try {
      assertThat(served.read()).isTrue();
      assertThat(served.read()).isFalse();
      assertThat(requests()).isEqualTo(3);
      assertThat(served.join().orElseThrow().notes())
          .containsExactly("not read: " + below + ": this user may not access it");
    } finally {
      Files.setPosixFilePermissions(below, PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(served.read()).isTrue();
    assertAsReadAtOnce();

    Files.delete(hidden);
    assertThat(served.read()).isTrue();
    assertAsReadAtOnce();
  }

  @Test
  void directory_namedByALink_isFollowed() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), input);
    served = new ServedFiles(Arguments.of(new String[] {link.toString()}), line -> {});
    Files.write(file, request(1));
    served.read();

    assertThat(requests()).isEqualTo(1);
    assertAsReadAtOnce();
    assertThat(JoinRun.of(link).status()).isZero();
  }

  @Test
  void directories_thatAreLinks_areFollowedOnceEach() throws IOException {
    Path run = Files.createDirectories(input.resolve("run"));
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere/below"));
    Files.write(run.resolve("file"), request(1));
    Files.write(elsewhere.resolve("file"), request(2));
    Files.createSymbolicLink(input.resolve("latest"), run);
    Files.createSymbolicLink(run.resolve("loop"), input);
    Files.createSymbolicLink(run.resolve("to-elsewhere"), elsewhere);
    Files.createSymbolicLink(elsewhere.resolve("up"), elsewhere.getParent());
    Files.createSymbolicLink(elsewhere.resolve("dangling"), directory.resolve("nothing"));
    served.read();

    assertThat(requests()).isEqualTo(2);
    assertThat(served.read()).isFalse();
    assertThat(served.join().orElseThrow().notes()).isEmpty();
    assertAsReadAtOnce();

    Files.write(elsewhere.resolve("later"), request(3));
    assertThat(served.read()).isTrue();
    assertAsReadAtOnce();
  }

  @Test
  void directory_thatIsALink_cannotBeRead_isAProblem() throws IOException {
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Files.write(file, request(1));
    Files.createSymbolicLink(input.resolve("link"), elsewhere);
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("---------"));
    assumeThat(Files.isReadable(elsewhere)).as("by root").isFalse();
    try {
      served.read();
      assertThat(served.join().orElseThrow().notes())
          .containsExactly("not read: " + elsewhere + ": this user may not access it");
    } finally {
      Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void directory_deleted_isKeptWithANoteAndFoundAgain() throws IOException {
    Files.write(file, request(1));
    served.read();

    Files.delete(file);
    Files.delete(input);
    assertThat(served.read()).isTrue();
    assertThat(served.read()).isFalse();
    assertThat(requests()).isEqualTo(1);
    assertThat(served.join().orElseThrow().notes())
        .containsExactly("not there or not readable any more: " + input);

    Files.createDirectories(input);
    Files.write(file, joined(request(2), request(3)));
    assertThat(served.read()).isTrue();
    assertThat(requests()).isEqualTo(3);
    assertThat(served.join().orElseThrow().notes()).isEmpty();
  }

  @Test
  void directory_empty_waitsForTheFirstMessage() throws IOException {
    served.read();
    assertThat(served.join()).isEmpty();
    byte[] message = request(1);
    Files.write(file, Arrays.copyOf(message, 20));
    served.read();
    assertThat(served.join()).isEmpty();

    Files.write(file, message);
    served.read();
    assertThat(requests()).isEqualTo(1);
  }

  @Test
  void directory_withNothingOfOtlp_isRefused() throws IOException {
    Files.write(file, text("PK\3\4 is no OTLP"));
    served.read();

    assertThatThrownBy(served::join)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no span and no sample in " + input)
        .hasMessageContaining("begins with byte 0x50");
  }

  @Test
  void directory_withOnlyADamagedFile_isRefusedWithTheReason() throws IOException {
    Files.write(file, new byte[] {0x10, -1, -1, -1, 7});
    assertThat(served.read()).isTrue();

    assertThatThrownBy(served::join)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("message 1 has no valid length");
    append(file, new byte[] {7});
    assertThat(served.read()).as("what is not read any further").isFalse();
  }

  @Test
  void file_replacedByTheOtherFormBeforeItsFirstMessage_isRead() throws IOException {
    Files.write(file, text("{\"resourceSpans\":"));
    served.read();
    Files.write(file, CollectorFiles.protobuf(messages()));
    served.read();

    assertAsReadAtOnce();
  }

  @Test
  void file_thatEndsWithinAMessage_isToldInANote() throws IOException {
    Files.write(file, joined(request(1), text("{\"resourceSpans\":")));
    served.read();

    assertThat(served.join().orElseThrow().notes())
        .containsExactly("not yet read: " + file + " ends within a message");
  }

  @Test
  void baseline_besideFilesThatGrow_isCompared() throws Exception {
    Path before = Files.createDirectories(directory.resolve("before"));
    Files.write(before.resolve("file"), request(9));
    served =
        new ServedFiles(
            Arguments.of(new String[] {"--baseline", before.toString(), input.toString()}),
            line -> {});
    Files.write(file, request(1));
    served.read();

    assertThat(data().has("comparison")).isTrue();
  }

  /** How often this thread has read of any file. */
  private static long reads() throws IOException {
    Path counts = Path.of("/proc/thread-self/io");
    assumeThat(counts).exists();
    return Files.readAllLines(counts).stream()
        .filter(line -> line.startsWith("syscr: "))
        .mapToLong(line -> Long.parseLong(line.substring(7)))
        .sum();
  }

  /** Writes another file, which has more than so many messages. */
  private void keepDeletedOf(int messages) throws IOException {
    for (int number = 0; number < messages; number++) {
      append(input.resolve("other"), request(1_000 + number));
    }
  }

  /** In all but the order in which it was found. */
  private void assertAsReadAtOnce() throws IOException {
    JoinRun atOnce = JoinRun.of(input);
    assertThat(atOnce.status()).as(atOnce.lines().toString()).isZero();
    JsonObject now = data();
    JsonObject expected = atOnce.data();
    assertThat(now.remove("problems").getAsJsonArray())
        .containsExactlyInAnyOrderElementsOf(expected.remove("problems").getAsJsonArray());
    assertThat(now).isEqualTo(expected);
  }

  private JsonObject data() throws IOException {
    Optional<Source.Joined> joined = served.join();
    Source.Joined all = joined.orElseThrow();
    byte[] data = ServedPage.data(all.results(), all.comparison(), all.notes());
    return JsonParser.parseString(new String(data, UTF_8)).getAsJsonObject();
  }

  private int requests() throws IOException {
    int sum = 0;
    for (var endpoint : data().getAsJsonArray("endpoints")) {
      sum += endpoint.getAsJsonObject().get("requests").getAsInt();
    }
    return sum;
  }

  private static Message[] messages() {
    return new Message[] {
      new TraceData("shop").root(1, "GET /é", START, START + 20 * MS).stackTraceIds(2).build(),
      new ProfileData()
          .service("shop")
          .sample(traceId(1), spanId(1), START, 2, List.of("main", "tax"))
          .build(),
    };
  }

  private static byte[] request(long number) {
    return CollectorFiles.json(
        new TraceData("shop").root(number, "GET /", START, START + 20 * MS).build(),
        new ProfileData()
            .service("shop")
            .sample(traceId(number), spanId(number), START, 2, List.of("main", "tax" + number))
            .build());
  }

  /** Profiles without ids, which would count twice if they were read twice. */
  private static byte[] withoutIds() {
    return CollectorFiles.json(messages()[1]);
  }

  private static String lines() {
    return new String(CollectorFiles.json(messages()), UTF_8);
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static void append(Path file, byte[] bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, APPEND, CREATE)) {
      out.write(bytes);
    }
  }
}
