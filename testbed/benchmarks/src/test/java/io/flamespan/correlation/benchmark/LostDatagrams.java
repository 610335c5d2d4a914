/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.correlation.internal.config.Settings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * How many correlation messages the kernel refuses because its queue for the plug-in's socket is
 * full, at several rates, for receivers with and without real-time priority. All accepted messages
 * must be on the span.
 */
final class LostDatagrams {
  private static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");
  private static final Path QUEUE_LENGTH = Path.of("/proc/sys/net/unix/max_dgram_qlen");
  private static final List<String> WITHOUT_SYS_NICE =
      List.of("setpriv", "--bounding-set=-sys_nice", "--inh-caps=-all");

  /** In place of a priority: the normal one, and jnr receives. */
  static final String JNR = "jnr";

  private static final int SETTLE_MILLIS = 1_000;
  private static final int SENDER_LIMIT_SECONDS = 30;

  /** The last four arguments of the sender. */
  enum Load {
    PER_SECOND_1000("1000", "1000", "1", "0", "5"),
    PER_SECOND_10000("10000", "10000", "1", "0", "5"),
    PER_SECOND_50000("50000", "50000", "1", "0", "5"),
    BURSTS("bursts", "4", "320", "10", "10");

    private final String name;
    private final List<String> senderArguments;

    Load(String name, String... senderArguments) {
      this.name = name;
      this.senderArguments = List.of(senderArguments);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private LostDatagrams() {}

  static List<Figure> measure(Load load, String priority) throws IOException, InterruptedException {
    String id = "lost-" + load + "-" + priority;
    if (System.getProperty("bench.sender") == null) {
      return List.of(Figure.notMeasured(id, "bench.sender does not name a sender"));
    }
    boolean realTime = priority.equals("real-time");
    List<String> prefix = realTime || !canDropSysNice() ? List.of() : WITHOUT_SYS_NICE;
    List<String> settings = new ArrayList<>(List.of(ChildApp.enabled("true")));
    if (priority.equals(JNR)) {
      settings.add("-D" + Settings.SOCKET_LIBRARY + "=jnr");
    }
    try (ChildApp app = ChildApp.start(prefix, settings, LostDatagrams.class)) {
      String ids = app.readLine();
      Thread.sleep(SETTLE_MILLIS);
      if (new PluginThreads(app.pid()).isAnyRealTime() != realTime) {
        return List.of(
            Figure.notMeasured(
                id,
                realTime
                    ? "no CAP_SYS_NICE here"
                    : "setpriv, which drops CAP_SYS_NICE, is missing"));
      }
      long[] sent = send(app.socket(), ids, load);
      app.writeLine("end");
      long arrived = Long.parseLong(app.readLine());
      if (arrived != sent[0]) {
        throw new AssertionError(
            id + ": the kernel took " + sent[0] + " messages, but the span has " + arrived);
      }
      long attempted = sent[0] + sent[1];
      String detail =
          String.format(
              "%d of %d refused, max_dgram_qlen %s",
              sent[1], attempted, Files.readAllLines(QUEUE_LENGTH).get(0));
      return List.of(Figure.of(id, 100.0 * sent[1] / attempted, "%", detail));
    }
  }

  private static boolean canDropSysNice() throws InterruptedException {
    List<String> command = new ArrayList<>(WITHOUT_SYS_NICE);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // the program is not installed
    }
  }

  /** Sends the messages. Returns how many were accepted and how many were refused. */
  private static long[] send(Path socket, String ids, Load load)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("bench.sender"));
    command.add(socket.toString());
    command.addAll(List.of(ids.split(" ")));
    command.addAll(load.senderArguments);
    Process sender =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    if (!sender.waitFor(SENDER_LIMIT_SECONDS, TimeUnit.SECONDS) || sender.exitValue() != 0) {
      sender.destroyForcibly();
      throw new IOException("the sender failed or did not end");
    }
    String[] words = new String(sender.getInputStream().readAllBytes(), UTF_8).strip().split(" ");
    return new long[] {Long.parseLong(words[1]), Long.parseLong(words[3])};
  }

  /** Runs the application: one local root span, which ends on command. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    BlockingQueue<ReadableSpan> exported = new LinkedBlockingQueue<>();
    Span root = MeasuredSdk.start(exported::add).getTracer("test").spanBuilder("root").startSpan();
    System.out.println(
        root.getSpanContext().getTraceId() + " " + root.getSpanContext().getSpanId());
    new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    root.end();
    List<String> stackTraceIds = exported.take().getAttribute(STACK_TRACE_IDS);
    System.out.println(stackTraceIds == null ? 0 : stackTraceIds.size());
    System.exit(0);
  }
}
