/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageLimitsTest {
  private static final int MOST_ENDPOINTS = 201;
  private static final long MOST_BYTES = 6_000_000; // of ranges, on a page of 20 MB

  private static PageLimits limits(int endpoints, long requests, int numbers) {
    return PageLimits.of(
        Collections.nCopies(endpoints, new PageLimits.OfBins(requests, numbers)),
        PageLimits.TIME_BINS,
        allKinds());
  }

  private static Tally allKinds() {
    Tally tally = new Tally();
    for (Measure measure : Measure.values()) {
      tally.add(measure, 1, 1);
    }
    return tally;
  }

  @Test
  void chart_ofFewEndpointsOrFewRequests_hasAllBins() {
    int numbers = PartsJson.numbersOfABin(sum());

    assertThat(limits(20, 1_000_000, numbers).timeBins()).isEqualTo(PageLimits.TIME_BINS);
    assertThat(limits(MOST_ENDPOINTS, 10, numbers).timeBins()).isEqualTo(PageLimits.TIME_BINS);
    assertThat(limits(MOST_ENDPOINTS, 1_000_000, 0)).isEqualTo(limits(MOST_ENDPOINTS, 1, 0));
  }

  /** Of requests that each have all parts, by samples, by samples of locks, and exactly. */
  @Test
  void ranges_ofTheLargestPage_haveTheirShareOfIt() throws IOException {
    PageLimits limits = limits(MOST_ENDPOINTS, 1_000_000, PartsJson.numbersOfABin(sum()));

    long ofCells = 40L * limits.sliceCells(); // with the amounts and numbers of all kinds
    long bytes = MOST_ENDPOINTS * (columns(limits.timeBins()).length() + ofCells);

    assertThat(limits.timeBins()).isLessThan(PageLimits.TIME_BINS).isGreaterThanOrEqualTo(30);
    assertThat(bytes).isLessThan(MOST_BYTES);
    assertThat(limits.sliceCells()).isPositive();
  }

  @Test
  void numbersOfABin_areThoseThatAreWritten() throws IOException {
    JsonObject measured =
        JsonParser.parseString(columns(7)).getAsJsonObject().getAsJsonObject("measured");

    long written =
        measured.entrySet().stream()
            .flatMap(row -> row.getValue().getAsJsonObject().entrySet().stream())
            .map(Map.Entry::getValue)
            .mapToLong((JsonElement column) -> column.getAsJsonArray().size())
            .sum();

    assertThat(written).isEqualTo(7L * PartsJson.numbersOfABin(sum()));
  }

  private static String columns(int count) throws IOException {
    Measured[] bins = new Measured[count];
    for (int bin = 0; bin < count; bin++) {
      bins[bin] = sum();
    }
    StringWriter written = new StringWriter();
    try (JsonWriter json = new JsonWriter(written)) {
      json.beginObject();
      PartsJson.ofBins(json, bins);
      json.endObject();
    }
    return written.toString();
  }

  private static Measured sum() {
    Measured sum = Measured.sum();
    sum.add(ofAllParts());
    return sum;
  }

  static Measured ofAllParts() {
    Measured request = new Measured(12_345_678_901L);
    for (Part part : Part.values()) {
      if (part != Part.NOT_KNOWN) {
        request.estimate(part, 12_345, 1_234_567_890L);
        request.exact(part, 1_234_567_890L);
        if (part.isWait()) {
          request.lock(part, 12_345, 1_234_567_890L);
        }
      }
    }
    return request;
  }
}
