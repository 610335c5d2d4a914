/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.io.IOException;

/** The protocol with which the application exports. */
enum Protocol {
  HTTP("http/protobuf", HttpRecorder::new),
  GRPC("grpc", GrpcRecorder::new);

  private final String setting;
  private final Opener opener;

  Protocol(String setting, Opener opener) {
    this.setting = setting;
    this.opener = opener;
  }

  /** Returns the value of {@code otel.exporter.otlp.protocol}. */
  String setting() {
    return setting;
  }

  Server open(String host, Recorder recorder) throws IOException {
    return opener.open(host, recorder);
  }

  private interface Opener {
    Server open(String host, Recorder recorder) throws IOException;
  }
}
