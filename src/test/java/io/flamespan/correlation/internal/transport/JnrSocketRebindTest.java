/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

/** What holds for a lost socket of the plug-in holds for one of jnr. */
class JnrSocketRebindTest extends ProfilerSocketRebindTest {
  @Override
  Sockets sockets() {
    return Sockets.JNR;
  }
}
