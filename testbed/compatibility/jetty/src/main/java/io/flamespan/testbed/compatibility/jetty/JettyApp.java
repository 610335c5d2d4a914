/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.jetty;

import io.flamespan.testbed.compatibility.workload.Workload;
import java.nio.file.Path;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * Jetty with one or more web applications, each in a separate class loader. The arguments are a
 * directory for temporary files, the web application's directory, the kind of threads that serve it
 * ({@code platform} or {@code virtual}), and the paths at which it is deployed.
 */
public final class JettyApp {
  private JettyApp() {}

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) throws Exception {
    Server server =
        new Server(
            arguments[2].equals("virtual") ? new VirtualThreadPool() : new QueuedThreadPool(12));
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ContextHandlerCollection applications = new ContextHandlerCollection();
    for (int i = 3; i < arguments.length; i++) {
      WebAppContext application = new WebAppContext();
      application.setContextPath(arguments[i]);
      application.setWar(arguments[1]);
      application.setTempDirectory(Path.of(arguments[0], "jetty" + i).toFile());
      applications.addHandler(application);
    }
    server.setHandler(applications);
    server.start();
    Workload.listensOn(connector.getLocalPort());
    server.join();
  }
}
