/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.gate.Row;
import io.flamespan.page.gate.Verdict;
import java.io.IOException;
import java.util.Locale;

/** The verdict of a gate for scripts. Costs are in nanoseconds or bytes, changes are shares. */
final class GateJson {
  private GateJson() {}

  static void write(JsonWriter json, Verdict verdict) throws IOException {
    json.name("gate").beginObject();
    json.name("exitStatus").value(verdict.exitStatus());
    json.name("verdict").value(verdict.status().text());
    json.name("problems").beginArray();
    for (String problem : verdict.problems()) {
      json.value(problem);
    }
    json.endArray();
    json.name("unit").value(verdict.runIsUnit() ? "run" : "request");
    json.name("baselineRuns").value(verdict.runsOfA());
    json.name("runs").value(verdict.runsOfB());
    json.name("runsTakeTurns").value(verdict.runsTakeTurns());
    json.name("warmUpSeconds").value(verdict.leftOutSeconds());
    json.name("warmUpRequests").value(verdict.leftOutRequests());
    number(json, "endSeconds", verdict.endSeconds());
    json.name("lateRequests").value(verdict.lateRequests());
    json.name("rows").beginArray();
    for (Row row : verdict.rows()) {
      write(json, row);
    }
    json.endArray();
    json.name("methods").beginArray();
    for (Verdict.MethodRow method : verdict.methods()) {
      json.beginObject();
      json.name("endpoint").value(method.endpoint());
      json.name("service").value(method.service());
      json.name("kind").value(method.cost().word());
      json.name("method").value(method.method());
      json.name("baseline").value(Math.round(method.a()));
      json.name("now").value(Math.round(method.b()));
      number(json, "plusMinus", method.plusMinus());
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  private static void write(JsonWriter json, Row row) throws IOException {
    json.beginObject();
    json.name("endpoint").value(row.endpoint());
    json.name("service").value(row.service());
    json.name("kind").value(row.cost().word());
    json.name("verdict").value(row.state().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    json.name("needed").value(row.counts());
    json.name("limit").value(row.limit());
    json.name("baselineRequests").value(row.requestsOfA());
    json.name("requests").value(row.requestsOfB());
    json.name("baseline").value(Math.round(row.a()));
    json.name("now").value(Math.round(row.b()));
    number(json, "change", row.change());
    number(json, "changePlusMinus", row.plusMinus());
    if (row.moreRequestsOfA() > 0 || row.moreRequestsOfB() > 0) {
      json.name("moreBaselineRequests").value(row.moreRequestsOfA());
      json.name("moreRequests").value(row.moreRequestsOfB());
    }
    if (row.moreRunsOfA() > 0 || row.moreRunsOfB() > 0) {
      json.name("moreRuns").value(Math.max(row.moreRunsOfA(), row.moreRunsOfB()));
      json.name("moreBaselineRuns").value(row.moreRunsOfA());
      json.name("moreNowRuns").value(row.moreRunsOfB());
    }
    json.endObject();
  }

  /** Writes nothing if it is unknown. */
  private static void number(JsonWriter json, String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.name(name).value(value);
    }
  }
}
