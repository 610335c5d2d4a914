/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Deployment.AFTER;
import static io.flamespan.page.Deployment.BEFORE;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions as commands, and as tools that a client calls over standard input and output. */
class AnswersTest {
  private static final int LIMIT = 4_000;

  @TempDir Path directory;

  @Test
  void endpoints_ofTheExample_haveTheSumsOfTheSummary() throws IOException {
    Path input = write("input", example());
    JsonObject summary =
        JsonParser.parseString(Files.readString(JoinRun.of(input).output().resolve("summary.json")))
            .getAsJsonObject();

    String answer = ask(0, "endpoints", input.toString());

    assertThat(cells(answer, "GET /checkout")).contains("2", "150.000", "200.000", "70.000");
    long endpoints = 0;
    for (var endpoint : summary.getAsJsonArray("endpoints")) {
      endpoints += endpoint.getAsJsonObject().get("cpuNanos").getAsLong();
    }
    assertThat(cells(answer, "all endpoints")).contains(millis(endpoints));
    assertThat(answer)
        .contains(
            "CPU ms received: "
                + millis(summary.getAsJsonObject("received").get("cpuNanos").getAsLong()))
        .contains("no Link 20.000 (16.7 %)");
  }

  @Test
  void endpoints_veryMany_stayBelowTheLimitAndAreSummedUp() throws IOException {
    List<Deployment.Served> many =
        IntStream.range(0, 500)
            .mapToObj(
                number ->
                    new Deployment.Served(
                        "GET /ünïcode/" + "x".repeat(200) + number, 0, 10, Map.of("w", 1)))
            .toList();

    String answer = ask(0, "endpoints", write("many", Deployment.file(many)).toString());

    assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
    assertThat(cells(answer, "all endpoints")).contains("500", "5000.000");
    assertThat(answer).containsPattern("[(]4[0-9][0-9] other endpoints[)]");
    assertThat(sum(answer, 6)).as("rows and the others are all").isEqualTo(2 * 5_000.0);
  }

  @Test
  void methods_ofAnEndpoint_areSortedBySelfTimeAndCountRecursionOnce() throws IOException {
    ProfileData profile =
        new ProfileData()
            .sample(traceId(1), spanId(1), START, 3, List.of("main", "walk", "walk", "walk"))
            .sample(traceId(1), spanId(1), START, 1, List.of("main"));
    Path input = write("input", CollectorFiles.json(Example.shop(), profile.build()));

    String answer = ask(0, "methods", "--endpoint", "GET /checkout", input.toString());

    assertThat(cells(answer, "walk")).endsWith("30.000", "75.0", "30.000", "75.0");
    assertThat(cells(answer, "main")).endsWith("10.000", "25.0", "40.000", "100.0");
    assertThat(cells(answer, "all")).contains("40.000");
    assertThat(ask(2, "methods", "--endpoint", "checkout", input.toString()))
        .contains("no endpoint is named checkout; did you mean GET /checkout?");
  }

  @Test
  void methods_ofOneName_areToldApartAndAskedForOneByOne() throws IOException {
    ProfileData profile =
        new ProfileData()
            .kinds(Map.of("__memcpy", "native", "__memcpy ", "native", "__memcpy  ", "kernel"))
            .files(Map.of("__memcpy", "/lib/libc.so.6", "__memcpy ", "/lib/libz.so.1"))
            .sample(traceId(1), spanId(1), START, 3, List.of("main", "__memcpy"))
            .sample(traceId(1), spanId(1), START, 2, List.of("main", "__memcpy "))
            .sample(traceId(2), spanId(2), START, 1, List.of("main", "__memcpy  "));
    String input = write("input", CollectorFiles.json(Example.shop(), profile.build())).toString();

    String answer = ask(0, "methods", "--endpoint", "GET /checkout", input);

    List<String> names =
        List.of(
            "\\_\\_memcpy (native, /lib/libc.so.6)",
            "\\_\\_memcpy (native, /lib/libz.so.1)",
            "\\_\\_memcpy (kernel)");
    for (int place = 0; place < names.size(); place++) {
      String millis = 3 - place + "0.000";
      assertThat(cells(answer, names.get(place))).contains(millis);
      assertThat(ask(0, "method", "--method", names.get(place), input))
          .contains(
              "\n1 requests of all endpoints have CPU time of " + names.get(place) + ",",
              millis + " ms.")
          .doesNotContain("one by one");
      assertThat(ask(0, "method", "--method", names.get(place).replace("\\", ""), input))
          .as("as Markdown shows it")
          .contains(millis + " ms.");
    }
    assertThat(ask(0, "method", "--method", "__memcpy", input))
        .contains("\n2 requests", "60.000 ms.", "3 methods")
        .contains(names);
    String less = write("less", example()).toString();
    String compared = ask(0, "compare", "--endpoint", "GET /checkout", "--baseline", less, input);
    names.forEach(name -> assertThat(cells(compared, name)).isNotEmpty());
    assertThat(ask(2, "method", "--method", "\\_\\_memcpy (jvm)", input))
        .contains("has samples in");
  }

  @Test
  void method_thatSeveralAreNamedByAShortName_saysWhichItAdds() throws IOException {
    ProfileData profile =
        new ProfileData()
            .sample(traceId(1), spanId(1), START, 2, List.of("main", "com.a.Cache.get(int)"))
            .sample(traceId(1), spanId(1), START, 1, List.of("main", "com.b.Cache.get(int)"))
            .threadSample("idle", START, 4, List.of("main", "com.c.Cache.get(int)"));
    String input = write("input", CollectorFiles.json(Example.shop(), profile.build())).toString();

    assertThat(ask(0, "method", "--method", "Cache.get", input))
        .contains("30.000 ms.", "2 methods", "com.a.Cache.get(int), com.b.Cache.get(int).");
    assertThat(ask(0, "method", "--method", "com.b.Cache.get", input))
        .contains("10.000 ms.")
        .doesNotContain("one by one");
  }

  @Test
  void endpoints_whereMostRequestsAreNotSampled_sayThat() throws IOException {
    ProfileData profile =
        new ProfileData()
            .sample(traceId(1), spanId(1), START, 3, List.of("main"))
            .notSampled("GET /checkout", "exec-1", START, 7, List.of("main", "tax"));
    Path input = write("input", CollectorFiles.json(Example.shop(), profile.build()));

    assertThat(ask(0, "endpoints", input.toString()))
        .contains("Most CPU time is of requests that are not sampled: `methods");
    assertThat(ask(0, "methods", "--endpoint", "(no request)", input.toString()))
        .contains("| tax | main | 70.000 | 100.0 |");
  }

  @Test
  void methods_ofNoRequest_areThoseOfThreads() throws IOException {
    Path input = write("input", example());

    assertThat(ask(0, "methods", "--endpoint", "(no request)", input.toString()))
        .contains("| idle | main | 20.000 | 100.0 |");
  }

  @Test
  void request_byTraceOrSpan_hasItsSpansAndMethods() throws IOException {
    Path input = write("input", example());

    String byTrace =
        ask(0, "request", "--id", HexFormat.of().formatHex(traceId(1)), input.toString());

    assertThat(byTrace).contains("3 spans, CPU ms 90.000");
    assertThat(cells(byTrace, "reserve")).contains("30.000", "40.000", "request");
    assertThat(cells(byTrace, "tax")).contains("40.000");
    assertThat(ask(0, "request", "--id", "0000000000000064", input.toString())).isEqualTo(byTrace);
    assertThat(ask(2, "request", "--id", "0000000000000065", input.toString()))
        .contains("no span that was received has the trace id or span id");
  }

  @Test
  void compare_withABaseline_saysWhatIsNoise() throws IOException {
    String before = write("before", Deployment.file(BEFORE)).toString();
    String after = write("after", Deployment.file(AFTER)).toString();

    String answer = ask(0, "compare", "--baseline", before, after);

    assertThat(cells(answer, "GET /checkout")).contains("4", "2", "30.000", "70.000", "+40.000");
    assertThat(cells(answer, "GET /checkout")).as("six requests do not tell").contains("noise");
    assertThat(cells(answer, "GET /new")).contains("new");
    assertThat(cells(answer, "GET /search")).contains("same");
    assertThat(answer).contains("Left out: 0 endpoints");
    assertThat(ask(2, "compare", after)).contains("there is no baseline");
  }

  @Test
  void compare_ofAnEndpoint_saysWhichMethodsDifferByMoreThanChance() throws IOException {
    String before = write("before", requests(2, 5)).toString();
    String more = write("more", requests(6, 4)).toString();
    String chance = write("chance", requests(2, 4)).toString();

    String answer = ask(0, "compare", "--endpoint", "GET /", "--baseline", before, more);

    List<String> work = cells(answer, "work");
    assertThat(work).contains("+40.000");
    assertThat(Double.parseDouble(work.get(5))).isGreaterThan(0).isLessThan(40);
    assertThat(Double.parseDouble(work.get(7))).isGreaterThan(0).isLessThan(40);
    List<String> other = cells(answer, "other");
    assertThat(other).contains("-1.000");
    assertThat(Double.parseDouble(other.get(5))).isGreaterThan(1);
    assertThat(Double.parseDouble(other.get(7))).isGreaterThan(1);
    String noise = ask(0, "compare", "--endpoint", "GET /", "--baseline", before, chance);
    assertThat(noise).contains("which is noise");
    assertThat(Double.parseDouble(cells(noise, "other").get(5))).isGreaterThanOrEqualTo(1);
  }

  /** A hundred, of which so many of ten have a sample of another method. */
  private static byte[] requests(int work, int others) {
    List<Deployment.Served> requests = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int other = i % 10 < others ? 1 : 0;
      requests.add(
          new Deployment.Served("GET /", 0, 500, Map.of("work", work + i % 2, "other", other)));
    }
    return Deployment.file(requests);
  }

  /** Search allocates 12 MB of two classes, and waits for a lock; checkout does neither. */
  private static byte[] allocations(int bytesOfRead) {
    ProfileData allocations =
        new ProfileData()
            .type("alloc_space", "bytes")
            .kinds(Map.of("byte[]", "class", "long[]", "class"))
            .value(traceId(3), spanId(3), bytesOfRead, List.of("main", "read", "byte[]"))
            .value(traceId(3), spanId(3), 4_000_000, List.of("main", "parse", "long[]"));
    ProfileData locks =
        new ProfileData()
            .type("lock", "nanoseconds")
            .value(traceId(3), spanId(3), 30 * MS, List.of("main", "enter"));
    return CollectorFiles.json(
        Example.shop(), Example.shopProfile(), allocations.build(), locks.build());
  }

  @Test
  void methods_thatAllocate_areNamedWithTheClasses() throws IOException {
    String input = write("input", allocations(8_000_000)).toString();

    String answer = ask(0, "methods", "--endpoint", "GET /search", "--kind", "alloc", input);
    assertThat(cells(answer, "read")).endsWith("8.000", "66.7", "8.000", "66.7");
    assertThat(cells(answer, "main")).endsWith("0.000", "0.0", "12.000", "100.0");
    assertThat(cells(answer, "byte\\[\\]")).containsExactly("byte\\[\\]", "8.000", "66.7");
    assertThat(answer).contains(" self MB |", "| class | MB |");
    assertThat(cells(ask(0, "methods", "--kind", "lock", input), "enter")).contains("30.000");
    assertThat(ask(0, "methods", input)).doesNotContain("class", "enter");
    assertThat(ask(2, "methods", "--kind", "heap", input))
        .contains("no kind is named heap; the kinds are cpu, alloc, lock and wall");
  }

  @Test
  void endpointsAndRequest_withAllocation_haveItBesideCpuTime() throws IOException {
    String input = write("input", allocations(8_000_000)).toString();

    String endpoints = ask(0, "endpoints", input);
    assertThat(endpoints)
        .contains("| waiting ms | mostly | allocated MB | locks ms |")
        .contains("allocated MB received: 12.000. Of endpoints: 12.000.");
    assertThat(cells(endpoints, "GET /search")).endsWith("12.000", "30.000");
    String id = HexFormat.of().formatHex(traceId(3));
    String request = ask(0, "request", "--id", id, "--kind", "alloc", input);
    assertThat(cells(request, "GET /search")).endsWith("12.000", "30.000");
    assertThat(cells(request, "read")).startsWith("read", "main", "8.000");
  }

  @Test
  void compare_ofAllocation_saysWhatIsNoise() throws IOException {
    String before = write("before", allocations(8_000_000)).toString();
    String after = write("after", allocations(9_000_000)).toString();

    String answer = ask(0, "compare", "--kind", "alloc", "--baseline", before, after);
    assertThat(cells(answer, "GET /search"))
        .contains("12.000", "13.000", "+1.000", "unknown", "noise");
    assertThat(answer).contains("allocated MB received: 12.000, then 13.000.");
  }

  @Test
  void compare_ofWaitsOfOneRequestEach_isNoise() throws IOException {
    List<String> files = new ArrayList<>();
    for (long millis : List.of(10, 20)) {
      ProfileData wait =
          new ProfileData()
              .type("off_cpu", "nanoseconds")
              .value(traceId(3), spanId(3), millis * MS, List.of("main", "park"));
      byte[] file = CollectorFiles.json(Example.shop(), wait.build());
      files.add(write("millis-" + millis, file).toString());
    }

    String answer = ask(0, "compare", "--kind", "wall", "--baseline", files.get(0), files.get(1));

    assertThat(cells(answer, "GET /search")).contains("+10.000", "unknown", "noise");
  }

  @Test
  void waiting_ofEndpointsAndMethods_isThatOfTheSamples() throws IOException {
    ProfileData waits =
        new ProfileData()
            .type("off_cpu", "nanoseconds")
            .value(traceId(1), spanId(1), 30 * MS, List.of("main", "park"));
    Path input = write("input", CollectorFiles.json(Example.shop(), waits.build()));

    assertThat(cells(ask(0, "waiting", input.toString()), "GET /checkout"))
        .contains("30.000", "15.000");
    assertThat(ask(0, "waiting", "--endpoint", "GET /checkout", input.toString()))
        .contains("| park | main | park | unknown | 30.000 | 100.0 |");
  }

  @Test
  void names_withMarkupOrCodesForTerminals_changeNothing() throws IOException {
    String evil = "a|b\u001b[31m<b>\n| x | @you";
    ProfileData profile = new ProfileData().sample(traceId(1), spanId(1), START, 1, List.of(evil));
    byte[] traces =
        CollectorFiles.json(new TraceData("s").root(1, evil, START, START + MS).build());
    Path input = write("input", traces, CollectorFiles.json(profile.build()));

    for (String question : List.of("endpoints", "methods")) {
      String answer = ask(0, question, input.toString());
      assertThat(answer).doesNotContain("\u001b", "<b>", "@you");
      assertThat(answer.lines().filter(line -> line.contains("you")))
          .as("a row, and perhaps a sentence and the next question")
          .hasSizeBetween(1, 3);
    }
  }

  @Test
  void server_overStandardInputAndOutput_answersAsTheCommands() throws Exception {
    Path input = write("input", example());
    Process server = start("mcp", input.toString());
    try (PrintStream requests = new PrintStream(server.getOutputStream(), true, UTF_8);
        BufferedReader responses =
            new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      JsonObject initialized =
          call(requests, responses, "initialize", "{\"protocolVersion\":\"2025-06-18\"}");
      assertThat(initialized.getAsJsonObject("result").get("protocolVersion").getAsString())
          .isEqualTo("2025-06-18");
      requests.println("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
      JsonObject tools = call(requests, responses, "tools/list", "null");
      assertThat(tools.getAsJsonObject("result").getAsJsonArray("tools"))
          .extracting(tool -> tool.getAsJsonObject().get("name").getAsString())
          .containsExactly(
              "endpoints", "methods", "request", "compare", "waiting", "slow", "method");
      assertThat(text(call(requests, responses, "tools/call", "{\"name\":\"endpoints\"}")))
          .isEqualTo(ask(0, "endpoints", input.toString()));
      assertThat(
              text(
                  call(
                      requests,
                      responses,
                      "tools/call",
                      "{\"name\":\"endpoints\",\"arguments\":null}")))
          .isEqualTo(ask(0, "endpoints", input.toString()));
      JsonObject unknown =
          call(
              requests,
              responses,
              "tools/call",
              "{\"name\":\"methods\",\"arguments\":{\"endpoint\":\"nothing\"}}");
      assertThat(unknown.getAsJsonObject("result").get("isError").getAsBoolean()).isTrue();
      assertThat(code(call(requests, responses, "resources/list", "{}"))).isEqualTo(-32601);
      assertThat(code(call(requests, responses, "tools/call", "{\"name\":\"x\"}")))
          .isEqualTo(-32602);
      JsonObject misspelt =
          call(
              requests,
              responses,
              "tools/call",
              "{\"name\":\"methods\",\"arguments\":{\"endpont\":\"GET /\"}}");
      assertThat(misspelt.getAsJsonObject("result").get("isError").getAsBoolean()).isTrue();
      assertThat(text(misspelt)).contains("no argument endpont; it has endpoint, kind");
      JsonObject list =
          call(
              requests,
              responses,
              "tools/call",
              "{\"name\":\"methods\",\"arguments\":{\"endpoint\":[\"GET /\"]}}");
      assertThat(list.getAsJsonObject("result").get("isError").getAsBoolean()).isTrue();
      assertThat(text(list)).isEqualTo("endpoint is not a string");
      requests.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"");
      assertThat(error(responses)).isEqualTo(-32700);
      requests.println("{jsonrpc:'2.0',id:1,method:'ping'}");
      assertThat(error(responses)).isEqualTo(-32700);
      requests.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}");
      assertThat(error(responses)).isEqualTo(-32600);
      requests.println("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
      assertThat(error(responses)).isEqualTo(-32600);
      call(requests, responses, "initialize", "{\"protocolVersion\":\"2025-03-26\"}");
      requests.println("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},7]");
      assertThat(responses.readLine())
          .startsWith("[{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":1},")
          .contains("-32600");
      requests.println("not JSON");
      assertThat(code(JsonParser.parseString(responses.readLine()).getAsJsonObject()))
          .isEqualTo(-32700);
    }
    assertThat(server.waitFor()).isZero();
  }

  @Test
  void server_whileFilesAreWritten_answersAsTheCommandsDoThen() throws Exception {
    Path input = directory.resolve("input");
    Process server = start("mcp", input.toString());
    try (PrintStream requests = new PrintStream(server.getOutputStream(), true, UTF_8);
        BufferedReader responses =
            new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      String endpoints = "{\"name\":\"endpoints\"}";
      assertThat(text(call(requests, responses, "tools/call", endpoints)))
          .contains(input + " does not exist");
      write("input", example());
      String before = ask(0, "endpoints", input.toString());
      assertThat(text(call(requests, responses, "tools/call", endpoints))).isEqualTo(before);
      assertThat(text(call(requests, responses, "tools/call", endpoints))).isEqualTo(before);
      Files.write(
          input.resolve("new"),
          CollectorFiles.json(
              new TraceData("shop").root(99, "GET /new", START, START + 100 * MS).build()));
      assertThat(text(call(requests, responses, "tools/call", endpoints)))
          .contains("GET /new")
          .isEqualTo(ask(0, "endpoints", input.toString()));
    }
    assertThat(server.waitFor()).isZero();
  }

  @Test
  void server_ofClickHouse_takesRanges() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    FlameGraphs.run(
        new String[] {"mcp", "--clickhouse", "http://127.0.0.1:1", "--from", "-1h"},
        new ByteArrayInputStream(list.getBytes(UTF_8)),
        out,
        out);

    assertThat(printed.toString(UTF_8)).contains("\"from\":{", "\"to\":{");
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=US-ASCII",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FlameGraphs.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectError(directory.resolve("server.log").toFile())
        .start();
  }

  private static JsonObject call(
      PrintStream requests, BufferedReader responses, String method, String parameters)
      throws IOException {
    requests.println(
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\""
            + method
            + "\",\"params\":"
            + parameters
            + "}");
    JsonObject response = JsonParser.parseString(responses.readLine()).getAsJsonObject();
    assertThat(response.get("id").getAsInt()).isEqualTo(7);
    return response;
  }

  private static int error(BufferedReader responses) throws IOException {
    return code(JsonParser.parseString(responses.readLine()).getAsJsonObject());
  }

  private static String text(JsonObject response) {
    return response
        .getAsJsonObject("result")
        .getAsJsonArray("content")
        .get(0)
        .getAsJsonObject()
        .get("text")
        .getAsString();
  }

  private static int code(JsonObject response) {
    return response.getAsJsonObject("error").get("code").getAsInt();
  }

  private static byte[] example() {
    return CollectorFiles.json(
        Example.shopProfile(), Example.storeProfile(), Example.shop(), Example.store());
  }

  /** Returns everything that is printed. */
  private static String ask(int status, String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out))
        .as(printed.toString(UTF_8))
        .isEqualTo(status);
    return printed.toString(UTF_8);
  }

  private static List<String> cells(String answer, String name) {
    return answer
        .lines()
        .filter(line -> line.startsWith("| " + name + " |"))
        .findFirst()
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).skip(1).toList())
        .orElseThrow(() -> new AssertionError("no " + name + " in " + answer));
  }

  private static double sum(String answer, int column) {
    List<Double> values = new ArrayList<>();
    answer
        .lines()
        .filter(line -> line.startsWith("| ") && !line.contains("---") && !line.contains("CPU ms"))
        .forEach(line -> values.add(Double.valueOf(line.split("\\|")[column].strip())));
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }

  private Path write(String name, byte[]... files) throws IOException {
    Path input = Files.createDirectories(directory.resolve(name));
    for (int i = 0; i < files.length; i++) {
      Files.write(input.resolve("file-" + i), files[i]);
    }
    return input;
  }
}
