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
 * @param name with # in place of each number, or the name of the requests after {@link
 *     #NOT_SAMPLED}
 */
public record ThreadKey(String process, String name) {
  /** What a name begins with that is of requests, as in the statements for ClickHouse. */
  public static final String NOT_SAMPLED = "not sampled: ";
}
