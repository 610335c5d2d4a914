/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies between packages point in one direction only. */
class ArchitectureTest {
  private static final Path ROOT = Path.of("src/main/java/io/flamespan/correlation");
  private static final String API = "correlation";
  private static final int MAX_LINES = 500;

  /** What each package below {@code internal} may use, and the public one. */
  private static final Map<String, Set<String>> USES =
      Map.ofEntries(
          Map.entry(API, Set.of("runtime", "config", "requirements", "log")),
          Map.entry("autoconfigure", Set.of("runtime", "config", "requirements", "log")),
          Map.entry("declarative", Set.of("runtime", "wrapping", "config", "requirements", "log")),
          Map.entry(
              "runtime",
              Set.of(
                  "samples",
                  "publication",
                  "telemetry",
                  "status",
                  "hostid",
                  "context",
                  "delay",
                  "wrapping",
                  "localroot",
                  "transport",
                  "processcontext",
                  "protocol",
                  "nativelib",
                  "embedded",
                  "config",
                  "threads",
                  "log")),
          Map.entry(
              "samples",
              Set.of(
                  "telemetry",
                  "status",
                  "context",
                  "delay",
                  "localroot",
                  "transport",
                  "protocol",
                  "nativelib",
                  "jvm",
                  "embedded",
                  "config",
                  "threads",
                  "log")),
          Map.entry(
              "publication",
              Set.of(
                  "status",
                  "context",
                  "transport",
                  "protocol",
                  "nativelib",
                  "posix",
                  "processcontext",
                  "config",
                  "threads",
                  "log")),
          Map.entry("telemetry", Set.of("delay", "protocol", "log")),
          Map.entry("status", Set.of("protocol", "nativelib", "config", "log")),
          Map.entry("hostid", Set.of("log")),
          Map.entry(
              "context", Set.of("localroot", "embedded", "protocol", "nativelib", "config", "log")),
          Map.entry("delay", Set.of("pace", "wrapping", "localroot", "config", "threads", "log")),
          Map.entry("pace", Set.of("threads")),
          Map.entry("wrapping", Set.of("localroot", "log")),
          Map.entry("localroot", Set.of("protocol", "log")),
          Map.entry("transport", Set.of("protocol", "nativelib", "posix", "threads", "log")),
          Map.entry("processcontext", Set.of("nativelib", "posix", "config", "log")),
          Map.entry("protocol", Set.of("log")),
          Map.entry("nativelib", Set.of("protocol", "posix", "threads", "log")),
          Map.entry("posix", Set.of()),
          Map.entry("embedded", Set.of("posix")),
          Map.entry("jvm", Set.of("posix")),
          Map.entry("config", Set.of("posix", "log")),
          Map.entry("requirements", Set.of()),
          Map.entry("threads", Set.of("log")),
          Map.entry("log", Set.of()));

  /** A line of jdeps: a file and one that it uses, without nested classes. */
  private static final Pattern USE =
      Pattern.compile(
          "^ +(io[.]flamespan[.][\\w.]+)\\S* +-> (io[.]flamespan[.][\\w.]+)", Pattern.MULTILINE);

  /** A handler of all errors of a step. */
  private static final Pattern HANDLER = Pattern.compile("[.](?:failure|attempt|orElse)[(]");

  private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern NAME =
      Pattern.compile(
          "\\bio\\s*\\.\\s*flamespan\\s*\\.\\s*correlation\\s*\\.\\s*"
              + "(?:internal\\s*\\.\\s*([\\w*]+)|[A-Z]\\w*|\\*)");

  @Test
  void rooms_dependencies_areThoseListedHere() throws IOException {
    Map<String, Set<String>> used = new TreeMap<>();
    for (Path file : mainFiles()) {
      used.computeIfAbsent(room(file), room -> new TreeSet<>())
          .addAll(uses(room(file), Files.readString(file)));
    }

    assertThat(used).containsExactlyInAnyOrderEntriesOf(USES);
  }

  @Test
  void rooms_each_haveADescription() throws IOException {
    Set<String> explained = new TreeSet<>();
    for (Path file : mainFiles()) {
      if (file.endsWith("package-info.java")) {
        explained.add(room(file));
      }
    }

    assertThat(explained).isEqualTo(new TreeSet<>(USES.keySet()));
  }

  @Test
  void dependencies_fromAnyRoom_formNoCycle() {
    USES.keySet()
        .forEach(room -> assertThat(reachableFrom(room, USES)).as(room).doesNotContain(room));
  }

  private static Set<String> reachableFrom(String start, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    Set<String> next = uses.getOrDefault(start, Set.of());
    while (reached.addAll(next)) {
      Set<String> further = new HashSet<>();
      next.forEach(other -> further.addAll(uses.getOrDefault(other, Set.of())));
      next = further;
    }
    return reached;
  }

  /** Who reads one class of a circle has to read all. */
  @Test
  void classes_thatNeedOneAnother_areFewLines() throws IOException {
    StringWriter found = new StringWriter();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    jdeps.run(new PrintWriter(found), new PrintWriter(found), "-v", "target/classes");
    Map<String, Set<String>> uses = new HashMap<>();
    Matcher use = USE.matcher(found.toString());
    while (use.find()) {
      uses.computeIfAbsent(use.group(1), file -> new HashSet<>()).add(use.group(2));
    }
    assertThat(uses).hasSizeGreaterThan(100);

    Map<String, Set<String>> reached = new HashMap<>();
    uses.keySet().forEach(file -> reached.put(file, reachableFrom(file, uses)));
    for (String file : uses.keySet()) {
      int lines = 0;
      for (String other : reached.get(file)) {
        lines += reached.getOrDefault(other, Set.of()).contains(file) ? linesOfCode(other) : 0;
      }
      assertThat(lines).as("lines of code in the circle of " + file).isLessThanOrEqualTo(500);
    }
  }

  private static int linesOfCode(String name) throws IOException {
    String source = Files.readString(Path.of("src/main/java", name.replace('.', '/') + ".java"));
    return (int)
        COMMENT
            .matcher(source)
            .replaceAll("")
            .lines()
            .filter(line -> !line.isBlank() && !line.matches("(import|package) .*"))
            .count();
  }

  @Test
  void classes_outsideOfInternal_areForUsers() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : mainFiles()) {
      if (room(file).equals(API) && !file.endsWith("package-info.java")) {
        found.add(ROOT.relativize(file).toString());
      }
    }

    assertThat(found)
        .containsExactly("ProfilingCorrelation.java", "ProfilingCorrelationBuilder.java");
  }

  /**
   * The jar is made of these; .ci/supply-chain reads the jar itself. A file by which another
   * framework finds services would end an application in which our class cannot see that framework.
   */
  @Test
  void classes_ofThePlugin_areOfNoOtherArtifact() throws IOException {
    Path classes = Path.of("target/classes");
    try (Stream<Path> files = Files.walk(classes)) {
      assertThat(files.filter(Files::isRegularFile).map(classes::relativize).map(Path::toString))
          .isNotEmpty()
          .allMatch(
              name ->
                  name.matches(
                      "META-INF/(LICENSE|services/io\\.opentelemetry\\..*)|io/flamespan/correlation/.*"));
    }
  }

  @Test
  void uses_inAnyForm_areFound() {
    String delay = "io.flamespan.correlation.internal.delay.";

    assertThat(uses("posix", "import " + delay + "PluginSpanProcessor;")).containsExactly("delay");
    assertThat(uses("posix", "import static " + delay + "PluginSpanProcessor.x;"))
        .containsExactly("delay");
    assertThat(uses("posix", "import " + delay + "*;")).containsExactly("delay");
    assertThat(uses("posix", "  void f(" + delay + "PluginSpanProcessor r) {}"))
        .containsExactly("delay");
    assertThat(uses("posix", "  io.flamespan.correlation\n      .internal.delay.A a;"))
        .containsExactly("delay");
    assertThat(uses("posix", "import io.flamespan.correlation.ProfilingCorrelation;"))
        .containsExactly(API);
    assertThat(uses("posix", "import io.flamespan.correlation.*;")).containsExactly(API);
  }

  @Test
  void uses_ofItselfAndInComments_areNone() {
    assertThat(uses("delay", "package io.flamespan.correlation.internal.delay;")).isEmpty();
    assertThat(uses("protocol", "\"io.flamespan.correlation.java8Fence\"")).isEmpty();
    assertThat(uses("log", "// io.flamespan.correlation.internal.delay.A")).isEmpty();
    assertThat(uses("log", "/** {@link io.flamespan.correlation.internal.delay.A} */")).isEmpty();
  }

  /** Each further handler is one more place that may hide an error. */
  @Test
  void errors_ofAnyKind_endAtTheBordersOfTheRationale() throws IOException {
    String section =
        Files.readString(Path.of("docs/internals/rationale.md"))
            .replaceAll("(?s).*\n## Where errors end\n(.*?)\n## .*", "$1");
    Set<String> borders = namesIn(section.replaceAll("(?m)^(?![|]).*", ""));
    Set<String> throwOn = namesIn(section.replaceAll("(?s).*handlers throw on:", ""));
    Set<String> named = new TreeSet<>(borders);
    named.addAll(throwOn);
    Set<String> handling = new TreeSet<>();
    for (Path file : mainFiles()) {
      String name = file.getFileName().toString().replace(".java", "");
      String source = COMMENT.matcher(Files.readString(file)).replaceAll(" ");
      boolean isHandler = source.contains("catch (Throwable ");
      if (isHandler) {
        assertThat(named).contains(name);
      }
      if (isHandler || HANDLER.matcher(source).find()) {
        handling.add(name);
      }
    }

    assertThat(borders).hasSizeGreaterThan(15).isSubsetOf(handling);
    assertThat(throwOn).hasSize(2).isSubsetOf(handling).doesNotContainAnyElementsOf(borders);
  }

  private static Set<String> namesIn(String text) {
    return Pattern.compile("`([A-Z]\\w+)`")
        .matcher(text)
        .results()
        .map(name -> name.group(1))
        .filter(name -> !name.equals("Throwable"))
        .collect(toCollection(TreeSet::new));
  }

  @Test
  void files_all_areShort() throws IOException {
    for (Path file : mainFiles()) {
      assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(MAX_LINES);
    }
  }

  /** Who looks for how the plug-in is put together reads no more than this. */
  @Test
  void wiring_asAWhole_isShort() throws IOException {
    int lines = 0;
    for (Path file : mainFiles()) {
      lines += room(file).equals("runtime") ? Files.readAllLines(file).size() : 0;
    }

    assertThat(lines).isBetween(100, 2 * MAX_LINES);
  }

  @Test
  void libraryName_inSources_isWrittenOnce() throws IOException {
    Set<Path> files = new HashSet<>();
    for (Path file : mainFiles()) {
      if (Files.readString(file).contains("elastic-jvmti-linux-")) {
        files.add(file.getFileName());
      }
    }

    assertThat(files).containsExactly(Path.of("NativeLibraryFile.java"));
  }

  private static Set<String> uses(String room, String source) {
    Set<String> found = new TreeSet<>();
    Matcher name = NAME.matcher(COMMENT.matcher(source).replaceAll(" "));
    while (name.find()) {
      String used = name.group(1) == null ? API : name.group(1);
      if (!used.equals(room)) {
        found.add(used);
      }
    }
    return found;
  }

  private static String room(Path file) {
    Path inRoot = ROOT.relativize(file);
    return inRoot.startsWith("internal") ? inRoot.getName(1).toString() : API;
  }

  private static List<Path> mainFiles() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).hasSizeGreaterThan(20);
      return found;
    }
  }
}
