/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.command;

import io.flamespan.doctor.internal.check.Checks;
import io.flamespan.doctor.internal.check.Conformance;
import io.flamespan.doctor.internal.check.Report;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line. Exit status: 0 without a fault, 1 with one, 2 if it could not look. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    exitCodeOnExecutionException = 2,
    description = "Says whether a running process is correlated with profiles and, if not, why.",
    footer = "%nExit status: 0 without a fault, 1 with one, 2 if the doctor could not look.",
    customSynopsis = "java -jar flamespan-doctor-VERSION.jar [PID] [OPTION...]")
public final class Doctor implements Callable<Integer> {
  /**
   * For an examination, and for what hangs before it, such as the name of the process. Ten times
   * what the doctor takes where CPUs are free.
   */
  static final int LIMIT_MILLIS = 55_000;

  static final int LAST_MILLIS = 60_000;

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

  /** Runs the command, maybe in a second JVM, and ends this one. */
  public static void main(String[] arguments) throws Exception {
    int status = OwnJvm.isAsMeant() ? run(arguments) : OwnJvm.runAsMeant(arguments);
    System.out.flush();
    // Not exit: a thread that hangs in the file system of a process must not keep this one alive.
    Runtime.getRuntime().halt(status);
  }

  private static int run(String[] arguments) {
    Doctor doctor = new Doctor();
    CommandLine command = new CommandLine(doctor);
    command.getCommandSpec().version(Doctor.class.getPackage().getImplementationVersion());
    command.setParameterExceptionHandler(
        (e, wrong) -> {
          doctor.json = String.join(" ", wrong).contains("--json");
          int status = doctor.print(new Report(String.valueOf(e.getMessage())));
          e.getCommandLine().usage(System.err);
          return status;
        });
    return command.execute(arguments);
  }

  @Override
  public Integer call() {
    String obstacle =
        pid == null && (watch || conformance)
            ? (watch ? "--watch" : "--conformance") + " needs a PID"
            : watch && (json || conformance)
                ? "--watch prints lines until the process ends: omit the other option"
                : System.getProperty("os.name").equals("Linux")
                    ? ""
                    : "The doctor runs only on Linux, because it reads /proc.";
    if (!obstacle.isEmpty()) {
      return print(new Report(obstacle));
    }
    Integer number = pid;
    String what = number == null ? "/proc" : "Process " + number;
    try {
      return Deadline.result(
          Deadline.start(
              "doctor", () -> number == null ? new ProcessTable(json).print() : examine(number)),
          number == null || watch || conformance ? Long.MAX_VALUE : LAST_MILLIS);
    } catch (InterruptedIOException e) {
      return print(new Report(what + " does not answer: reading it takes longer than a minute."));
    } catch (IOException | IllegalStateException e) {
      return print(
          new Report(
              what + " cannot be examined (" + e.getMessage() + "). " + TargetProcess.RIGHTS));
    }
  }

  private int examine(int number) throws IOException {
    TargetProcess process = new TargetProcess(number);
    String obstacle = process.obstacle();
    return obstacle.isEmpty() && watch
        ? new Watch(process).run()
        : print(
            !obstacle.isEmpty()
                ? new Report(obstacle)
                : conformance
                    ? Conformance.of(process)
                    : Checks.examine(process, new Deadline(LIMIT_MILLIS), Checks.ALL));
  }

  private int print(Report report) {
    boolean isComplete = report.obstacle.isEmpty();
    (isComplete ? System.out : System.err).print(isComplete && json ? "" : report.text());
    System.out.print(json ? report.json() + "\n" : "");
    return report.verdict().status;
  }
}
