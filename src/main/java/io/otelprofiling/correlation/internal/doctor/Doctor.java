/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor;

import io.otelprofiling.correlation.internal.doctor.check.Examination;
import io.otelprofiling.correlation.internal.doctor.conformance.Conformance;
import io.otelprofiling.correlation.internal.doctor.proc.TargetProcess;
import io.otelprofiling.correlation.internal.doctor.report.Report;
import io.otelprofiling.correlation.internal.doctor.report.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The command {@code java -jar JAR doctor}: looks at running processes from where a profiler looks,
 * and says what is wrong. It stops no thread and writes nothing into a process.
 */
public final class Doctor {
  static final int FINE = 0;
  static final int FAULT = 1;
  static final int COULD_NOT_LOOK = 2;

  private static final String USAGE =
      "java -jar JAR doctor [PID] [--json] [--watch] [--conformance]\n"
          + "\n"
          + "  PID            a process; without it, all Java processes in a table\n"
          + "  --json         the result as JSON\n"
          + "  --watch        what each thread shows, and what arrives, each second\n"
          + "  --conformance  the rules of the protocol, for any process that publishes it;\n"
          + "                 sends messages to its socket, valid ones and broken ones\n"
          + "\n"
          + "Exit status: 0 fine, 1 a fault was found, 2 could not look.\n";

  /** Returns the exit status. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    boolean json = false;
    boolean watch = false;
    boolean conformance = false;
    int pid = 0;
    boolean isNamed = arguments.length > 0 && arguments[0].equals("doctor");
    for (int i = isNamed ? 1 : 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--json")) {
        json = true;
      } else if (argument.equals("--watch")) {
        watch = true;
      } else if (argument.equals("--conformance")) {
        conformance = true;
      } else if (argument.matches("\\d{1,9}") && pid == 0) {
        pid = Integer.parseInt(argument);
      } else if (argument.equals("--help")) {
        out.print(USAGE);
        return FINE;
      } else {
        err.print("Not understood: " + argument + "\n\n" + USAGE);
        return COULD_NOT_LOOK;
      }
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      err.println("The doctor looks through /proc, which Linux has.");
      return COULD_NOT_LOOK;
    }
    try {
      if (pid == 0) {
        return table(json, out, err);
      }
      TargetProcess process = new TargetProcess(pid);
      if (!process.exists()) {
        err.println(
            "There is no process "
                + pid
                + " here. If it is in a container, give its number"
                + " on the host, or run the doctor in the container.");
        return COULD_NOT_LOOK;
      }
      if (watch) {
        return new Watch(process, out).run();
      }
      Report report = conformance ? Conformance.of(process) : Examination.of(process);
      out.print(json ? report.json() + "\n" : report.text());
      return report.verdict() == Verdict.FAULT ? FAULT : FINE;
    } catch (IOException | RuntimeException e) {
      err.println(
          "Process "
              + pid
              + " may not be looked at ("
              + Report.inOneLine(String.valueOf(e.getMessage()))
              + "): run the doctor as root, as the user of the process, or inside its container.");
      return COULD_NOT_LOOK;
    }
  }

  private static int table(boolean json, PrintStream out, PrintStream err) throws IOException {
    List<String> objects = new ArrayList<>();
    int status = FINE;
    List<TargetProcess> processes = TargetProcess.allJava();
    for (TargetProcess process : processes) {
      try {
        Report report = Examination.of(process);
        if (objects.isEmpty() && !json) {
          out.printf("%8s  %-30s %-12s %s%n", "PID", "process", "verdict", "first finding");
        }
        objects.add(report.json());
        status = Math.max(status, report.verdict() == Verdict.FAULT ? FAULT : FINE);
        if (!json) {
          out.println(
              Report.inOneLine(
                  String.format(
                      "%8d  %-30.30s %-12s %s",
                      process.pid, process.name(), report.verdict(), report.headline())));
        }
      } catch (IOException | RuntimeException e) {
        if (!process.exists()) {
          continue;
        }
        err.println(
            Report.inOneLine(
                process.pid + " " + process.name() + ": may not be looked at; run as root"));
        status = COULD_NOT_LOOK;
      }
    }
    if (json) {
      out.println("[" + String.join(",", objects) + "]");
    } else if (processes.isEmpty()) {
      out.println("No Java process is visible here.");
    }
    return status;
  }

  private Doctor() {}
}
