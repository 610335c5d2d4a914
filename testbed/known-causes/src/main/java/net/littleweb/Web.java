/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package net.littleweb;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A small framework, on the server of the JDK or on Jetty, with filters and a dispatcher. */
public final class Web {
  private static final int THREADS = 8;

  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
  private final List<Filter> filters = new ArrayList<>();

  public Web() {
    filter((query, next) -> next.answer(query.strip()));
    filter((query, next) -> next.answer(query == null ? "" : query));
  }

  public Web filter(Filter filter) {
    filters.add(filter);
    return this;
  }

  public Web on(String path, Endpoint endpoint) {
    Endpoint filtered = endpoint;
    for (Filter filter : filters) {
      Endpoint next = filtered;
      filtered = query -> filter.around(query, next);
    }
    endpoints.put(path, filtered);
    return this;
  }

  /** What endpoints do that are as they should be: a hash of the text. */
  public static String digest(String text) throws Exception {
    byte[] bytes = text.getBytes(UTF_8);
    for (int i = 0; i < 1_000; i++) {
      bytes = MessageDigest.getInstance("SHA-256").digest(bytes);
    }
    return HexFormat.of().formatHex(bytes);
  }

  private String dispatch(String path, String query) throws IOException {
    try {
      return (String)
          Endpoint.class.getMethod("answer", String.class).invoke(endpoints.get(path), query);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  public void onTheJdk() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    for (String path : endpoints.keySet()) {
      server.createContext(
          path,
          exchange -> {
            byte[] body = dispatch(path, exchange.getRequestURI().getQuery()).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
    }
    server.start();
    publish(server.getAddress().getPort());
  }

  public void onJetty() throws Exception {
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    ServletContextHandler context = new ServletContextHandler();
    for (String path : endpoints.keySet()) {
      context.addServlet(new ServletHolder(new Dispatcher(path)), path);
    }
    server.setHandler(context);
    server.start();
    publish(((ServerConnector) server.getConnectors()[0]).getLocalPort());
  }

  private static void publish(int port) throws IOException {
    Path file = Path.of(System.getProperty("example.port.file"));
    Path unfinished = Files.writeString(Path.of(file + ".new"), Integer.toString(port));
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private final class Dispatcher extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final String path;

    Dispatcher(String path) {
      this.path = path;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().write(dispatch(path, request.getQueryString()).getBytes(UTF_8));
    }
  }
}
