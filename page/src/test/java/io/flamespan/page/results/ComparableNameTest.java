/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** ClickHouseTest compares what the engine makes of the same names. */
class ComparableNameTest {

  @ParameterizedTest
  @CsvFileSource(resources = "/comparable-names.tsv", delimiter = '\t')
  void name_asAJvmGivesIt_losesWhatIsNumberedAnew(String raw, String comparable) {
    assertThat(ComparableName.of(raw)).isEqualTo(comparable);
  }

  @Test
  void pattern_inAllStatements_isThisOne() throws IOException {
    String quoted = "'" + ComparableName.PATTERN.replace("\\", "\\\\") + "'";
    for (String file :
        List.of("endpoints", "deployments", "flame-graph-of-endpoint", "flame-graph-of-trace")) {
      assertThat(Files.readString(Path.of("src/main/resources/clickhouse", file + ".sql")))
          .containsOnlyOnce(quoted);
    }
  }
}
