/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The current deployment. All methods except {@link #request} are called by one thread. */
final class Deployments {
  private static final Logger PLUGIN = Logger.getLogger("io.flamespan");

  private final Site site;
  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private DeploymentLoader loader;
  private volatile Deployed present;

  Deployments(Site site) throws Exception {
    this.site = site;
    loader = newLoader();
    deploy();
  }

  void request(int rounds) {
    present.request(rounds);
  }

  void flush() {
    present.flush();
  }

  /** Closes the SDK and builds another one. */
  void rebuild() throws Exception {
    close();
    deploy();
  }

  /** Does the same in a new class loader. */
  void redeploy() throws Exception {
    close();
    DeploymentLoader old = loader;
    loader = newLoader();
    deploy();
    old.close();
    count("deployments", 1);
  }

  void close() throws InterruptedException {
    site.times().end();
    present.close().forEach(this::count);
    count("closes", 1);
  }

  private DeploymentLoader newLoader() throws Exception {
    DeploymentLoader created = new DeploymentLoader();
    loaders.add(new WeakReference<>(created));
    return created;
  }

  private void deploy() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    StartWatch watch = new StartWatch();
    PLUGIN.addHandler(watch);
    try {
      Deployed next = loader.deploy(site, counts.getOrDefault("starts", 0L).intValue());
      if (watch.started) {
        site.times().begin(next);
      } else {
        count("starts.off", 1);
      }
      count("starts", 1);
      present = next;
    } finally {
      PLUGIN.removeHandler(watch);
      thread.setContextClassLoader(before);
    }
  }

  private void count(String name, long number) {
    counts.merge(name, number, Long::sum);
  }

  /** Returns how many class loaders have not been collected. */
  long loaders() {
    loaders.removeIf(loader -> loader.get() == null);
    return loaders.size();
  }

  Map<String, Long> counts() {
    return counts;
  }

  /** Watches for the log line that says that the plug-in is on. */
  private static final class StartWatch extends Handler {
    private volatile boolean started;

    private StartWatch() {
      setLevel(Level.INFO);
    }

    @Override
    public void publish(LogRecord logged) {
      started |= logged.getMessage().startsWith("Flamespan is on");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
