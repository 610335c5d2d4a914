/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The endpoints by how much of a kind a request has, before and now. */
final class ChangedEndpoints {
  private final Measure measure;
  private final Comparison comparison;
  private final EndpointNames names;

  ChangedEndpoints(Measure measure, Comparison comparison, EndpointNames names) {
    this.measure = measure;
    this.comparison = comparison;
    this.names = names;
  }

  /** The table, with what was received now, and before. */
  Answer answer(Tally received) {
    List<EndpointChange> changes = new ArrayList<>(comparison.changes());
    if (measure != Measure.CPU) {
      changes.sort(Comparator.comparingDouble(one -> -Math.abs(one.impact(measure))));
    }
    String amount = Kinds.column(measure);
    String unit = Answer.unit(measure);
    Answer answer =
        new Answer()
            .line(
                "Endpoints by their change: %s per request, the baseline first. ± is what chance",
                Kinds.title(measure))
            .line("may do. A difference within it is noise.")
            .line("")
            .line(
                "| endpoint | service | requests | requests | %s | %s | difference %s | ± %s | |",
                amount, amount, unit, unit)
            .line("| --- | --- | --: | --: | --: | --: | --: | --: | --- |");
    List<String> rows = new ArrayList<>();
    for (EndpointChange change : changes) {
      double difference = change.perRequest(measure);
      double plusMinus = change.plusMinus(measure);
      String verdict =
          !change.kind().equals("both")
              ? change.kind()
              : change.isChance(measure) ? "noise" : difference > 0 ? "more" : "less";
      rows.add(
          Answer.row(
              names.printed(change.name(), change.service()),
              Answer.name(change.service()),
              requests(change.before()),
              requests(change.now()),
              perRequest(change.before(), measure),
              perRequest(change.now(), measure),
              String.format(Locale.ROOT, "%+.3f", difference / 1e6),
              Double.isNaN(plusMinus) ? "unknown" : Answer.millions(plusMinus),
              difference == 0 ? "same" : verdict));
    }
    String text =
        String.format(
            Locale.ROOT,
            "%s received: %s, then %s.",
            amount,
            Answer.millions(comparison.baseline().received().amount(measure)),
            Answer.millions(received.amount(measure)));
    int shown = answer.rows(rows, new Answer().line("%s", text));
    return answer
        .line("")
        .line("Left out: %d endpoints, which changed less. %s", rows.size() - shown, text);
  }

  private static String requests(@Nullable EndpointResult endpoint) {
    return endpoint == null ? "–" : String.valueOf(endpoint.requests());
  }

  private static String perRequest(@Nullable EndpointResult endpoint, Measure measure) {
    return endpoint == null
        ? "–"
        : Answer.millions((double) endpoint.tally().amount(measure) / endpoint.requests());
  }
}
