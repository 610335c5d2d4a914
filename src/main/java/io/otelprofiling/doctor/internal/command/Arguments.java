/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import org.jspecify.annotations.Nullable;

/** The arguments of the {@code doctor} command. Immutable. */
final class Arguments {
  static final String USAGE =
      "java -jar JAR doctor [PID] [--json] [--watch] [--conformance]\n"
          + "\n"
          + "  PID            examine this process; without it, list all Java processes\n"
          + "  --json         print the result as JSON\n"
          + "  --watch        print each second what each thread shows, and how many messages\n"
          + "                 arrive\n"
          + "  --conformance  check the rules of the protocol, in any process that implements it;\n"
          + "                 sends valid and broken messages to its socket\n"
          + "\n"
          + "Exit status: 0 without a fault, 1 with one, 2 if the doctor could not look.\n";

  final boolean json;
  final boolean watch;
  final boolean conformance;
  final boolean help;

  /** The process id, or null for all processes. */
  final @Nullable Integer pid;

  /** The first problem of the arguments, or "". */
  final String problem;

  Arguments(String[] arguments) {
    boolean hasJson = false;
    boolean hasWatch = false;
    boolean hasConformance = false;
    boolean hasHelp = false;
    Integer named = null;
    String wrong = "";
    boolean isNamed = arguments.length > 0 && arguments[0].equals("doctor");
    for (int i = isNamed ? 1 : 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--json")) {
        hasJson = true;
      } else if (argument.equals("--watch")) {
        hasWatch = true;
      } else if (argument.equals("--conformance")) {
        hasConformance = true;
      } else if (argument.matches("--help|-h")) {
        hasHelp = true;
      } else if (argument.matches("\\d{1,9}") && named == null) {
        named = Integer.valueOf(argument);
      } else if (wrong.isEmpty()) {
        wrong = "Unknown argument: " + argument;
      }
    }
    if (wrong.isEmpty() && named == null && (hasWatch || hasConformance)) {
      wrong = (hasWatch ? "--watch" : "--conformance") + " needs a PID";
    } else if (wrong.isEmpty() && hasWatch && (hasJson || hasConformance)) {
      wrong = "--watch prints lines until the process ends: omit the other option";
    }
    json = hasJson;
    watch = hasWatch;
    conformance = hasConformance;
    help = hasHelp;
    pid = named;
    problem = wrong;
  }
}
