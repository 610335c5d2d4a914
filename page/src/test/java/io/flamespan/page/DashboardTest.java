/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.page.clickhouse.StatementForm;
import io.flamespan.page.clickhouse.Statements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The dashboard for Grafana. */
class DashboardTest {
  private static final Path FILE =
      Path.of("../examples/flame-graphs/clickhouse/grafana/dashboard.json");

  static JsonObject dashboard() throws IOException {
    return JsonParser.parseString(Files.readString(FILE)).getAsJsonObject();
  }

  /** The columns that a panel describes. */
  static List<String> columnsOf(JsonObject panel) {
    List<String> columns = new ArrayList<>();
    for (JsonElement one : panel.getAsJsonObject("fieldConfig").getAsJsonArray("overrides")) {
      columns.add(one.getAsJsonObject().getAsJsonObject("matcher").get("options").getAsString());
    }
    if (panel.get("type").getAsString().equals("flamegraph")) {
      columns.addAll(List.of("level", "value", "self", "label"));
    }
    return columns;
  }

  static String queryOf(String variable) throws IOException {
    for (JsonElement one : dashboard().getAsJsonObject("templating").getAsJsonArray("list")) {
      JsonObject of = one.getAsJsonObject();
      if (of.get("name").getAsString().equals(variable)) {
        return of.getAsJsonObject("query").get("rawSql").getAsString();
      }
    }
    throw new AssertionError("no variable " + variable);
  }

  @Test
  void queries_ofAllPanels_areTheStatementsOfThePage() throws Exception {
    Set<String> names = new HashSet<>();
    for (JsonElement panel : dashboard().getAsJsonArray("panels")) {
      for (JsonElement one : panel.getAsJsonObject().getAsJsonArray("targets")) {
        JsonObject target = one.getAsJsonObject();
        if (target.has("rawSql")) {
          String name = target.get("refId").getAsString();
          names.add(name);
          assertThat(target.get("rawSql").getAsString())
              .as(name + ": make -C examples/flame-graphs grafana-dashboard renews it")
              .isEqualTo(Statements.named(name, StatementForm.GRAFANA));
        }
      }
    }
    assertThat(names)
        .containsExactlyInAnyOrder(
            "parts-of-endpoints",
            "nested-set-of-endpoint",
            "requests-of-endpoint",
            "spans-of-trace",
            "nested-set-of-trace");
  }

  /** Else endpoints of several services with its name would be mixed. */
  @Test
  void endpoint_thatIsClicked_isChosenWithItsService() throws Exception {
    JsonObject endpoints = dashboard().getAsJsonArray("panels").get(0).getAsJsonObject();

    assertThat(endpoints.toString())
        .contains("&var-service=${__data.fields.service:percentencode}&var-endpoint=");
    assertThat(columnsOf(endpoints)).contains("service");
    assertThat(endpoints.toString())
        .as("else a name such as 7 would be a time in the link")
        .containsPattern("\"service\"},\"properties\":\\[\\{\"id\":\"unit\",\"value\":\"string\"");
  }

  @Test
  void lists_ofTheDashboard_areLimited() throws Exception {
    for (String variable : List.of("environment", "service", "endpoint")) {
      assertThat(queryOf(variable)).endsWith(" ORDER BY count() DESC, name LIMIT 1000)");
    }
    assertThat(Statements.named("parts-of-endpoints", StatementForm.GRAFANA))
        .endsWith("\nLIMIT 1000\n");
  }

  @Test
  void panels_ofTheDashboard_doNotOverlap() throws Exception {
    Set<Integer> ids = new HashSet<>();
    Set<List<Integer>> cells = new HashSet<>();
    for (JsonElement one : dashboard().getAsJsonArray("panels")) {
      JsonObject panel = one.getAsJsonObject();
      JsonObject at = panel.getAsJsonObject("gridPos");
      assertThat(ids.add(panel.get("id").getAsInt())).isTrue();
      int left = at.get("x").getAsInt();
      assertThat(left + at.get("w").getAsInt()).isLessThanOrEqualTo(24);
      for (int x = left; x < left + at.get("w").getAsInt(); x++) {
        for (int y = 0; y < at.get("h").getAsInt(); y++) {
          assertThat(cells.add(List.of(x, y + at.get("y").getAsInt()))).isTrue();
        }
      }
    }
  }
}
