/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that is reserved and refuses connections, because nobody listens on it. */
final class RefusingPort implements OtlpServer {
  private final Socket bound = new Socket();
  private final String host;

  RefusingPort(String host) {
    this.host = host;
    try {
      bound.bind(new InetSocketAddress(host, 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String url() {
    return "http://" + host + ":" + bound.getLocalPort();
  }

  @Override
  public void close() {
    try {
      bound.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
