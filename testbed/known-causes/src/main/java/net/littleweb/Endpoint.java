/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package net.littleweb;

/** What a path does; the body of the answer. */
@FunctionalInterface
public interface Endpoint {
  String answer(String query) throws Exception;
}
