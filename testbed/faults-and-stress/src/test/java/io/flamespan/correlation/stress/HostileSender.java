/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import io.flamespan.correlation.testing.NativeProgram;
import io.opentelemetry.api.trace.Span;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The process of {@code hostile_sender.c}. */
final class HostileSender {
  private static final long LIMIT_SECONDS = 300;

  private final Process process;
  private final BufferedWriter commands;
  private final Thread reader;
  private final Map<String, CompletableFuture<List<Sample>>> open = new ConcurrentHashMap<>();
  private final CompletableFuture<Map<String, Long>> totals = new CompletableFuture<>();
  private volatile boolean enough;

  /** A message that the kernel accepted: a stack trace id in hexadecimal digits, and its count. */
  record Sample(String stackTraceId, int count) {}

  static Path compile(Path directory) {
    return NativeProgram.compile(
        "gcc",
        directory.resolve("hostile_sender"),
        "-O2",
        "-Wall",
        "-Werror",
        NativeProgram.source("hostile_sender.c"));
  }

  HostileSender(Path program, Path socket, long datagrams, long seed) throws IOException {
    process =
        new ProcessBuilder(
                program.toString(), socket.toString(), "" + datagrams, Long.toUnsignedString(seed))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    commands = process.outputWriter();
    reader = new Thread(this::readAnswers, "hostile-answers");
    reader.setDaemon(true);
    reader.start();
  }

  /** Returns whether the kernel has accepted as many datagrams as requested. */
  boolean hasEnough() {
    return enough;
  }

  /** Sends messages that name this span. Returns them when all have been sent. */
  CompletableFuture<List<Sample>> open(Span span) throws IOException {
    CompletableFuture<List<Sample>> taken = new CompletableFuture<>();
    open.put(span.getSpanContext().getSpanId(), taken);
    command("open", span);
    return taken;
  }

  /** Sends messages that name this span, which no longer exists. */
  void gone(Span span) throws IOException {
    command("gone", span);
  }

  /** Ends the process. Returns the accepted datagrams by their expected effect. */
  Map<String, Long> end() throws Exception {
    commands.close();
    Map<String, Long> result = totals.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (process.waitFor() != 0) {
      throw new AssertionError("hostile_sender ended with " + process.exitValue());
    }
    reader.join();
    return result;
  }

  void kill() {
    process.destroyForcibly();
  }

  private void command(String name, Span span) throws IOException {
    synchronized (commands) {
      commands.write(
          String.format(
              "%s %s %s\n",
              name, span.getSpanContext().getTraceId(), span.getSpanContext().getSpanId()));
      commands.flush();
    }
  }

  private void readAnswers() {
    Throwable failure = new IOException("hostile_sender has ended");
    try (BufferedReader answers = process.inputReader()) {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        answer(line.split(" "));
      }
    } catch (Throwable e) {
      failure = e;
    }
    enough = true;
    totals.completeExceptionally(failure);
    for (CompletableFuture<?> waiting : open.values()) {
      waiting.completeExceptionally(failure);
    }
  }

  private void answer(String[] words) {
    switch (words[0]) {
      case "enough" -> enough = true;
      case "done" -> {
        List<Sample> samples = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
          String[] sample = words[i].split(":");
          samples.add(new Sample(sample[0], Integer.parseInt(sample[1])));
        }
        open.remove(words[1]).complete(samples);
      }
      case "totals" -> {
        Map<String, Long> numbers = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
          String[] number = words[i].split("=");
          numbers.put(number[0], Long.valueOf(number[1]));
        }
        totals.complete(numbers);
      }
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }
}
