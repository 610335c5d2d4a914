/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line about more samples than the program is for. */
class ManySamplesTest {
  @TempDir Path directory;

  @Test
  void samples_manyInASmallPartOfTheFiles_areToldOnceWithWhatToDo() throws Exception {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(files(), told::add);
    many.read(10);
    many.add(300_000);
    assertThat(told).as("1 % is too little to tell").isEmpty();

    many.read(20);
    many.add(300_000);
    many.read(20);
    many.add(300_000);

    assertThat(told).singleElement().asString();
    assertThat(told.get(0))
        .contains("about 20 million samples", "--clickhouse URL --from TIME")
        .doesNotContain("\n");
  }

  @Test
  void samples_fewInTheFiles_areNotTold() throws Exception {
    List<String> told = new ArrayList<>();
    ManySamples many = new ManySamples(files(), told::add);
    for (int read = 0; read < 1_000; read++) {
      many.read(1);
      many.add(4_900);
    }

    assertThat(told).isEmpty();
  }

  private List<Path> files() throws Exception {
    return List.of(
        Files.write(directory.resolve("a"), new byte[400]),
        Files.write(directory.resolve("b"), new byte[600]));
  }
}
