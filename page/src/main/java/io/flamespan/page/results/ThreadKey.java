/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/**
 * Threads of a process whose names differ in numbers at most.
 *
 * @param process the service or the program, or the empty string
 * @param name with # in place of each number
 */
public record ThreadKey(String process, String name) {}
