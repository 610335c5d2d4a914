/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.springboot;

import io.opentelemetry.context.Context;

/**
 * A possible mistake: the application reads the current context before it runs the {@code
 * SpringApplication}. Then the plug-in starts too late, and warns.
 */
public final class EarlyContext {
  private EarlyContext() {}

  /** Uses the context, then starts the shop. */
  public static void main(String[] args) {
    Context.current();
    Shop.main(args);
  }
}
