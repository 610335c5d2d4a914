/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.answers;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What can be asked, as a command and as a tool of the Model Context Protocol. */
enum Question {
  ENDPOINTS(
      "CPU time, waiting and durations of each endpoint, and the CPU time of no request. Ask it"
          + " first."),
  METHODS(
      "The methods with the most CPU time, allocation or lock waiting in themselves, of one"
          + " endpoint or of all.",
      "endpoint",
      "kind"),
  REQUEST(
      "One request: the spans of its trace, and its methods with the most CPU time, or another"
          + " kind.",
      "id",
      "kind"),
  COMPARE(
      "The endpoints whose CPU time, or another kind, per request changed against the baseline,"
          + " with errors.",
      "kind"),
  WAITING("The endpoints that wait, or the methods in which one endpoint waits.", "endpoint");

  static final Map<String, String> MEANINGS =
      Map.of(
          "endpoint",
          "the exact name of an endpoint, or " + Answers.NO_REQUEST + " for threads without one",
          "id",
          "a trace id of 32 or a span id of 16 hexadecimal digits",
          "kind",
          "cpu (the default), alloc, lock or wall; endpoints tells which of these were sampled");

  final String description;
  final List<String> parameters;

  Question(String description, String... parameters) {
    this.description = description;
    this.parameters = List.of(parameters);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean needs(String parameter) {
    return parameter.equals("id");
  }

  String answer(Answers answers, Map<String, String> arguments) throws Answers.QuestionException {
    String endpoint = arguments.getOrDefault("endpoint", "");
    String kind = arguments.getOrDefault("kind", "");
    return switch (this) {
      case ENDPOINTS -> answers.endpoints();
      case METHODS -> answers.methods(endpoint, kind);
      case REQUEST -> answers.request(arguments.getOrDefault("id", ""), kind);
      case COMPARE -> answers.compare(kind);
      case WAITING -> answers.waiting(endpoint);
    };
  }
}
