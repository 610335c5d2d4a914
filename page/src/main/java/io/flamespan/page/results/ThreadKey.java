/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/**
 * Threads of a process whose names differ in numbers at most, or all that worked for requests of a
 * name that are not sampled.
 *
 * @param process the service or the program, or the empty string
 * @param name of the threads, or of the requests after {@link #NOT_SAMPLED}, with # in place of
 *     each number
 */
public record ThreadKey(String process, String name) {
  /** What a name begins with that is of requests, as in the statements for ClickHouse. */
  public static final String NOT_SAMPLED = "not sampled: ";

  /** Returns a name with what tells it from an endpoint's. */
  public static String titled(String name) {
    return name.startsWith(NOT_SAMPLED) ? name : "(no request) " + name;
  }
}
