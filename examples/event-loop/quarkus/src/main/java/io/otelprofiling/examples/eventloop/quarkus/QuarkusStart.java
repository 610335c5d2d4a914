/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.quarkus;

import io.otelprofiling.examples.eventloop.work.Work;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The work of the application besides its requests. */
@ApplicationScoped
public class QuarkusStart {

  /** Returns the instance that the endpoints and the event loop share. */
  @Produces
  @Singleton
  Work work() {
    return new Work();
  }

  /**
   * Makes the event loop compute for no request, and writes the port, on which it will soon listen,
   * into the file {@code example.port.file}.
   */
  void started(
      @Observes StartupEvent event,
      Vertx vertx,
      Work work,
      @ConfigProperty(name = "quarkus.http.port") int port,
      @ConfigProperty(name = "example.port.file") String portFile)
      throws IOException {
    vertx.setPeriodic(5, id -> work.serveNobody(2));
    Path unfinished = Path.of(portFile + ".new");
    Files.writeString(unfinished, Integer.toString(port));
    Files.move(unfinished, Path.of(portFile), StandardCopyOption.ATOMIC_MOVE);
  }
}
