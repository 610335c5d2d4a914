/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.quarkus;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The work of the application besides its requests. */
@ApplicationScoped
public class QuarkusStart {

  /** Returns the instance that the endpoints and the event loop share. */
  @Produces
  @Singleton
  Workload workload() {
    return new Workload();
  }

  /**
   * Lets the event loop compute for no request, and writes the port, on which it will listen soon,
   * into the file {@code example.port.file}.
   */
  void started(
      @Observes StartupEvent event,
      Vertx vertx,
      Workload workload,
      @ConfigProperty(name = "quarkus.http.port") int port) {
    vertx.setPeriodic(5, id -> workload.serveNobody(2));
    Workload.listensOn(port);
  }
}
