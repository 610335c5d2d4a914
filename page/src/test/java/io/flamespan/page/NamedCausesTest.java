/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.OwnCodeTest.ask;
import static io.flamespan.page.OwnCodeTest.rows;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first rows of answers name the cause, and each answer names the next question. */
class NamedCausesTest {
  private static final int ORDER = 1;
  private static final int LIST = 2;

  private final TraceData traces =
      new TraceData("shop")
          .root(ORDER, "GET /order", START, START + 900 * MS)
          .root(LIST, "GET /list", START, START + 200 * MS);
  private final ProfileData cpu = new ProfileData().service("shop");
  private final ProfileData waits =
      new ProfileData().service("shop").type("off_cpu", "nanoseconds").time(START);

  @TempDir Path directory;

  private String input(ProfileData... more) throws IOException {
    byte[] file = CollectorFiles.json(traces.build(), cpu.build(), waits.build());
    Path input = Files.createDirectories(directory.resolve("input"));
    Files.write(input.resolve("0"), file);
    for (int i = 0; i < more.length; i++) {
      Files.write(input.resolve("more-" + i), CollectorFiles.json(more[i].build()));
    }
    return input.toString();
  }

  private void computes(int request, int samples, String... frames) {
    cpu.sample(
        traceId(request), spanId(request), START, 100 * MS, samples, below("server", frames));
  }

  private void waits(int request, long millis, String... frames) {
    waits.value(traceId(request), spanId(request), millis * MS, below("server", frames));
  }

  private static List<String> below(String server, String... frames) {
    List<String> stack = new ArrayList<>(List.of("java.lang.Thread.run"));
    stack.add("org.eclipse.jetty." + server + ".handle");
    stack.addAll(Arrays.asList(frames));
    return stack;
  }

  @Test
  void methods_thatAreSmallHelpers_nameTheMethodThatCallsThem() throws IOException {
    for (String helper : List.of("Money.add", "Money.round", "Rates.find", "Rates.scale")) {
      computes(
          ORDER,
          10,
          "com.acme.shop.Orders.place",
          "com.acme.shop.Prices.recalculateAll",
          "com.acme.shop.Prices.each",
          "com.acme.util." + helper);
    }
    computes(ORDER, 1, "com.acme.shop.Orders.place");
    computes(LIST, 1, "com.acme.shop.Lists.all", "java.util.HashMap.get");

    List<String> rows = rows(ask(0, "methods", "--endpoint", "GET /order", input()));

    assertThat(rows.subList(0, 3))
        .allSatisfy(
            row ->
                assertThat(row).contains("| Prices.each ← Prices.recalculateAll ← Orders.place |"));
    assertThat(ask(0, "methods", input()))
        .contains("| java.util.HashMap.get | Lists.all | 0.000 | 0.0 | 10.000 |");
  }

  @Test
  void waits_belowManyLayers_nameTheMethodAboveThem() throws IOException {
    waits(
        ORDER,
        300,
        "com.acme.Orders.enrichAll",
        "com.acme.Orders.lambda$enrichAll$0",
        "com.acme.Facade.price",
        "com.acme.Cache.get",
        "com.acme.Retry.call",
        "com.acme.Client.fetch",
        "sun.nio.ch.Net.poll");
    computes(LIST, 1, "com.acme.Lists.all");

    assertThat(rows(ask(0, "waiting", "--endpoint", "GET /order", input())).get(0))
        .startsWith("| com.acme.Client.fetch | Retry.call ← Cache.get ← ")
        .contains(" ← Orders.enrichAll |");
  }

  @Test
  void methodsThatAJvmMakesOfOthers_areNotOwn() throws IOException {
    waits(
        ORDER,
        300,
        "com.acme.shop.Orders$$SpringCGLIB$$0.place",
        "com.acme.shop.Orders.place",
        "com.acme.shop.Orders$$Lambda.apply",
        "java.util.concurrent.CompletableFuture.join",
        "jdk.internal.misc.Unsafe.park");
    computes(LIST, 1, "com.acme.shop.Lists.all");

    List<String> rows = rows(ask(0, "waiting", "--endpoint", "GET /order", input()));

    assertThat(rows.get(0))
        .isEqualTo(
            "| com.acme.shop.Orders.place | – | jdk.internal.misc.Unsafe.park | another thread |"
                + " 300.000 | 100.0 |");
  }

  @Test
  void waits_ofOneMethodForOneReason_areOneRowAndTheFirst() throws IOException {
    String read = "sun.nio.ch.SocketDispatcher.read0";
    waits(ORDER, 90, "com.acme.Prices.of", "java.net.http.A.a", read);
    waits(ORDER, 80, "com.acme.Prices.of", "java.net.http.B.b", "sun.nio.ch.Net.poll");
    waits(ORDER, 100, "com.acme.Mails.send", "java.lang.Thread.sleep");
    computes(LIST, 1, "com.acme.Lists.all");

    List<String> rows = rows(ask(0, "waiting", "--endpoint", "GET /order", input()));

    assertThat(rows.get(0))
        .isEqualTo("| com.acme.Prices.of | – | " + read + " | I/O | 170.000 | 63.0 |");
    assertThat(rows.get(1)).contains("com.acme.Mails.send", "| sleep | 100.000 |");
  }

  @Test
  void reasons_areThoseBelowOwnCode() throws IOException {
    String park = "jdk.internal.misc.Unsafe.park";
    String queue = "java.util.concurrent.SynchronousQueue.poll";
    String task = "java.util.concurrent.FutureTask.run";
    waits(ORDER, 10, task, "com.acme.Task.run", "libc.so.unknown");
    waits(
        ORDER, 20, "com.acme.Db.open", "com.zaxxer.hikari.util.ConcurrentBag.borrow", queue, park);
    waits(ORDER, 30, "com.acme.Report.write", "libjvm.so.SafepointSynchronize::block", "syscall");
    waits(
        ORDER, 40, "com.acme.First.use", "java.lang.ClassLoader.loadClass", "ObjectMonitor::enter");
    waits(ORDER, 50, task, "io.netty.Loop.run", "libc.so.other");
    computes(LIST, 1, "com.acme.Lists.all");

    String answer = ask(0, "waiting", "--endpoint", "GET /order", input());

    assertThat(answer)
        .contains("| unknown | 60.000 |")
        .contains("| a connection of a pool | 20.000 |")
        .contains("| a pause of the JVM | 30.000 |")
        .contains("| loading of classes | 40.000 |")
        .contains("`methods --kind alloc --endpoint 'GET /order'`")
        .doesNotContain("another thread");
  }

  @Test
  void waitsForLocks_nameWhatElseTheClassDoes() throws IOException {
    waits(
        ORDER,
        400,
        "com.acme.Stock.reserve",
        "java.util.concurrent.locks.ReentrantLock.lock",
        "jdk.internal.misc.Unsafe.park");
    computes(LIST, 3, "com.acme.Lists.all", "com.acme.Stock.count", "java.util.HashMap.size");
    ProfileData job =
        new ProfileData()
            .service("shop")
            .threadSample(
                "job",
                START,
                9,
                List.of("com.acme.Job.run", "com.acme.Stock.save", "com.acme.Zip.pack", "deflate"));

    assertThat(ask(0, "waiting", "--endpoint", "GET /order", input(job)))
        .contains("Who holds a lock is not recorded.")
        .contains("in ms: Zip.pack ← Stock.save 90.000, Stock.count 30.000.");
  }

  @Test
  void endpoints_beginWithTheSlowOneAndNameTheNextQuestion() throws IOException {
    waits(ORDER, 700, "com.acme.Orders.place", "java.lang.Thread.sleep");
    computes(ORDER, 1, "com.acme.Orders.place");
    computes(LIST, 9, "com.acme.Lists.all");
    traces.root(3, "GET /it's", START, START + 100 * MS);
    traces.root(4, "GET /it's", START, START + 110 * MS);

    String answer = ask(0, "endpoints", input());

    assertThat(rows(answer))
        .extracting(row -> row.split(" [|] ")[0])
        .startsWith("| GET /order", "| GET /it's", "| GET /list");
    assertThat(rows(answer).get(0)).endsWith("| 700.000 | waiting |");
    assertThat(rows(answer).get(1)).endsWith("| not known |");
    assertThat(answer).contains("Next: `waiting --endpoint 'GET /order'`.");
    assertThat(ask(0, "waiting", input())).contains("Next: `waiting --endpoint 'GET /order'`.");
    assertThat(ask(0, "methods", "--endpoint", "GET /order", input()))
        .contains("wait for longer than they use CPU: `waiting --endpoint 'GET /order'`");
    assertThat(ask(0, "waiting", "--endpoint", "GET /list", input()))
        .contains("`methods --endpoint 'GET /list'`");
  }

  @Test
  void garbageCollection_leadsToWhatAllocates() throws IOException {
    computes(LIST, 6, "com.acme.Lists.all");
    ProfileData threads =
        new ProfileData()
            .service("shop")
            .threadSample("GC Thread#1", START, 4, List.of("libjvm.so.G1ParScanThreadState::x"));

    assertThat(ask(0, "endpoints", input(threads)))
        .contains("Garbage collection used 40.0 % of all CPU time: `methods --kind alloc`.");
  }

  @Test
  void ownCode_ofOneEndpoint_isThatOfTheMainMethod() throws IOException {
    computes(ORDER, 3, "net.framework.Route.run", "com.acme.Orders.place", "com.vendor.Pdf.write");
    ProfileData main =
        new ProfileData()
            .service("shop")
            .threadSample("DestroyJavaVM", START, 1, List.of("com.acme.Main.main"));

    assertThat(rows(ask(0, "methods", "--endpoint", "GET /order", input(main))).get(0))
        .startsWith("| com.acme.Orders.place |");
  }

  @Test
  void classes_areBelowTheMethodsThatAllocateThem() throws IOException {
    ProfileData allocated =
        new ProfileData()
            .service("shop")
            .type("alloc_space", "bytes")
            .kinds(Map.of("byte[]", "class"))
            .value(traceId(ORDER), spanId(ORDER), 9_000_000, below("s", "com.acme.A.a", "byte[]"));

    String answer = ask(0, "methods", "--kind", "alloc", input(allocated));

    assertThat(rows(answer).get(0)).startsWith("| com.acme.A.a |");
    assertThat(answer).contains("| class | MB | % |");
  }

  @Test
  void methods_withLongNamesAndManyClasses_haveThreeRows() throws IOException {
    ProfileData allocated = new ProfileData().service("shop").type("alloc_space", "bytes");
    Map<String, String> kinds = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      String type = "c".repeat(80) + i;
      kinds.put(type, "class");
      List<String> frames = new ArrayList<>();
      for (int depth = 0; depth < 9; depth++) {
        frames.add("com.acme." + "x".repeat(90) + ".of" + i + "_" + depth);
      }
      frames.add(type);
      allocated
          .kinds(kinds)
          .value(
              traceId(ORDER), spanId(ORDER), 1_000_000, below("s", frames.toArray(new String[0])));
    }

    String answer = ask(0, "methods", "--kind", "alloc", input(allocated));

    assertThat(rows(answer).subList(0, 3)).allSatisfy(row -> assertThat(row).contains(" ← …"));
    assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(4_000);
  }

  @Test
  void ownCode_ofAMainMethodInAPackageOfAll_isNotAllOfThem() throws IOException {
    computes(ORDER, 5, "com.acme.Orders.place", "org.apache.commons.lang3.Text.join");
    computes(LIST, 5, "com.acme.Lists.all", "com.vendor.Pdf.write");
    ProfileData main =
        new ProfileData()
            .service("shop")
            .threadSample("main", START, 1, List.of("com.Main.main"))
            .threadSample("main", START, 1, List.of("org.apache.Main.main"));

    assertThat(ask(0, "methods", input(main))).contains("Own code: com.acme. ");
  }

  @Test
  void ownCode_inAPackageOfALibrary_isThatOfTheMainMethod() throws IOException {
    computes(ORDER, 5, "com.google.shop.Orders.place", "com.google.common.base.Joiner.join");
    computes(LIST, 5, "com.google.shop.Lists.all", "com.google.gson.Gson.toJson");
    ProfileData main =
        new ProfileData()
            .service("shop")
            .threadSample(
                "main",
                START,
                1,
                List.of(
                    "org.springframework.boot.loader.launch.JarLauncher.main",
                    "com.google.shop.start.Main.main",
                    "java.lang.Class.forName"));

    String answer = ask(0, "methods", input(main));

    assertThat(rows(answer).subList(0, 2))
        .allSatisfy(row -> assertThat(row).startsWith("| com.google.shop.").contains("| 50.000 |"));
    assertThat(answer).contains("Own code: com.google.shop. `--package` sets others.");
  }

  @Test
  void ownCode_besideTheLauncherOfTheSameGroup_isThatOfTheMainMethod() throws IOException {
    computes(ORDER, 5, "org.springframework.samples.pets.Orders.place", "java.util.List.of");
    computes(LIST, 5, "org.springframework.web.servlet.View.render");
    String[] stack = {
      "org.springframework.boot.loader.launch.JarLauncher.main",
      "org.springframework.samples.pets.Main.main"
    };
    ProfileData main =
        new ProfileData().service("shop").threadSample("main", START, 1, List.of(stack));

    assertThat(ask(0, "methods", input(main)))
        .contains("Own code: org.springframework.samples. `--package` sets others.");
  }

  @Test
  void ownCode_thatIsNotKnown_isAskedFor() throws IOException {
    computes(ORDER, 5, "org.apache.shop.Orders.place", "org.apache.commons.lang3.Text.join");
    computes(LIST, 5, "org.apache.shop.Lists.all");

    assertThat(ask(0, "methods", input()))
        .contains("name your packages with `--package com.example`");
    assertThat(ask(0, "methods", "--package", "org.apache.shop", input()))
        .contains("Own code: org.apache.shop. `--package` sets others.");
  }

  @Test
  void ownCode_isNeverThatOfThePlugIn() throws IOException {
    computes(ORDER, 1, "io.flamespan.correlation.internal.context.RecordFactory.around");
    computes(LIST, 1, "com.acme.Lists.all");

    assertThat(ask(0, "methods", input()))
        .contains("Own code: com.acme. ")
        .doesNotContain("RecordFactory.around | – | 10.000");
  }
}
