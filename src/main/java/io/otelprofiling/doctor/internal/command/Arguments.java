/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import org.jspecify.annotations.Nullable;

/** The arguments of the command. Immutable. */
final class Arguments {
  static final String USAGE =
      "java -jar JAR doctor [PID] [--json] [--watch] [--conformance]\n"
          + "\n"
          + "  PID            a process; without it, all Java processes in a table\n"
          + "  --json         the result as JSON\n"
          + "  --watch        what each thread shows, and what arrives, each second\n"
          + "  --conformance  the rules of the protocol, for any process that publishes it;\n"
          + "                 sends messages to its socket, valid ones and broken ones\n"
          + "\n"
          + "Exit status: 0 fine, 1 a fault was found, 2 could not look.\n";

  final boolean json;
  final boolean watch;
  final boolean conformance;
  final boolean help;

  /** The process, or null for all. */
  final @Nullable Integer pid;

  /** What is wrong with the arguments, or "". */
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
        wrong = "Not understood: " + argument;
      }
    }
    if (wrong.isEmpty() && named == null && (hasWatch || hasConformance)) {
      wrong = (hasWatch ? "--watch" : "--conformance") + " needs a PID";
    } else if (wrong.isEmpty() && hasWatch && (hasJson || hasConformance)) {
      wrong = "--watch prints lines until the process ends: leave out the other option";
    }
    json = hasJson;
    watch = hasWatch;
    conformance = hasConformance;
    help = hasHelp;
    pid = named;
    problem = wrong;
  }
}
