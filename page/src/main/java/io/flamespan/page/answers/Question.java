/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.gate.Rules;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What can be asked, as a command and as a tool of the Model Context Protocol. */
enum Question {
  ENDPOINTS(
      "Durations, CPU time and waiting of each endpoint, the CPU time of no request, and which"
          + " question explains the slow ones. Ask it first."),
  METHODS(
      "The methods with the most CPU time, allocation or waiting, of one endpoint or of all. Own"
          + " names the code to change: it includes the library code that a method calls.",
      "endpoint",
      "kind",
      "sort",
      "package"),
  REQUEST(
      "One request: the spans of its trace, and its methods with the most CPU time, or another"
          + " kind.",
      "id",
      "kind",
      "sort",
      "package"),
  COMPARE(
      "The endpoints whose CPU time, or another kind, per request changed against the baseline,"
          + " with errors; with an endpoint, its methods that changed; with fail-above, whether any"
          + " became dearer for certain.",
      "endpoint",
      "kind",
      "sort",
      "package",
      "fail-above",
      "allow",
      "warm-up"),
  WAITING(
      "The endpoints that wait, or why and in which own methods one endpoint waits.",
      "endpoint",
      "package"),
  SLOW(
      "What the slowest requests of an endpoint do more of than its typical ones, with errors; or"
          + " those with a value of a span's attribute. Without an endpoint, of each.",
      "endpoint",
      "by",
      "group",
      "kind",
      "package"),
  METHOD(
      "One method: the requests that have the most of it, and when.", "method", "endpoint", "kind");

  static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry(
              "by",
              "what requests are grouped by: duration (the default), a part of it such as lock, io"
                  + " or stopped, or the name of an attribute of their spans"),
          Map.entry(
              "group", "p50, p90 or p99, for the requests above it, or a value of the attribute"),
          Map.entry("method", "the name of a method as an answer prints it"),
          Map.entry(
              "endpoint",
              "the name of an endpoint as an answer prints it, also followed by ' of ' and its"
                  + " service, or "
                  + Answers.NO_REQUEST
                  + " for threads without one"),
          Map.entry("id", "a trace id of 32 or a span id of 16 hexadecimal digits"),
          Map.entry(
              "kind",
              "cpu (the default, but slow shows cpu and waits, and method the largest), alloc, lock"
                  + " or wall; endpoints tells which of these were sampled; with fail-above, also"
                  + " duration, or several, separated by commas"),
          Map.entry("fail-above", "limits, one a line: 5%, or of one endpoint 'GET /sort=2%'"),
          Map.entry(
              "allow",
              "with fail-above, differences that do not matter, separated by commas: "
                  + Rules.differences()),
          Map.entry(
              "warm-up",
              "with fail-above, what is left out of each process: 30s, or 10%; by default 30 s, or a"
                  + " quarter of the shortest run"),
          Map.entry("sort", "own (the default), self or total"),
          Map.entry(
              "package",
              "the packages of the application's own code, separated by commas, such as"
                  + " com.example; by default all but the JDK, servers and libraries"));

  private static final String LIMITS = "fail-above";

  final String description;

  @SuppressWarnings("ImmutableEnumChecker") // List.of made it
  final List<String> parameters;

  Question(String description, String... parameters) {
    this.description = description;
    this.parameters = List.of(parameters);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean needs(String parameter) {
    return parameter.equals("id") || parameter.equals("method");
  }

  String answer(Answers answers, Map<String, String> arguments) throws Answers.QuestionException {
    String endpoint = arguments.getOrDefault("endpoint", "");
    String kind = arguments.getOrDefault("kind", "");
    String sort = arguments.getOrDefault("sort", "");
    String packages = arguments.getOrDefault("package", "");
    for (String argument : arguments.keySet()) {
      if (!parameters.contains(argument)) {
        throw new Answers.QuestionException(
            word() + " has no argument " + Answer.name(argument) + "; " + known());
      }
    }
    return switch (this) {
      case ENDPOINTS -> answers.endpoints();
      case METHODS -> answers.methods(endpoint, kind, sort, packages);
      case REQUEST -> answers.request(arguments.getOrDefault("id", ""), kind, sort, packages);
      case COMPARE -> {
        checkGate(arguments);
        yield isGiven(LIMITS, arguments)
            ? answers.gate(
                arguments.getOrDefault(LIMITS, ""),
                kind,
                arguments.getOrDefault("allow", ""),
                arguments.getOrDefault("warm-up", ""))
            : answers.compare(endpoint, kind, sort, packages);
      }
      case WAITING -> answers.waiting(endpoint, packages);
      case SLOW ->
          answers.slow(
              endpoint,
              arguments.getOrDefault("by", ""),
              arguments.getOrDefault("group", ""),
              kind,
              packages);
      case METHOD -> answers.method(arguments.getOrDefault("method", ""), endpoint, kind);
    };
  }

  private static void checkGate(Map<String, String> arguments) throws Answers.QuestionException {
    boolean gate = isGiven(LIMITS, arguments);
    for (String one : gate ? List.of("endpoint", "sort", "package") : List.of("allow", "warm-up")) {
      if (isGiven(one, arguments)) {
        throw new Answers.QuestionException(
            one + (gate ? " does not go with fail-above" : " needs fail-above"));
      }
    }
  }

  /** Some clients send every property. */
  private static boolean isGiven(String argument, Map<String, String> arguments) {
    return !arguments.getOrDefault(argument, "").isEmpty();
  }

  private String known() {
    return parameters.isEmpty() ? "it has none" : "it has " + String.join(", ", parameters);
  }
}
