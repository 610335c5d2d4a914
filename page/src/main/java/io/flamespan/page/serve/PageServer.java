/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.flamespan.page.answers.Asked;
import io.flamespan.page.input.FileErrors;
import io.flamespan.page.output.ServedPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URLEncoder;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The page over HTTP, which follows a source, and the answers to questions about it. */
public final class PageServer implements AutoCloseable {
  /** The port, if it is free and no other was chosen. */
  public static final int USUAL_PORT = 7390;

  private static final int THREADS = 64;
  private static final int MOST_BODY = 1 << 20; // bytes
  private static final String ANSWERS = "/answers/";
  private static final String FRESH = "<meta http-equiv=refresh content=1>";
  private static final String WAITING =
      "<!DOCTYPE html><html lang=en><meta charset=utf-8>%s<title>Flame graphs</title><p>%s.%s\n";

  static {
    // Seconds until a request has to be there, and until its answer has to be read. Else a client
    // that does neither would hold a thread.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "120");
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer http;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, task -> daemon(task, "http"));
  private final Source source;
  private final Versions versions;
  private final Ranges ranges;
  private final Questions questions;
  private final ServedPage page = new ServedPage();
  private final Access access;
  private final String token;
  private final String program;
  private final String host;

  /**
   * Reads the source for the first time, and begins to listen.
   *
   * @param bind the name or address of a network interface
   * @param port or 0 for any; if empty, the usual one, or any if it is taken
   * @param program the version of the program, for clients
   * @param log receives lines about what cannot be read later
   */
  public PageServer(
      Source source,
      String bind,
      OptionalInt port,
      String token,
      String program,
      Consumer<String> log)
      throws IOException {
    this.token = token;
    this.program = program;
    versions = new Versions(source, random(4), log);
    versions.begin();
    this.source = source;
    InetAddress address = InetAddress.getByName(bind);
    http = listen(address, port);
    host = bind.contains(":") ? "[" + bind + "]" : bind;
    access = new Access(token, host, address, http.getAddress().getPort());
    ranges = new Ranges(source, () -> random(4), log);
    questions = new Questions(source, versions, ranges, Optional.empty());
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
  }

  private static HttpServer listen(InetAddress address, OptionalInt chosen) throws IOException {
    int port = chosen.orElse(USUAL_PORT);
    try {
      return HttpServer.create(new InetSocketAddress(address, port), 0);
    } catch (SocketException e) {
      if (chosen.isEmpty()) {
        return listen(address, OptionalInt.of(0));
      }
      throw new IOException(
          "cannot listen at " + address.getHostAddress() + " port " + port + ": " + e.getMessage());
    }
  }

  /** A token that nobody can guess. */
  public static String randomToken() {
    return random(24);
  }

  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** The address without the token. */
  public String address() {
    return "http://" + host + ":" + http.getAddress().getPort() + "/";
  }

  /** The address that a browser opens. */
  public String addressWithToken() {
    return address() + "?token=" + token;
  }

  /** Follows the source, until the thread is interrupted. */
  public void follow() {
    versions.follow();
  }

  /** Stops listening. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    ranges.close();
  }

  private void handle(HttpExchange one) {
    try {
      Exchange exchange = new Exchange(one);
      Optional<String> refusal = access.refusal(exchange.headers(), exchange.query());
      if (refusal.isPresent()) {
        exchange.refuse(403, refusal.get());
      } else {
        answer(exchange);
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      one.close(); // such as of a client that has gone, or has not read the answer in time
    }
  }

  private void answer(Exchange exchange) throws IOException {
    String path = exchange.path();
    if (path.equals("/mcp")) {
      mcp(exchange);
    } else if (!exchange.isGet()) {
      exchange.with("Allow", "GET, HEAD").refuse(405, "only GET");
    } else if (path.startsWith(ANSWERS)) {
      question(exchange, path.substring(ANSWERS.length()));
    } else {
      switch (path) {
        case "/" -> page(exchange);
        case "/data" -> data(exchange);
        case "/flame-graphs.html" -> file(exchange);
        default -> exchange.refuse(404, "there is nothing at this address");
      }
    }
  }

  /** The token of the address becomes a cookie, so that it is not where others look. */
  private void page(Exchange exchange) throws IOException {
    if (exchange.query().containsKey("token")) {
      String query = exchange.queryWithout("token");
      String location = query.isEmpty() ? "/" : "/?" + query;
      exchange.with("Set-Cookie", access.cookie()).with("Location", location).answer(303);
      return;
    }
    Ranges.Found found = look(exchange);
    Versions.Version version = found.version();
    if (version == null) {
      boolean mayFollow = found.status() != 400 && found.status() != 503;
      String back = chosen(exchange).isPresent() ? "<p><a href='/'>The range of serve</a>" : "";
      exchange.answer(
          200,
          Exchange.HTML,
          WAITING.formatted(mayFollow ? FRESH : "", escaped(found.line()), back));
      return;
    }
    String shown = chosen(exchange).or(source::range).map(PageServer::query).orElse("");
    exchange
        .with("Content-Security-Policy", page.policy() + "; frame-ancestors 'none'")
        .answer(200, Exchange.HTML, out -> page.write(out, version.data(), version.name(), shown));
  }

  private static String query(Source.Range range) {
    return "from="
        + URLEncoder.encode(range.from(), UTF_8)
        + "&amp;to="
        + URLEncoder.encode(range.to(), UTF_8);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static Optional<Source.Range> chosen(Exchange exchange) {
    return Questions.range(exchange.query());
  }

  /** What there is of the range that the address has, or else of the command's. */
  private Ranges.Found look(Exchange exchange) {
    Optional<Source.Range> chosen = chosen(exchange);
    if (chosen.isPresent()) {
      return ranges.ask(exchange.query().getOrDefault("client", ""), chosen.get());
    }
    Versions.Version version = versions.look();
    String failure = versions.failure();
    return version == null
        ? new Ranges.Found(204, null, failure.isEmpty() ? source.nothing() : failure)
        : new Ranges.Found(200, version, failure);
  }

  private void data(Exchange exchange) throws IOException {
    if (exchange.query().containsKey("keep")) {
      chosen(exchange).ifPresent(ranges::keep);
      exchange.answer(204);
      return;
    }
    Ranges.Found found = look(exchange);
    Versions.Version version = found.version();
    if (version != null && !found.line().isEmpty()) {
      exchange.with(
          "Flamespan-Trouble", URLEncoder.encode(found.line(), UTF_8).replace("+", "%20"));
    }
    if (version == null && found.status() != 204) {
      exchange.refuse(found.status(), found.line());
    } else if (version == null || version.name().equals(exchange.query().get("version"))) {
      exchange.answer(204);
    } else {
      exchange
          .with("Flamespan-Version", version.name())
          .answer(200, Exchange.JSON, out -> out.write(version.data()));
    }
  }

  private void file(Exchange exchange) throws IOException {
    Ranges.Found found = look(exchange);
    Versions.Version version = found.version();
    if (version == null) {
      exchange.refuse(503, found.line());
      return;
    }
    exchange
        .with("Content-Disposition", "attachment; filename=\"flame-graphs.html\"")
        .answer(200, Exchange.HTML, out -> page.writeFile(out, version.data()));
  }

  private void question(Exchange exchange, String word) throws IOException {
    if (!Asked.questions().contains(word)) {
      exchange.refuse(404, "the questions are " + String.join(", ", Asked.questions()));
      return;
    }
    Map<String, String> parameters = new HashMap<>(exchange.query());
    parameters.remove("token");
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Optional<String> problem;
    try {
      PrintStream out = new PrintStream(text, true, UTF_8);
      problem = questions.answer(word, parameters, out);
    } catch (IOException e) {
      exchange.refuse(503, FileErrors.line(e));
      return;
    } catch (UncheckedIOException e) {
      exchange.refuse(503, FileErrors.line(e));
      return;
    } catch (RuntimeException e) { // the next question may be answered
      exchange.refuse(500, "this question cannot be answered: " + e);
      return;
    }
    if (problem.isPresent()) {
      exchange.refuse(400, problem.get());
    } else {
      exchange.answer(200, Exchange.MARKDOWN, text.toString(UTF_8));
    }
  }

  /** The Streamable HTTP transport without streams and sessions, as each request has one answer. */
  private void mcp(Exchange exchange) throws IOException {
    String protocol = exchange.headers().getFirst("MCP-Protocol-Version");
    String type = exchange.headers().getFirst("Content-Type");
    if (!exchange.isPost()) {
      exchange.with("Allow", "POST").refuse(405, "only POST");
    } else if (type == null || !type.matches("(?i)application/json\\s*(;.*)?")) {
      exchange.refuse(415, "the Content-Type has to be application/json");
    } else if (protocol != null && !Asked.knowsProtocol(protocol)) {
      exchange.refuse(400, "this version of the protocol is not known");
    } else {
      byte[] body = exchange.body(MOST_BODY);
      if (body == null) {
        exchange.refuse(413, "a message has at most " + MOST_BODY + " bytes");
        return;
      }
      Asked.HttpAnswer answer = Asked.post(questions, program, new String(body, UTF_8), protocol);
      if (answer.json().isEmpty()) {
        exchange.answer(answer.status());
      } else {
        exchange.answer(answer.status(), Exchange.JSON, answer.json());
      }
    }
  }
}
