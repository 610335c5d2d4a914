/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages are rooms, and the doors between them open one way. */
class ArchitectureTest {
  private static final String ROOT = "io.otelprofiling.correlation";
  private static final String PUBLIC = "the root package";
  private static final int MAX_LINES = 350;

  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("context", Set.of("span", "memory", "config", "nativelib", "id", "log")),
          Map.entry(
              "channel", Set.of("memory", "config", "files", "nativelib", "threads", "log", "id")),
          Map.entry("declarative", Set.of("span", "config")),
          Map.entry("telemetry", Set.of("channel", "span", "log")),
          Map.entry("span", Set.of("id", "config", "threads", "log")),
          Map.entry("nativelib", Set.of("config", "files", "threads", "log", "id")),
          Map.entry("config", Set.of("log")),
          Map.entry("files", Set.of("log")),
          Map.entry("hostid", Set.of("log")),
          Map.entry("processcontext", Set.of("config", "nativelib", "log")),
          Map.entry("id", Set.of("log")),
          Map.entry("memory", Set.of("log")),
          Map.entry("threads", Set.of()),
          Map.entry("log", Set.of()));

  private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern NAME =
      Pattern.compile(
          "\\bio\\s*\\.\\s*otelprofiling\\s*\\.\\s*correlation\\s*\\.\\s*"
              + "(?:internal\\s*\\.\\s*([\\w*]+)|(\\w+|\\*))");

  @Test
  void everyRoomKeepsToItsDoors() throws IOException {
    for (Path file : mainFiles()) {
      assertThat(forbidden(room(file), Files.readString(file))).as(file.toString()).isEmpty();
    }
  }

  @Test
  void everyRoomIsKnown() throws IOException {
    Set<String> rooms = new TreeSet<>();
    for (Path file : mainFiles()) {
      rooms.add(room(file));
    }
    rooms.remove(PUBLIC);

    assertThat(rooms).isEqualTo(new TreeSet<>(MAY_USE.keySet()));
  }

  @Test
  void doorsLeadRoundInNoCircle() {
    MAY_USE.keySet().forEach(room -> assertThat(reachableFrom(room)).as(room).doesNotContain(room));
  }

  private static Set<String> reachableFrom(String room) {
    Set<String> reached = new HashSet<>();
    Set<String> next = MAY_USE.get(room);
    while (reached.addAll(next)) {
      Set<String> further = new HashSet<>();
      next.forEach(other -> further.addAll(MAY_USE.get(other)));
      next = further;
    }
    return reached;
  }

  @Test
  void forbiddenUsesAreFound() {
    String span = "io.otelprofiling.correlation.internal.span.";

    assertThat(forbidden("memory", "import " + span + "LocalRoot;")).containsExactly("span");
    assertThat(forbidden("memory", "import static " + span + "LocalRoot.x;"))
        .containsExactly("span");
    assertThat(forbidden("memory", "import " + span + "*;")).containsExactly("span");
    assertThat(forbidden("memory", "  void f(" + span + "LocalRoot r) {}")).containsExactly("span");
    assertThat(forbidden("memory", "  io.otelprofiling.correlation\n      .internal.span.A a;"))
        .containsExactly("span");
    assertThat(forbidden("memory", "import io.otelprofiling.correlation.ProfilingCorrelation;"))
        .containsExactly(PUBLIC);
    assertThat(forbidden("memory", "import io.otelprofiling.correlation.*;"))
        .containsExactly(PUBLIC);
    assertThat(forbidden("channel", "import io.otelprofiling.correlation.internal.hostid.A;"))
        .containsExactly("hostid");
  }

  @Test
  void permittedUsesAreNotFound() {
    assertThat(forbidden("context", "import io.otelprofiling.correlation.internal.span.A;"))
        .isEmpty();
    assertThat(forbidden("span", "package io.otelprofiling.correlation.internal.span;")).isEmpty();
    assertThat(forbidden("id", "// io.otelprofiling.correlation.internal.span.A")).isEmpty();
    assertThat(forbidden("id", "/** {@link io.otelprofiling.correlation.internal.span.A} */"))
        .isEmpty();
    assertThat(forbidden(PUBLIC, "import io.otelprofiling.correlation.internal.span.A;")).isEmpty();
  }

  @Test
  void noFileIsLong() throws IOException {
    for (Path file : mainFiles()) {
      assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(MAX_LINES);
    }
  }

  @Test
  void libraryNameIsWrittenDownOnce() throws IOException {
    Set<Path> files = new HashSet<>();
    for (Path file : mainFiles()) {
      if (Files.readString(file).contains("elastic-jvmti-linux-")) {
        files.add(file.getFileName());
      }
    }

    assertThat(files).containsExactly(Path.of("NativeLibraryFile.java"));
  }

  private static Set<String> forbidden(String room, String source) {
    Set<String> found = new TreeSet<>();
    if (room.equals(PUBLIC)) {
      return found;
    }
    Matcher name = NAME.matcher(COMMENT.matcher(source).replaceAll(" "));
    while (name.find()) {
      String used = name.group(1) == null ? PUBLIC : name.group(1);
      if (!used.equals(room) && !MAY_USE.get(room).contains(used)) {
        found.add(used);
      }
    }
    return found;
  }

  private static String room(Path file) {
    Path inRoot = sources().resolve(ROOT.replace('.', '/')).relativize(file);
    return inRoot.startsWith("internal") ? inRoot.getName(1).toString() : PUBLIC;
  }

  private static List<Path> mainFiles() throws IOException {
    try (Stream<Path> files = Files.walk(sources())) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).hasSizeGreaterThan(20);
      return found;
    }
  }

  private static Path sources() {
    return Path.of("src", "main", "java");
  }
}
