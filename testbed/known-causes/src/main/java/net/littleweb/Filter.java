/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package net.littleweb;

/** What happens around endpoints. */
@FunctionalInterface
public interface Filter {
  String around(String query, Endpoint next) throws Exception;
}
