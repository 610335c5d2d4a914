/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.gate.Rules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The arguments of the command line. */
record Arguments(
    List<Path> inputs,
    List<Path> baseline,
    Path output,
    Optional<ClickHouseArguments> clickHouse,
    Optional<Rules> gate) {
  static final String FAIL_ABOVE = "--fail-above";
  static final String KIND = "--kind";
  private static final String BASELINE = "--baseline";
  private static final String NOW = "--now";
  private static final String ALLOW = "--allow";
  private static final String WARM_UP = "--warm-up";

  static final String USAGE =
      """
      usage: java -jar PAGE.jar [--out DIRECTORY] [--baseline FILE_OR_DIRECTORY]...
               FILE_OR_DIRECTORY...
             java -jar PAGE.jar [--out DIRECTORY] --clickhouse URL --from TIME [--to TIME]
               [--service NAME] [--baseline-from TIME --baseline-to TIME] [--time-limit SECONDS]
               [--memory-limit MB] [--traces-table NAME] [--profiles-table NAME] [--sums]
             java -jar PAGE.jar [compare] --fail-above [ENDPOINT=]PERCENT%... [--kind KINDS]
               [--warm-up TIME] [--allow DIFFERENCES] [--out DIRECTORY]
               --baseline RUN... --now RUN...
             java -jar PAGE.jar QUESTION [ARGUMENT VALUE]... FILE_OR_DIRECTORY...
             java -jar PAGE.jar mcp FILE_OR_DIRECTORY...
             java -jar PAGE.jar serve [--port NUMBER] [--bind ADDRESS] FILE_OR_DIRECTORY...
             java -jar PAGE.jar print FILE_OR_DIRECTORY...
             java -jar PAGE.jar sql NAME [--for grafana|clickstack]
             java -jar PAGE.jar --version | --help

      Reads traces and profiles as the OpenTelemetry Collector's file exporter writes them, OTLP
      JSON or protobuf, gzip or not, and writes flame-graphs.html, speedscope.json, profile.pb.gz,
      summary.json and summary.md into the directory, which is the current one by default.
      With a baseline, for instance files of an earlier deployment, the page and the summary also
      compare the two. The option may be repeated.
      With --fail-above, the exit status says whether requests became dearer. Each RUN is a file or
      directory of one run; KINDS are of cpu, alloc, wall, lock, duration, thread; DIFFERENCES,
      which do not matter, of endpoints, load, period, length, jvm, runs (with one run on a side:
      how much runs of the same code differ); TIME is left out of each process: 30s or 10%.
        0 no endpoint is dearer by its limit      1 one is
        2 not enough requests or runs             3 the sides cannot be compared or read
      With --clickhouse, the tables of the collector's clickhouse exporter are read instead, and
      profile.pb.gz is not written. Examples of TIME are 2026-01-31T12:00:00Z and -1h. User and
      password are in the URL, or in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD. The limits are those
      of each query. With --sums, ranges of more than two hours are read from sums, which the
      statements of sql sums create.
      A QUESTION is answered in Markdown, and mcp serves all of them to agents. Each takes files,
      --baseline and the options for ClickHouse, too:
        endpoints   CPU time, waiting and durations of each endpoint
        methods     the methods with the most: --endpoint, --kind, --sort, --package
        request     one request: --id of its trace or span, --kind, --sort, --package
        compare     what changed against --baseline: --endpoint, --kind, --sort, --package
        waiting     who waits, and why: --endpoint, --package
        slow        what slow requests do more of: --endpoint, --by, --group, --kind, --package
        method      the requests with the most of a --method: --endpoint, --kind
      serve shows the page over HTTP, with what processes write meanwhile, and answers questions at
      /answers/QUESTION?ARGUMENT=VALUE and /mcp. It takes --baseline and ClickHouse, too. Only this
      machine reaches it, without --bind, and only with the token of the address, which is random,
      or FLAMESPAN_PAGE_TOKEN.
      print shows the messages of files as OTLP JSON, each on a line.
      sql shows a statement for ClickHouse: sums, drop-sums, endpoints, deployments,
      parts-of-endpoints, requests-of-endpoint, spans-of-trace, flame-graph-of-endpoint or
      -of-trace, and nested-set-of-endpoint or -of-trace, for Grafana. --for puts the variables of
      a dashboard of this tool in the place of the parameters.\
      """;

  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(@Nullable String message) {
      super(message);
    }
  }

  static Arguments of(String[] arguments) throws UsageException {
    List<Path> inputs = new ArrayList<>();
    List<Path> baseline = new ArrayList<>();
    Path output = Path.of("");
    Map<String, String> clickHouse = new LinkedHashMap<>();
    List<String> failAbove = new ArrayList<>();
    Map<String, String> gate = new HashMap<>();
    boolean several = List.of(arguments).contains(NOW);
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--out" -> output = Path.of(valueOf(arguments, i++, "a directory"));
        case BASELINE, NOW -> {
          List<Path> side = arguments[i].equals(NOW) ? inputs : baseline;
          side.add(Path.of(valueOf(arguments, i++, "a file or directory")));
          while (several && i + 1 < arguments.length && !arguments[i + 1].startsWith("--")) {
            side.add(Path.of(arguments[++i]));
          }
        }
        case FAIL_ABOVE -> failAbove.add(valueOf(arguments, i++, "a limit such as 5%"));
        case KIND, ALLOW, WARM_UP -> gate.put(arguments[i], valueOf(arguments, i++, "a value"));
        case "--clickhouse",
            "--from",
            "--to",
            "--service",
            "--traces-table",
            "--profiles-table",
            "--baseline-from",
            "--baseline-to",
            "--time-limit",
            "--memory-limit" ->
            clickHouse.put(arguments[i], valueOf(arguments, i++, "a value"));
        case ClickHouseArguments.SUMS -> clickHouse.put(arguments[i], "");
        default -> {
          if (arguments[i].startsWith("--")) {
            throw new UsageException(arguments[i] + " is not an option\n" + USAGE);
          }
          inputs.add(Path.of(arguments[i]));
        }
      }
    }
    if (failAbove.isEmpty() && !gate.isEmpty()) {
      throw new UsageException(gate.keySet().iterator().next() + " needs --fail-above");
    }
    if (!failAbove.isEmpty() && (!clickHouse.isEmpty() || baseline.isEmpty())) {
      throw new UsageException("--fail-above compares files; name those of A with --baseline");
    }
    if (!clickHouse.isEmpty()) {
      if (!inputs.isEmpty() || !baseline.isEmpty()) {
        throw new UsageException("--clickhouse reads no files; name either files or ClickHouse");
      }
      try {
        return new Arguments(
            inputs,
            baseline,
            output,
            Optional.of(ClickHouseArguments.of(clickHouse)),
            Optional.empty());
      } catch (IllegalArgumentException e) {
        throw new UsageException(e.getMessage());
      }
    }
    if (inputs.isEmpty() && !baseline.isEmpty()) {
      throw new UsageException(
          "--baseline " + baseline.get(0) + " needs files to compare it with; name them after it");
    }
    if (inputs.isEmpty()) {
      throw new UsageException(USAGE);
    }
    try {
      Optional<Rules> rules =
          failAbove.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  Rules.parse(
                      failAbove,
                      gate.getOrDefault(KIND, ""),
                      gate.getOrDefault(ALLOW, ""),
                      gate.getOrDefault(WARM_UP, "")));
      return new Arguments(inputs, baseline, output, Optional.empty(), rules);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private static String valueOf(String[] arguments, int option, String what) throws UsageException {
    if (option + 1 == arguments.length || arguments[option + 1].startsWith("--")) {
      throw new UsageException(arguments[option] + " needs " + what + " after it\n" + USAGE);
    }
    return arguments[option + 1];
  }
}
