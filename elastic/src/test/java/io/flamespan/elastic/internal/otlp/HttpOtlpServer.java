/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** An HTTP/1.1 server on a plain socket, because it must be able to cut responses at any byte. */
final class HttpOtlpServer implements OtlpServer {
  private static final Answer OK = Answer.status(200);

  private final ServerSocket listening;
  private final String host;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<ReceivedExport> received = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  /** Listens on an address of this host, such as 127.0.0.2. */
  HttpOtlpServer(String host) {
    this(host, 0);
  }

  /** Port 0 selects a free port. */
  HttpOtlpServer(String host, int port) {
    this.host = host;
    try {
      listening = new ServerSocket(port, 50, InetAddress.getByName(host));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  @Override
  public String url() {
    return "http://" + host + ":" + port();
  }

  int port() {
    return listening.getLocalPort();
  }

  @Override
  public void answer(Answer... next) {
    answers.addAll(Arrays.asList(next));
  }

  @Override
  public List<ReceivedExport> received() {
    return received;
  }

  int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listening.accept();
        if (listening.isClosed()) {
          connection.close();
          return;
        }
        connections.add(connection);
        start(() -> serve(connection));
      }
    } catch (IOException e) {
      // The server is closed.
    }
  }

  /** Resets the connection only once others are refused, because closing takes a moment. */
  private void die(Socket connection) throws IOException {
    SocketAddress address = listening.getLocalSocketAddress();
    listening.close();
    connection.setSoLinger(true, 0);
    while (true) {
      try (Socket probe = new Socket()) {
        probe.connect(address);
      } catch (ConnectException e) {
        connection.close();
        return;
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "otlp-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket connection) {
    try {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      while (true) {
        received.add(read(in));
        Answer next = answers.poll();
        if (next == Answer.DEATH) {
          die(connection);
          return;
        }
        if (!write(connection, next == null ? OK : next)) {
          return;
        }
      }
    } catch (IOException e) {
      // The client or the server has closed the connection.
    }
  }

  private static ReceivedExport read(InputStream in) throws IOException {
    String path = line(in).split(" ")[1];
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String[] header = line.split(":", 2);
      headers.merge(
          header[0].toLowerCase(Locale.ROOT), header[1].trim(), (one, two) -> one + ", " + two);
    }
    byte[] body = body(in, headers);
    if ("gzip".equals(headers.get("content-encoding"))) {
      body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
    }
    return new ReceivedExport(path, headers, body);
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    if (headers.containsKey("transfer-encoding")) {
      return chunks(in);
    }
    return bytes(in, Integer.parseInt(headers.getOrDefault("content-length", "0")));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(in), 16);
      body.write(bytes(in, length));
      line(in);
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private static byte[] bytes(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException();
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  /** Returns whether the connection can be used further. */
  private static boolean write(Socket connection, Answer answer) throws IOException {
    switch (answer.kind()) {
      case NONE:
        return false; // it stays open
      case RESET:
        connection.setSoLinger(true, 0);
        connection.close();
        return false;
      default:
        boolean half = answer.kind() == Answer.Kind.HALF;
        String head =
            "HTTP/1.1 "
                + answer.status()
                + " Answer\r\n"
                + (answer.header() == null ? "" : answer.header() + "\r\n")
                + "Content-Type: application/x-protobuf\r\nContent-Length: "
                + (half ? "20\r\n\r\n0123456789" : "0\r\n\r\n");
        connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        connection.getOutputStream().flush();
        if (half) {
          connection.close();
        }
        return !half;
    }
  }
}
