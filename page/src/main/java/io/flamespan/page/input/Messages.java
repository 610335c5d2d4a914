/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

/** Creates what receives the messages of all files. */
public interface Messages {
  /** A message that is read on any thread, and added on one in the order of the messages. */
  interface Message extends Fields {
    void add(String where);
  }

  Message traces();

  Message profiles();
}
