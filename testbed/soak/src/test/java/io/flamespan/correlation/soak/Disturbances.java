/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import io.flamespan.correlation.soak.app.Downstream.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** All disturbances of one process. */
final class Disturbances {
  private static final int WAITING_COMMANDS = 3;

  private final Application application;
  private final Profiler profiler;
  private final SplittableRandom random;
  private final List<Disturbance> all = new ArrayList<>();

  private Disturbances(Application application, Profiler profiler, SplittableRandom random) {
    this.application = application;
    this.profiler = profiler;
    this.random = random;
  }

  static List<Disturbance> of(
      Application application,
      Profiler profiler,
      TemporaryFiles temporary,
      List<CpuLimit> limits,
      SplittableRandom random) {
    Disturbances disturbances = new Disturbances(application, profiler, random);
    disturbances.addProfiler();
    disturbances.addFiles(temporary);
    disturbances.addCommands();
    disturbances.addDownstream();
    disturbances.addProcess(limits);
    return disturbances.all;
  }

  private void addProfiler() {
    all.add(
        new Disturbance("profiler killed", 3, 3000, () -> profiler.stop(true), profiler::start));
    all.add(
        new Disturbance("profiler stopped", 2, 3000, () -> profiler.stop(false), profiler::start));
  }

  private void addFiles(TemporaryFiles temporary) {
    all.add(Disturbance.instant("socket deleted", 2, temporary::deleteSockets));
    all.add(
        new Disturbance(
            "directory unwritable",
            3,
            4000,
            () -> temporary.permit(false),
            () -> temporary.permit(true)));
    if (temporary.canBeFull()) {
      all.add(new Disturbance("disk full", 3, 4000, temporary::fill, temporary::empty));
    }
  }

  private void addCommands() {
    addCommand("flush", 4);
    addCommand("rebuild", 6);
    addCommand("redeploy", 4);
    addCommand("gc 5", 4);
    addCommand("classes 50", 3);
    addCommands("jfr", 2, 3000, "on", "off");
    addCommands("async-profiler", 1, 3000, "cpu", "off");
    addCommands("async-profiler", 1, 3000, "wall", "off");
    addCommands("async-profiler", 1, 3000, "itimer", "off");
  }

  private void addCommand(String command, int weight) {
    all.add(Disturbance.instant(command, weight, () -> ask(command)));
  }

  private void addCommands(String tool, int weight, int maxMillis, String on, String off) {
    all.add(
        new Disturbance(
            tool + ' ' + on,
            weight,
            maxMillis,
            () -> application.ask(tool + ' ' + on),
            () -> application.ask(tool + ' ' + off)));
  }

  /** Skipped while the process is behind, so that slow machines have less to do. */
  private void ask(String command) {
    if (application.unanswered() < WAITING_COMMANDS) {
      application.ask(command);
    }
  }

  private void addDownstream() {
    for (Behaviour behaviour : Behaviour.values()) {
      if (behaviour != Behaviour.OK) {
        all.add(
            new Disturbance(
                "downstream " + behaviour.name().toLowerCase(Locale.ROOT),
                2,
                3000,
                () -> application.ask("downstream " + behaviour),
                () -> application.ask("downstream OK")));
      }
    }
  }

  private void addProcess(List<CpuLimit> limits) {
    long pid = application.pid();
    all.add(
        new Disturbance(
            "process stopped",
            4,
            1500,
            () -> Proc.signal(pid, "STOP"),
            () -> Proc.signal(pid, "CONT")));
    if (application.debuggerPort() != 0) {
      all.add(
          Disturbance.instant(
              "debugger",
              2,
              () -> Debugger.begin(application.debuggerPort(), random.nextLong(100, 1000))));
    }
    for (CpuLimit limit : limits) {
      all.add(
          new Disturbance(
              "CPU limit", 3, 4000, () -> limit.set(random.nextInt(20, 80)), () -> limit.set(0)));
    }
  }
}
