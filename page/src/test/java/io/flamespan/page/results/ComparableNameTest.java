/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void pattern_ofTheStatements_isThisOne() throws IOException {
    assertThat(Files.readString(Path.of("src/main/resources/clickhouse/stacks.sql")))
        .containsOnlyOnce("'" + ComparableName.PATTERN.replace("\\", "\\\\") + "'");
  }
}
