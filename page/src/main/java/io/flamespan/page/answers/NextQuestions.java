/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.results.ThreadResult;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The lines at the end of an answer that name the next question. */
final class NextQuestions {
  private static final int MOST_ATTRIBUTES = 3;
  private static final int ATTRIBUTES = 300; // bytes

  private final Results results;
  private final EndpointNames names;

  NextQuestions(Results results, EndpointNames names) {
    this.results = results;
    this.names = names;
  }

  /** What its requests did for most of their time. */
  static String mostly(EndpointResult endpoint) {
    Parts parts = Parts.of(endpoint.measured());
    String mostly = "CPU";
    long most = parts.nanos(Part.CPU);
    if (parts.waitingNanos() > most) {
      mostly = "waiting";
      most = parts.waitingNanos();
    }
    for (Part part : List.of(Part.STOPPED, Part.READY, Part.THROTTLED, Part.NOT_KNOWN)) {
      if (parts.nanos(part) > most) {
        mostly = part.text();
        most = parts.nanos(part);
      }
    }
    return mostly;
  }

  /** After the endpoints, those with the most time first. */
  void ofEndpoints(Answer answer, List<EndpointResult> sorted) {
    if (sorted.isEmpty()) {
      return;
    }
    EndpointResult first = sorted.get(0);
    answer.line("").line("Next: %s.", explaining(first));
    sorted.stream()
        .max(Comparator.comparingDouble(EndpointResult::meanNanos))
        .filter(slowest -> slowest != first)
        .ifPresent(slowest -> answer.line("The slowest requests: %s.", explaining(slowest)));
    ofOtherCpuTime(answer, sorted.stream().mapToLong(one -> one.tally().cpuNanos()).sum());
  }

  private void ofOtherCpuTime(Answer answer, long ofEndpoints) {
    long received = results.received().cpuNanos();
    long collected = cpuNanos(thread -> thread.name().equals("GC"));
    if (collected * 5 > received) {
      answer.line(
          "Garbage collection used %s %% of all CPU time: `methods --kind alloc`.",
          Answer.percent(collected, received));
    } else if (ofEndpoints * 2 < received) {
      long notSampled = cpuNanos(thread -> thread.name().startsWith(ThreadKey.NOT_SAMPLED));
      answer.line(
          "Most CPU time is %s: %s.",
          notSampled * 2 > received
              ? "of requests that are not sampled"
              : "of no endpoint, as while a JVM starts",
          about("methods", Answers.NO_REQUEST));
    }
  }

  private long cpuNanos(Predicate<ThreadResult> of) {
    return results.threads(Integer.MAX_VALUE).stream()
        .filter(of)
        .mapToLong(thread -> thread.tally().cpuNanos())
        .sum();
  }

  /** The question about an endpoint whose answer explains the most, and the one after it. */
  private String explaining(EndpointResult endpoint) {
    Tally tally = endpoint.tally();
    String name = names.printed(endpoint);
    List<String> questions = new ArrayList<>(List.of("methods", "waiting"));
    if (tally.waitingNanos() > tally.cpuNanos()) {
      Collections.reverse(questions);
    }
    long less = Math.min(tally.cpuNanos(), tally.waitingNanos());
    long most = Math.max(tally.cpuNanos(), tally.waitingNanos());
    return about(questions.get(0), name)
        + (less * 4 > most ? ", then " + about(questions.get(1), name) : "");
  }

  /** After the endpoints that wait, the longest first. */
  void ofWaitingEndpoints(Answer answer, List<EndpointResult> sorted) {
    if (!sorted.isEmpty() && sorted.get(0).tally().waitingNanos() > 0) {
      answer.line("Next: %s.", about("waiting", names.printed(sorted.get(0))));
    }
  }

  /** After the methods of an endpoint. */
  static void ofMethods(Answer answer, String printed, Tally tally, Measure measure) {
    if (measure != Measure.WAIT && tally.waitingNanos() > tally.cpuNanos()) {
      answer.line("Its requests wait for longer than they use CPU: %s.", about("waiting", printed));
    } else if (measure == Measure.CPU && tally.amount(Measure.ALLOC) > 0) {
      answer.line("What allocates: %s.", about("methods --kind alloc", printed));
    }
  }

  /** After the waits of an endpoint. */
  static void ofWaits(Answer answer, String printed, Tally tally, Waits waits) {
    if (waits.isMuch(WaitReasons.JVM)) {
      answer.line(
          "Garbage collection follows from allocation: %s.",
          about("methods --kind alloc", printed));
    }
    if (tally.cpuNanos() >= tally.waitingNanos()) {
      answer.line("Its requests use CPU for longer than they wait: %s.", about("methods", printed));
    }
  }

  /** After what slow requests of all endpoints have more of. */
  static void ofSlowEndpoints(Answer answer, String printed) {
    answer.line("").line("Next: %s.", about("slow", printed));
  }

  /** After the groups of an endpoint: the requests with the first cause, and other groups. */
  static void ofSlow(
      Answer answer,
      String printed,
      String by,
      List<GroupComparison.Row> causes,
      RequestStacks stacks) {
    causes.stream()
        .filter(row -> !row.frame().equals(GroupComparison.NO_OWN))
        .limit(1)
        .forEach(
            row ->
                answer.line(
                    "Its requests: %s.",
                    about(
                        "method --method "
                            + quoted(Answer.name(Callers.withoutTypes(row.frame())))
                            + " --kind "
                            + Kinds.word(row.measure()),
                        printed)));
    List<String> attributes = new ArrayList<>();
    for (String name : Groups.attributes(stacks)) {
      String next = Answer.name(name);
      if (!name.equals(by)
          && attributes.size() < MOST_ATTRIBUTES
          && (attributes.isEmpty() || Answer.size(attributes + next) < ATTRIBUTES)) {
        attributes.add(next);
      }
    }
    if (!attributes.isEmpty()) {
      answer.line(
          "Also by: %s, as %s.",
          String.join(", ", attributes), about("slow --by " + quoted(attributes.get(0)), printed));
    }
  }

  /** As a shell takes it. */
  private static String about(String question, String endpoint) {
    return "`" + question + " --endpoint " + quoted(endpoint) + "`";
  }

  private static String quoted(String name) {
    return "'" + name.replace("'", "'\\''") + "'";
  }
}
