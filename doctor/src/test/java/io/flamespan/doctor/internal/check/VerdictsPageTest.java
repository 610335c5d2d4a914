/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Promise: the pages have every verdict of every check, as the table in the code has it. */
class VerdictsPageTest {
  private static final Path PAGE = Path.of("../docs/internals/doctor-verdicts.md");
  private static final Pattern CHECK =
      Pattern.compile("`((?:plugin|library|storage|threads|inside|socket|host|doctor)\\.[a-z-]+)`");
  private static final String MARK = "<!-- Below: written by VerdictsPageTest, -Drenew=true. -->";

  @Test
  void page_ofVerdicts_isThatOfTheTable() throws IOException {
    String page = Files.readString(PAGE);
    String expected = page.substring(0, page.indexOf(MARK)) + MARK + "\n" + list();
    if (Boolean.getBoolean("renew")) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE)).as("make pages writes it").isEqualTo(expected);
  }

  private static String list() {
    StringBuilder list = new StringBuilder();
    String section = "";
    for (Check<?> check : Checks.ALL) {
      if (!check.section.equals(section)) {
        section = check.section;
        list.append("\n## ").append(section).append("\n\n");
      }
      list.append("- `").append(check.id).append("`\n");
      for (String[] row : check.rows.values()) {
        list.append("  - ").append(row[1]).append(": ").append(row[2].replace("%s", "…"));
        list.append(row.length > 3 ? " → " + row[3] : "").append("\n");
      }
    }
    return list.toString();
  }

  @Test
  void keys_thatAreRead_areOnThePageOfTheStatus() throws IOException {
    String page = Files.readString(Path.of("../docs/status.md"));
    Set<String> keys = new HashSet<>(Set.of(SocketFacts.RECEIVED, SocketFacts.SINCE, Checks.QUEUE));
    Checks.ALL.forEach(check -> keys.addAll(check.keys()));

    assertThat(keys)
        .hasSizeGreaterThan(30)
        .allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
  }

  @Test
  void checks_namedByThePageOfSymptoms_exist() throws IOException {
    Set<String> ids = new HashSet<>(Set.of("doctor.error"));
    Checks.ALL.forEach(check -> assertThat(ids.add(check.id)).as(check.id).isTrue());

    List<String> named =
        CHECK
            .matcher(Files.readString(Path.of("../docs/troubleshooting.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(named).hasSizeGreaterThan(20).isSubsetOf(ids);
  }
}
