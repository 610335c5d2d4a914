/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

/** What holds for the plug-in's receiver holds for that of jnr. */
class JnrWorkerTest extends WorkerTest {
  @Override
  Sockets sockets() {
    return Sockets.JNR;
  }
}
