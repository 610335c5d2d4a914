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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promise: each row of the conformance page names its proof or says that there is no test. */
class ConformancePageTest {
  private static final List<String> STATUSES = List.of("done", "SDK", "not done", "does not apply");

  /** The rows by the title of their document. The empty title holds the table of counts. */
  private static Map<String, List<List<String>>> tables() throws IOException {
    Map<String, List<List<String>>> tables = new LinkedHashMap<>();
    String document = "";
    for (String line : Files.readAllLines(Path.of("docs/internals/conformance.md"))) {
      if (line.startsWith("## ")) {
        document = line.substring(3);
      } else if (line.startsWith("| ") && !line.startsWith("| ---")) {
        List<String> cells = List.of(line.substring(2, line.length() - 2).split(" \\| ", -1));
        boolean isHeader = cells.contains("status") || cells.containsAll(STATUSES);
        if (!isHeader) {
          String table = cells.size() == 6 ? "" : document;
          tables.computeIfAbsent(table, title -> new ArrayList<>()).add(cells);
        }
      }
    }
    return tables;
  }

  @Test
  void counts_ofEachDocument_areThoseOfItsRows() throws IOException {
    Map<String, List<List<String>>> tables = tables();
    List<List<String>> counts = tables.remove("");
    List<List<String>> expected = new ArrayList<>();
    tables.forEach(
        (document, rows) -> {
          List<String> row = new ArrayList<>(List.of(document, String.valueOf(rows.size())));
          for (String status : STATUSES) {
            row.add(String.valueOf(rows.stream().filter(r -> r.get(2).equals(status)).count()));
          }
          expected.add(row);
        });

    assertThat(counts).isEqualTo(expected).hasSize(5);
  }

  @Test
  void row_thatIsDone_namesATestOrSaysThatNoneExists() throws IOException {
    Map<String, List<List<String>>> tables = tables();
    tables.remove("");
    for (List<List<String>> rows : tables.values()) {
      for (List<String> row : rows) {
        assertThat(row).hasSize(4);
        assertThat(row.get(2)).as(row.get(0)).isIn(STATUSES);
        if (row.get(2).equals("done") || row.get(2).equals("SDK")) {
          assertThat(row.get(3))
              .as(row.get(0))
              .containsPattern("`\\w+Test\\.\\w+`|[Nn]o test of ours");
        }
      }
    }
  }
}
