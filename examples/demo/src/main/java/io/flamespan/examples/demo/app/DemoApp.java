/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A web shop as a user of OpenTelemetry would write it: traced with the SDK, configured from the
 * environment, and without any knowledge of profilers or of the plug-in.
 *
 * <p>It listens on a free port of the loopback interface; in a container, on all interfaces at the
 * port {@code example.port}. The process that starts the shop can set two more system properties.
 * The shop writes its port into the file {@code example.port.file} when it is ready, and it ends
 * when the process {@code example.owner.pid} ends.
 */
public final class DemoApp {

  private static final int REQUEST_THREADS = 4;
  private static final int HELPER_THREADS = 2;

  private DemoApp() {}

  /** Serves requests until the process is terminated. */
  public static void main(String[] args) throws IOException {
    endWithOwner();
    // Without this, each small response waits for the delayed acknowledgement of the previous one.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    OpenTelemetry openTelemetry = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    HttpServer server = serve(openTelemetry);
    announce(server.getAddress().getPort());
  }

  private static HttpServer serve(OpenTelemetry openTelemetry) throws IOException {
    Tracer tracer = openTelemetry.getTracer("demo-shop");
    ExecutorService helpers = Context.taskWrapping(Executors.newFixedThreadPool(HELPER_THREADS));
    HttpServer server = HttpServer.create(address(), 0);
    server.setExecutor(Executors.newFixedThreadPool(REQUEST_THREADS));
    Routes routes =
        (path, endpoint) ->
            server.createContext(path, new TracedHandler(openTelemetry, tracer, path, endpoint));
    routes.add("/prime", new PrimeEndpoint(tracer));
    routes.add("/json", new JsonEndpoint(tracer));
    routes.add("/hash", new HashEndpoint(tracer));
    routes.add("/sort", new SortEndpoint(tracer, helpers));
    routes.add("/sleep", new SleepEndpoint(tracer));
    server.start();
    return server;
  }

  private static InetSocketAddress address() {
    Integer port = Integer.getInteger("example.port");
    return port == null ? new InetSocketAddress("127.0.0.1", 0) : new InetSocketAddress(port);
  }

  private static void announce(int port) throws IOException {
    System.out.println("The shop answers at http://127.0.0.1:" + port);
    String portFile = System.getProperty("example.port.file");
    if (portFile != null) {
      Path unfinished = Path.of(portFile + ".new");
      Files.writeString(unfinished, Integer.toString(port));
      Files.move(unfinished, Path.of(portFile), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void endWithOwner() {
    Long owner = Long.getLong("example.owner.pid");
    if (owner != null) {
      ProcessHandle.of(owner).ifPresent(process -> process.onExit().thenRun(() -> System.exit(1)));
    }
  }

  private interface Routes {
    void add(String path, Endpoint endpoint);
  }
}
