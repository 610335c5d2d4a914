/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

/** What holds for the sleep at a socket of the plug-in holds for one of jnr. */
class JnrSocketAwaitTest extends ProfilerSocketAwaitTest {
  @Override
  Sockets sockets() {
    return Sockets.JNR;
  }
}
