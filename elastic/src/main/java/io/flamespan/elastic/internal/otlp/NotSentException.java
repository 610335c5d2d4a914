/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

/** Marks a failure before the first byte of a batch was sent, as a suppressed exception of it. */
final class NotSentException extends Exception {
  private static final long serialVersionUID = 1;

  NotSentException() {
    super("Nothing of the batch was sent", null, false, false);
  }
}
