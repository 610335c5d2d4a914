/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

/**
 * What a query may take of the server.
 *
 * @param memoryMegabytes 0 for the server's own limit
 */
public record Limits(int seconds, long memoryMegabytes) {}
