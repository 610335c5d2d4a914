/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.List;

/**
 * The verdict of a gate.
 *
 * @param problems why the sides cannot be compared
 * @param rows the dearer ones first, then those without enough requests
 * @param methods what made endpoints dearer
 * @param runIsUnit whether runs are compared, or requests within one run of each side
 * @param runsAreTaken whether it is taken, not known, how much runs of the same code differ
 * @param runsTakeTurns see {@link Sides#takeTurns}
 * @param leftOutSeconds of each process, as warm-up
 * @param leftOutRequests in this time
 * @param endSeconds of each process, after which some run has no requests; infinite if it has those
 *     of all
 * @param lateRequests after this time
 */
public record Verdict(
    List<String> problems,
    List<Row> rows,
    List<MethodRow> methods,
    boolean runIsUnit,
    boolean runsAreTaken,
    boolean runsTakeTurns,
    int runsOfA,
    int runsOfB,
    double leftOutSeconds,
    long leftOutRequests,
    double endSeconds,
    long lateRequests,
    long requests) {

  /**
   * A method of a dearer endpoint.
   *
   * @param a what a request has in it and in the libraries that it calls, in nanoseconds or bytes
   * @param plusMinus of the difference; NaN if A has nothing
   */
  public record MethodRow(
      Cost cost,
      String endpoint,
      String service,
      String method,
      double a,
      double b,
      double plusMinus) {}

  /** The exit status, which is public. */
  public enum Status {
    PASSED("not dearer"),
    DEARER("dearer"),
    NOT_ENOUGH("not enough requests"),
    NOT_COMPARABLE("cannot be compared");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  public Status status() {
    if (!problems.isEmpty()) {
      return Status.NOT_COMPARABLE;
    }
    if (rows.stream().anyMatch(row -> row.state() == Row.State.DEARER)) {
      return Status.DEARER;
    }
    return rows.stream().anyMatch(row -> row.counts() && row.state() == Row.State.NOT_ENOUGH)
        ? Status.NOT_ENOUGH
        : Status.PASSED;
  }

  /** 0 to 3, in the order of {@link Status}. */
  public int exitStatus() {
    return status().ordinal();
  }
}
