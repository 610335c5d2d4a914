/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Conformance;
import io.otelprofiling.doctor.internal.check.Examination;
import io.otelprofiling.doctor.internal.check.Report;
import io.otelprofiling.doctor.internal.check.Verdict;
import io.otelprofiling.doctor.internal.proc.CouldNotLookException;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line. Exit status: 0 without a fault, 1 with one, 2 if it could not look. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Says whether a running process is correlated with profiles and, if not, why.",
    footer = "%nExit status: 0 without a fault, 1 with one, 2 if the doctor could not look.",
    customSynopsis = "java -jar otel-profiling-correlation-doctor-VERSION.jar [PID] [OPTION...]")
public final class Doctor implements Callable<Integer> {
  static final int FINE = 0;
  static final int FAULT = 1;
  static final int COULD_NOT_LOOK = 2;

  /** An examination ends in time; what hangs before it, such as its name, ends here. */
  private static final int LIMIT_MILLIS = 14_000;

  private static final int LAST_MILLIS = 15_000;

  @Parameters(
      arity = "0..1",
      paramLabel = "PID",
      description = "Examine this process; without it, list all Java processes.")
  private @Nullable Integer pid;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Option(
      names = "--watch",
      description = "Print each second what each thread shows, and how many messages arrive.")
  private boolean watch;

  @Option(
      names = "--conformance",
      description =
          "Check the rules of the protocol, in any process that implements it; sends valid and"
              + " broken messages to its socket.")
  private boolean conformance;

  /** Runs the command and returns its exit status. */
  public static int run(String[] arguments) {
    Doctor doctor = new Doctor();
    CommandLine command = new CommandLine(doctor);
    command.getCommandSpec().version(Doctor.class.getPackage().getImplementationVersion());
    command.setParameterExceptionHandler(
        (e, wrong) -> {
          doctor.json = String.join(" ", wrong).contains("--json");
          int status = doctor.couldNotLook(String.valueOf(e.getMessage()));
          e.getCommandLine().usage(System.err);
          return status;
        });
    return command.execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (pid == null && (watch || conformance)) {
      return couldNotLook((watch ? "--watch" : "--conformance") + " needs a PID");
    }
    if (watch && (json || conformance)) {
      return couldNotLook("--watch prints lines until the process ends: omit the other option");
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      return couldNotLook("The doctor runs only on Linux, because it reads /proc.");
    }
    Integer number = pid;
    String what = number == null ? "/proc" : "Process " + number;
    try {
      Future<Integer> status =
          Deadline.start(
              "doctor", () -> number == null ? new ProcessTable(json).print() : examine(number));
      return watch || conformance ? status.get() : status.get(LAST_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return couldNotLook(what + " does not answer: reading it takes longer than 15 s.");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      Object said = cause instanceof IOException ? cause.getMessage() : cause;
      String why = Report.inOneLine(String.valueOf(said));
      return couldNotLook(
          cause instanceof CouldNotLookException
              ? why
              : what + " cannot be examined (" + why + "). " + TargetProcess.RIGHTS);
    }
  }

  private int examine(int number) throws IOException {
    TargetProcess process = new TargetProcess(number);
    process.checkIsRunning();
    if (watch) {
      return new Watch(process).run();
    }
    Report report =
        conformance ? Conformance.of(process) : Examination.of(process, new Deadline(LIMIT_MILLIS));
    System.out.print(json ? report.json() + "\n" : report.text());
    return statusOf(report.verdict());
  }

  static int statusOf(Verdict verdict) {
    return verdict == Verdict.FAULT
        ? FAULT
        : verdict == Verdict.COULD_NOT_LOOK ? COULD_NOT_LOOK : FINE;
  }

  private int couldNotLook(String why) {
    System.err.println(why);
    if (json) {
      System.out.println(Report.jsonOfError(why));
    }
    return COULD_NOT_LOOK;
  }
}
