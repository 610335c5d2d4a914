/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

/**
 * The verdict on a cost of an endpoint, or of one of its methods.
 *
 * @param limit as a share
 * @param a the mean of a request on side A, in nanoseconds or bytes
 * @param change as a share of A; infinite if A costs nothing, NaN if neither does
 * @param plusMinus see {@link Effect#plusMinus}
 * @param counts whether the verdict needs enough requests of this row
 * @param moreRequestsOfA how many more are needed; 0 if none, negative if unknown
 * @param moreRunsOfA how many more are needed; 0 if none, or if more requests do
 */
public record Row(
    Cost cost,
    String endpoint,
    String service,
    double limit,
    long requestsOfA,
    long requestsOfB,
    double a,
    double b,
    double change,
    double plusMinus,
    State state,
    boolean counts,
    long moreRequestsOfA,
    long moreRequestsOfB,
    int moreRunsOfA,
    int moreRunsOfB) {

  /** What is certain. */
  public enum State {
    /** Dearer for certain, and perhaps by the limit. */
    DEARER("dearer"),

    /** Neither. */
    NOT_ENOUGH("not enough"),

    /** Not dearer by the limit. */
    WITHIN("within the limit");

    private final String text;

    State(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Whether it may be that nothing changed. */
  public boolean isNoise() {
    return !(Math.abs(change) > plusMinus);
  }
}
