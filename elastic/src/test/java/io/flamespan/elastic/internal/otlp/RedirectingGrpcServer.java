/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Redirects each HTTP/2 request, as a proxy in front of a gRPC server may do. Frames are written by
 * hand, because gRPC servers cannot send such a response.
 */
final class RedirectingGrpcServer implements AutoCloseable {
  private static final int PREFACE_LENGTH = 24;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final TakenConnections connections;
  private final int status;
  private final String location;

  RedirectingGrpcServer(String host, int status, String location) {
    this.status = status;
    this.location = location;
    connections = new TakenConnections(host, this::serve);
  }

  String url() {
    return "http://" + connections.authority();
  }

  private void serve(Socket connection) throws IOException {
    DataInputStream in = new DataInputStream(connection.getInputStream());
    DataOutputStream out = new DataOutputStream(connection.getOutputStream());
    in.readNBytes(PREFACE_LENGTH);
    write(out, SETTINGS, 0, 0, new byte[0]);
    while (true) {
      int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      in.readNBytes(length);
      if (type == DATA && (flags & END_STREAM) != 0) {
        write(out, HEADERS, END_STREAM | END_HEADERS, stream, redirect());
      }
    }
  }

  private static void write(DataOutputStream out, int type, int flags, int stream, byte[] payload)
      throws IOException {
    out.write(payload.length >> 16);
    out.writeShort(payload.length);
    out.write(type);
    out.write(flags);
    out.writeInt(stream);
    out.write(payload);
    out.flush();
  }

  /** Literals without indexing, with names from HPACK's static table: 8 and, in two bytes, 46. */
  private byte[] redirect() {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(8);
    text(headers, String.valueOf(status));
    headers.write(15);
    headers.write(46 - 15);
    text(headers, location);
    return headers.toByteArray();
  }

  private static void text(ByteArrayOutputStream headers, String text) {
    headers.write(text.length());
    headers.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    connections.close();
  }
}
