/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.tomcat;

import io.flamespan.testbed.compatibility.workload.Workload;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * Tomcat with one or more web applications, each in a separate class loader. The arguments are
 * Tomcat's directory, the web application's directory, the kind of threads that serve it ({@code
 * platform} or {@code virtual}), and the paths at which it is deployed. The system property {@code
 * example.shared} is a folder of libraries for all web applications.
 */
public final class TomcatApp {
  private TomcatApp() {}

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) throws LifecycleException, MalformedURLException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[0]);
    tomcat.setPort(0);
    Connector connector = tomcat.getConnector();
    connector.setProperty("address", "127.0.0.1");
    if (arguments[2].equals("virtual")) {
      connector.getProtocolHandler().setExecutor(new VirtualThreadExecutor("tomcat-"));
    }
    File[] shared = new File(System.getProperty("example.shared", "")).listFiles();
    if (shared != null) {
      URL[] libraries = new URL[shared.length];
      for (int i = 0; i < shared.length; i++) {
        libraries[i] = shared[i].toURI().toURL();
      }
      tomcat.getEngine().setParentClassLoader(new URLClassLoader(libraries));
    }
    for (int i = 3; i < arguments.length; i++) {
      tomcat.addWebapp(arguments[i], Path.of(arguments[1]).toAbsolutePath().toString());
    }
    tomcat.start();
    Workload.listensOn(connector.getLocalPort());
    tomcat.getServer().await();
  }
}
