/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Four clients that each keep a connection to a server open and send one request at a time. */
final class Clients implements AutoCloseable {
  private static final int COUNT = 4;
  private static final String HEADER_END = "\r\n\r\n";
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);
  private static final int TIMEOUT_MILLIS = 10_000;

  private final List<Client> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  Clients(int port, String path) throws IOException {
    for (int i = 0; i < COUNT; i++) {
      clients.add(new Client(port, path));
    }
  }

  /**
   * Sends requests for some time. Returns how many were answered.
   *
   * @param perSecond the rate of all clients together, or 0 for as fast as possible
   */
  long run(int perSecond, long nanos) throws InterruptedException, IOException {
    long begin = System.nanoTime();
    long interval = perSecond == 0 ? 0 : COUNT * TimeUnit.SECONDS.toNanos(1) / perSecond;
    List<Future<Long>> answers = new ArrayList<>();
    for (Client client : clients) {
      long first = begin + answers.size() * interval / COUNT;
      answers.add(threads.submit(() -> client.run(first, interval, begin + nanos)));
    }
    long sum = 0;
    try {
      for (Future<Long> answer : answers) {
        sum += answer.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a client failed", e);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Client client : clients) {
      client.socket.close();
    }
  }

  private static final class Client {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] request;
    private final byte[] answer = new byte[4096];

    Client(int port, String path) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = socket.getInputStream();
      out = socket.getOutputStream();
      request =
          ("GET " + path + " HTTP/1.1\r\nHost: localhost" + HEADER_END)
              .getBytes(StandardCharsets.US_ASCII);
    }

    private long run(long first, long interval, long end) throws IOException {
      long sent = 0;
      for (long next = first; next - end < 0; next += interval) {
        long wait = interval == 0 ? 0 : next - System.nanoTime();
        while (wait > 0) {
          LockSupport.parkNanos(wait);
          wait = next - System.nanoTime();
        }
        if (interval == 0) {
          next = System.nanoTime();
        }
        out.write(request);
        readAnswer();
        sent++;
      }
      return sent;
    }

    private void readAnswer() throws IOException {
      int length = 0;
      int expected = Integer.MAX_VALUE;
      while (length < expected) {
        int read = in.read(answer, length, answer.length - length);
        if (read <= 0) {
          throw new IOException("the server closed the connection, or its answer is too long");
        }
        length += read;
        if (expected == Integer.MAX_VALUE) {
          expected = expectedLength(new String(answer, 0, length, StandardCharsets.ISO_8859_1));
        }
      }
    }

    private static int expectedLength(String start) throws IOException {
      int headerEnd = start.indexOf(HEADER_END);
      if (headerEnd < 0) {
        return Integer.MAX_VALUE;
      }
      Matcher length = LENGTH.matcher(start);
      if (!start.startsWith("HTTP/1.1 200") || !length.find()) {
        throw new IOException("unexpected answer: " + start);
      }
      return headerEnd + HEADER_END.length() + Integer.parseInt(length.group(1));
    }
  }
}
