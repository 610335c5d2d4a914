/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one answer prints as the name of an endpoint, the next question takes. */
class AnswerNamesTest {
  private static final List<String> HARD =
      List.of(
          "",
          " ",
          " GET /",
          "GET /",
          "GET  /",
          "GET\u00a0/",
          "GET /\n",
          "GET /\u2028x",
          "GET /products/{id}",
          "a_b",
          "a\\_b",
          "_a_",
          "\\_a\\_",
          "*",
          "\\*",
          "# x",
          "@you",
          "&#64;you",
          "\\&#64;you",
          "a|b",
          "a\\|b",
          "a\\",
          "`a`",
          "``",
          "<b>",
          "[a](b)",
          "\u001b[31m",
          "\ufffd[31m",
          "\u202eevil",
          "(no request)",
          "(no name)",
          "all endpoints",
          "-",
          "GET /\ud83d\ude00",
          "GET /ünïcode/日本",
          "x".repeat(200),
          "y" + "x".repeat(200),
          "f(" + "x".repeat(100) + ")",
          "f(" + "x".repeat(101) + ")",
          "POST /" + "\ud83d\ude00".repeat(120) + "/a",
          "PUT /" + "\ud83d\ude00".repeat(120) + "/a");
  private static final String PARTS =
      "abX/ _-{}()*#|`\\~<>&@[]\"'$%:;,.?!\u0007\u00a0é日\u200b\ufffd";

  @TempDir Path directory;

  @Test
  void names_ofAnyCharacters_areTakenAsPrintedAsShownAndAsTheyAre() throws IOException {
    Random random = new Random(1);
    List<String> names = new ArrayList<>(HARD);
    while (names.size() < 2 * HARD.size()) {
      names.add(anyName(random));
    }
    Collections.shuffle(names, random);
    for (int run = 0; run * 6 < names.size(); run++) {
      List<String> some = names.subList(run * 6, Math.min(names.size(), run * 6 + 6));
      check(new ArrayList<>(new LinkedHashSet<>(some)), run);
    }
  }

  private static String anyName(Random random) {
    StringBuilder name = new StringBuilder();
    int length = random.nextInt(4) == 0 ? 80 + random.nextInt(30) : 1 + random.nextInt(6);
    for (int i = 0; i < length; i++) {
      name.append(PARTS.charAt(random.nextInt(PARTS.length())));
    }
    return name.toString();
  }

  /** The endpoint with the number n has n + 1 samples, and n + 11 before. */
  private void check(List<String> names, int run) throws IOException {
    List<Deployment.Served> before = new ArrayList<>();
    List<Deployment.Served> now = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      before.add(new Deployment.Served(names.get(i), 0, 1_000, Map.of("work", i + 11)));
      now.add(new Deployment.Served(names.get(i), 0, 1_000, Map.of("work", i + 1)));
    }
    Path input = Files.write(directory.resolve("now-" + run), Deployment.file(now));
    Path baseline = Files.write(directory.resolve("before-" + run), Deployment.file(before));
    for (String question : List.of("endpoints", "waiting", "compare")) {
      boolean compares = question.equals("compare");
      List<List<String>> rows =
          compares
              ? rows(ask(question, "--baseline", baseline.toString(), input.toString()))
              : rows(ask(question, input.toString()));
      Set<Double> found = new LinkedHashSet<>();
      for (List<String> row : rows.subList(0, names.size())) {
        String name = row.get(0);
        double cpu = compares ? Double.parseDouble(row.get(5)) : cpuOf(name, input);
        assertThat(cpuOf(name, input)).as("%s of %s", row, names).isEqualTo(cpu);
        assertThat(cpuOf(shown(name), input)).as("%s of %s", row, names).isEqualTo(cpu);
        found.add(cpu);
        String changed =
            ask("compare", "--endpoint", name, "--baseline", baseline.toString(), input.toString());
        assertThat(rows(changed)).anySatisfy(one -> assertThat(one).contains("-100.000"));
      }
      assertThat(found).as("answer to %s about %s", question, names).hasSize(names.size());
    }
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (!Set.of("", "(no request)", "all endpoints").contains(name)) {
        assertThat(cpuOf(name, input)).as("%s of %s", name, names).isEqualTo(10.0 * (i + 1));
      }
    }
  }

  /** An endpoint of a service, whose requests have so many samples of a method of its own. */
  private record OfService(String name, String service, int samples) {}

  private Path ofServices(String file, OfService... endpoints) throws IOException {
    List<Message> messages = new ArrayList<>();
    int number = 0;
    for (OfService one : endpoints) {
      TraceData traces = new TraceData(one.service());
      ProfileData profile = new ProfileData().service(one.service());
      for (int request = 1; request <= 20; request++) {
        number++;
        long start = START + number * 1_000 * MS;
        traces.root(number, one.name(), start, start + (one.samples() * 10L + request) * MS);
        profile.sample(
            traceId(number),
            spanId(number),
            start,
            one.samples(),
            List.of("main", "work" + one.samples()));
      }
      messages.add(traces.build());
      messages.add(profile.build());
    }
    return Files.write(
        directory.resolve(file), CollectorFiles.json(messages.toArray(Message[]::new)));
  }

  @Test
  void name_thatServicesShare_isThatOfTheOneWithTheMostTimeUnlessItsServiceIsNamed()
      throws IOException {
    OfService shop = new OfService("GET /health", "a-shop", 3);
    OfService bill = new OfService("GET /health", "b-bill", 7);
    OfService only = new OfService("GET /only", "a-shop", 1);
    String input = ofServices("now", shop, bill, only).toString();
    String baseline = ofServices("before", shop, bill, only).toString();
    String ofShop = "GET /health of a-shop";
    String ofBill = "GET /health of b-bill";
    String others =
        "This is about "
            + ofBill
            + ". Other services have this endpoint, too: `"
            + ofShop
            + "`.\n\n";

    for (String question : List.of("endpoints", "waiting", "slow")) {
      assertThat(rows(ask(question, input)))
          .as(question)
          .extracting(row -> row.get(0))
          .contains(ofShop, ofBill, "GET /only");
    }
    assertThat(ask("compare", "--baseline", baseline, input)).contains(ofShop, ofBill);
    assertThat(ask("request", "--id", HexFormat.of().formatHex(traceId(21)), input))
        .contains(ofBill);
    for (String question : List.of("methods", "waiting", "slow", "method", "compare")) {
      List<String> asked = new ArrayList<>(List.of(question, input));
      if (question.equals("method")) {
        asked.addAll(List.of("--method", "main"));
      } else if (question.equals("compare")) {
        asked.addAll(1, List.of("--baseline", baseline));
      }
      asked.add("--endpoint");
      String any = ask(with(asked, "GET /health"));
      String one = ask(with(asked, ofShop));
      assertThat(any).as(question).startsWith(others);
      assertThat(any.substring(others.length())).isEqualTo(ask(with(asked, ofBill)));
      assertThat(one).contains("of " + ofShop).doesNotContain("b-bill", "work7");
      assertThat(ask(with(asked, "GET /only of a-shop")))
          .isEqualTo(ask(with(asked, "GET /only")))
          .contains("of GET /only")
          .doesNotContain("This is about");
    }
    assertThat(cpuOf(ofShop, "work3", Path.of(input))).isEqualTo(20 * 30);
  }

  @Test
  void limit_ofAnEndpointOfOneService_isRefusedIfOthersHaveIt() throws IOException {
    OfService shop = new OfService("GET /health", "a-shop", 3);
    OfService bill = new OfService("GET /health", "b-bill", 7);
    OfService only = new OfService("GET /only", "a-shop", 1);
    OfService onlyNow = new OfService("GET /only", "a-shop", 2);
    String call =
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'compare',"
            + "'arguments':{'fail-above':'%s=5%%'}}}\n";
    String calls =
        call.formatted("GET /health of a-shop")
            + call.formatted("GET /health")
            + call.formatted("GET /only of a-shop");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    FlameGraphs.run(
        new String[] {
          "mcp",
          "--baseline",
          ofServices("before", shop, bill, only).toString(),
          ofServices("now", shop, bill, onlyNow).toString()
        },
        new ByteArrayInputStream(calls.replace('\'', '"').getBytes(UTF_8)),
        out,
        out);

    List<String> answers = printed.toString(UTF_8).lines().toList();
    assertThat(answers.get(0))
        .contains("without the service's name: GET /health", "isError\":true");
    assertThat(answers.get(1)).contains("a-shop", "b-bill", "isError\":false");
    assertThat(answers.get(2)).contains("GET /only", "isError\":false");
  }

  private static String[] with(List<String> arguments, String endpoint) {
    List<String> all = new ArrayList<>(arguments);
    all.add(endpoint);
    return all.toArray(String[]::new);
  }

  @Test
  void names_ofEndpointsAndServices_areNotPrintedAlike() throws IOException {
    OfService[] all = {
      new OfService("GET /", "a", 1),
      new OfService("GET /", "b", 2),
      new OfService("GET /", "a of b", 3),
      new OfService("GET / of a", "b", 4),
      new OfService("GET / of a", "c", 5),
      new OfService("GET /\u00a0", "a", 6),
      new OfService("GET /\u00a0", "b", 7),
      new OfService("GET / of b", "d", 8),
      new OfService("GET /", "a|b_\\", 9),
      new OfService("(no request)", "a", 10),
      new OfService("(no request)", "b", 11),
      new OfService("*", "\u001b", 12),
      new OfService("*", "\u0007", 13),
    };
    Path input = ofServices("input", all);

    Set<Double> found = new LinkedHashSet<>();
    for (List<String> row : rows(ask("waiting", input.toString())).subList(0, all.length)) {
      List<List<String>> methods = rows(ask("methods", "--endpoint", row.get(0), input.toString()));
      assertThat(rows(ask("methods", "--endpoint", shown(row.get(0)), input.toString())))
          .as("%s", row)
          .isEqualTo(methods);
      assertThat(methods).filteredOn(one -> one.get(0).startsWith("work")).hasSize(1);
      found.add(Double.parseDouble(methods.get(0).get(2)));
    }
    assertThat(found).hasSize(all.length);
  }

  @Test
  void names_inALocaleWithoutUtf8_areTakenAsPrinted() throws Exception {
    Deployment.Served served = new Deployment.Served("GET /ünïcode/日本", 0, 100, Map.of("work", 1));
    Files.write(directory.resolve("input"), Deployment.file(List.of(served)));
    ProcessBuilder asking =
        new ProcessBuilder(
                "sh",
                "-c",
                "exec \"$@\" --endpoint \"$(printf 'GET /\\303\\274n\\303\\257code/"
                    + "\\346\\227\\245\\346\\234\\254')\" input",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FlameGraphs.class.getName(),
                "methods")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    asking.environment().put("LC_ALL", "C");
    Process asked = asking.start();

    assertThat(new String(asked.getInputStream().readAllBytes(), UTF_8))
        .contains("of GET /ünïcode/日本", "| work | main | 10.000 |");
  }

  private static double cpuOf(String endpoint, Path input) {
    return cpuOf(endpoint, "work", input);
  }

  private static double cpuOf(String endpoint, String method, Path input) {
    List<List<String>> rows = rows(ask("methods", "--endpoint", endpoint, input.toString()));
    return Double.parseDouble(
        rows.stream().filter(row -> row.get(0).equals(method)).findFirst().orElseThrow().get(2));
  }

  /** The cells of all tables, without those of titles. */
  private static List<List<String>> rows(String answer) {
    return answer
        .lines()
        .filter(line -> line.startsWith("| ") && !line.contains("| --"))
        .map(AnswerNamesTest::cells)
        .filter(cells -> !cells.get(0).equals("endpoint") && !cells.get(0).equals("method"))
        .toList();
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    for (int i = 1; i < line.length(); i++) {
      if (line.charAt(i) == '|') {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(line.charAt(i));
        if (line.charAt(i) == '\\') {
          cell.append(line.charAt(++i));
        }
      }
    }
    return cells;
  }

  /** As a reader of Markdown sees it. */
  private static String shown(String cell) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < cell.length(); i++) {
      if (cell.startsWith("&#64;", i)) {
        shown.append('@');
        i += 4;
      } else if (cell.charAt(i) == '\\' && "\\`*_[]<>|&~".indexOf(cell.charAt(i + 1)) >= 0) {
        shown.append(cell.charAt(++i));
      } else {
        shown.append(cell.charAt(i));
      }
    }
    return shown.toString();
  }

  private static String ask(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out))
        .as("%s: %s", List.of(arguments), printed.toString(UTF_8))
        .isZero();
    return printed.toString(UTF_8);
  }
}
