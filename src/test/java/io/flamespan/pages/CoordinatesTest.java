/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The coordinates of the artifacts stand in {@code parent/pom.xml}. Poms and pages that repeat
 * them, because Maven or a reader needs them there, agree with it.
 */
class CoordinatesTest {
  private static final Path PARENT = Path.of("parent/pom.xml");
  private static final String PARENT_ARTIFACT = "flamespan-parent";
  private static final String ARTIFACT = "flamespan[a-z-]*";

  /** An artifact in a pom, or in a page that shows a part of one. */
  private static final Pattern IN_XML =
      Pattern.compile(
          "<groupId>([^<]+)</groupId>\\s*<artifactId>"
              + ARTIFACT
              + "</artifactId>(?:\\s*<version>([^<$]+)</version>)?");

  /** The version that a pom names by itself. */
  private static final Pattern PROPERTY =
      Pattern.compile("<plugin\\.version>([^<]+)</plugin\\.version>");

  /** A dependency of Gradle, or the name of a jar. */
  private static final Pattern IN_TEXT =
      Pattern.compile("(?:([\\w.]+):)?" + ARTIFACT + "[:-](\\d+[.]\\d+[.]\\d+(?:-SNAPSHOT)?)");

  /** A row of the table of artifacts. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(" + ARTIFACT + ")` \\|");

  private final String group = inParent("groupId");
  private final String version = inParent("version");

  CoordinatesTest() throws IOException {}

  private static String inParent(String element) throws IOException {
    Pattern line = Pattern.compile("(?m)^  <" + element + ">([^<]+)<");
    return line.matcher(Files.readString(PARENT)).results().findFirst().orElseThrow().group(1);
  }

  private static List<MatchResult> found(Pattern pattern, List<Path> files) throws IOException {
    List<MatchResult> found = new ArrayList<>();
    for (Path file : files) {
      pattern.matcher(Files.readString(file)).results().forEach(found::add);
    }
    return found;
  }

  private static List<Path> pomsAndPages() throws IOException {
    List<Path> files = new ArrayList<>(Pages.all());
    try (Stream<Path> all = Files.walk(Path.of(""))) {
      all.filter(file -> file.toString().matches("(?!.*(^|/)(target|build)/).*(pom|reactor)\\.xml"))
          .forEach(files::add);
    }
    return files;
  }

  @Test
  void artifacts_inPomsAndPages_haveTheCoordinatesOfTheParent() throws IOException {
    List<MatchResult> found = found(IN_XML, pomsAndPages());

    assertThat(found).hasSizeGreaterThan(10);
    assertThat(found).extracting(artifact -> artifact.group(1)).containsOnly(group);
    assertThat(found).extracting(artifact -> artifact.group(2)).containsOnly(version, null);
  }

  @Test
  void versions_thatPomsName_areThatOfTheParent() throws IOException {
    assertThat(found(PROPERTY, pomsAndPages()))
        .extracting(named -> named.group(1))
        .containsOnly(version);
  }

  @Test
  void artifacts_thatArePublished_haveTheParentAndARowInTheReadme() throws IOException {
    List<String> published = new ArrayList<>();
    for (Path folder : Pages.artifacts()) {
      String pom = Files.readString(folder.resolve("pom.xml"));
      assertThat(pom).as("%s", folder).contains("<artifactId>" + PARENT_ARTIFACT + "<");
      published.add(pom.replaceFirst("(?s).*?\n  <artifactId>([^<]+)<.*", "$1"));
    }

    assertThat(found(ROW, List.of(Path.of("README.md"))))
        .extracting(row -> row.group(1))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void artifacts_inTheTextOfPages_haveTheCoordinatesOfTheParent() throws IOException {
    List<MatchResult> found = found(IN_TEXT, Pages.all());

    assertThat(found).extracting(artifact -> artifact.group(1)).containsOnly(group, null);
    assertThat(found).extracting(artifact -> artifact.group(2)).containsOnly(version);
  }
}
