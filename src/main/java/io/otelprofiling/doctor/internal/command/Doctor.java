/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Examination;
import io.otelprofiling.doctor.internal.conformance.Conformance;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The command {@code java -jar JAR doctor}: looks at running processes as a profiler does, and
 * reports what is wrong. It does not stop threads or write into the memory of a process.
 */
public final class Doctor {
  static final int FINE = 0;
  static final int FAULT = 1;
  static final int COULD_NOT_LOOK = 2;

  private static final String HALTED =
      "The process is stopped or frozen, so it breaks rules that it keeps while it runs: send it"
          + " SIGCONT, or thaw its cgroup.";

  private final Arguments arguments;
  private final PrintStream out;
  private final PrintStream err;

  private Doctor(Arguments arguments, PrintStream out, PrintStream err) {
    this.arguments = arguments;
    this.out = out;
    this.err = err;
  }

  /** Runs the command and returns its exit status. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    Arguments parsed = new Arguments(arguments);
    if (parsed.help) {
      out.print(Arguments.USAGE);
      return FINE;
    }
    Doctor doctor = new Doctor(parsed, out, err);
    if (!parsed.problem.isEmpty()) {
      return doctor.couldNotLook(parsed.problem + "\n\n" + Arguments.USAGE);
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      return doctor.couldNotLook("The doctor runs only on Linux, because it reads /proc.");
    }
    try {
      return parsed.pid == null
          ? new ProcessTable(out, err, parsed.json).print()
          : doctor.examine(new TargetProcess(parsed.pid));
    } catch (IOException | RuntimeException e) {
      return doctor.couldNotLook(
          (parsed.pid == null ? "/proc" : "Process " + parsed.pid)
              + " cannot be examined ("
              + Report.inOneLine(String.valueOf(e.getMessage()))
              + "). "
              + Right.remedy(
                  new TargetProcess(parsed.pid == null ? 1 : parsed.pid),
                  Right.TRACE,
                  Right.READ_FILES));
    }
  }

  private int examine(TargetProcess process) throws IOException {
    String started = process.startTime();
    String obstacle = process.obstacle();
    if (process.pid == 0 || !process.exists()) {
      return couldNotLook(
          "There is no process "
              + process.pid
              + " here. If it runs in a container, give its PID"
              + " on the host, or run the doctor in the container."
              + (TargetProcess.hidesOthers()
                  ? " It may be hidden, as /proc is mounted with hidepid: run the doctor as root."
                  : ""));
    }
    if (!obstacle.isEmpty()) {
      return couldNotLook(process.pid + " " + obstacle + ".");
    }
    if (arguments.watch) {
      return new Watch(process, out).run();
    }
    if (arguments.conformance && isHalted(process)) {
      return couldNotLook(HALTED);
    }
    Report report = arguments.conformance ? Conformance.of(process) : Examination.of(process);
    if (arguments.conformance && isHalted(process)) {
      return couldNotLook(HALTED);
    }
    // Not after a check of conformance: if a broken message ends the process, that is a finding.
    if (!arguments.conformance && !process.startTime().equals(started)) {
      return couldNotLook("Process " + process.pid + " ended during the examination.");
    }
    out.print(arguments.json ? report.json() + "\n" : report.text());
    return statusOf(report.verdict());
  }

  private static boolean isHalted(TargetProcess process) {
    return process.isStopped() || process.isFrozen();
  }

  static int statusOf(Verdict verdict) {
    return verdict == Verdict.FAULT
        ? FAULT
        : verdict == Verdict.COULD_NOT_LOOK ? COULD_NOT_LOOK : FINE;
  }

  private int couldNotLook(String why) {
    err.println(why);
    if (arguments.json) {
      out.println(Report.jsonOfError(why));
    }
    return COULD_NOT_LOOK;
  }
}
