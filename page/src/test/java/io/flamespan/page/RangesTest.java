/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.serve.PageServer;
import io.flamespan.page.serve.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges that readers choose: who waits for which, and what ends them. */
class RangesTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Opened> opened = new ConcurrentHashMap<>();
  private final List<String> ends = Collections.synchronizedList(new ArrayList<>());
  private PageServer server;

  /** A range of the same files. It is read only when it may be, or fails once it is closed. */
  private final class Opened implements Source {
    private final Range range;
    private final Source files;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch maySucceed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean fails;
    private boolean isFirst = true;

    Opened(Range range, Source files) {
      this.range = range;
      this.files = files;
    }

    @Override
    public boolean read() throws IOException {
      boolean changed = isFirst || fails;
      isFirst = false;
      boolean unused = files.read();
      return changed;
    }

    @Override
    public Optional<Joined> join() throws IOException {
      begun.countDown();
      if (!range.from().startsWith("-1d")) {
        await(maySucceed);
      }
      if (range.from().equals("-1d6h")) {
        throw new IllegalArgumentException("not of the range");
      }
      if (ended.getCount() == 0 || fails || range.from().equals("-4h")) {
        throw new UncheckedIOException(new IOException("a query failed: <b>"));
      }
      return range.from().equals("-5h") ? Optional.empty() : files.join();
    }

    @Override
    public String nothing() {
      return "no span in this range";
    }

    @Override
    public Optional<Range> range() {
      return Optional.of(range);
    }

    @Override
    public Source in(Range other) {
      if (other.from().startsWith("yester")) {
        throw new IllegalArgumentException("from is " + other.from());
      }
      return open(other);
    }

    @Override
    public void close() {
      ends.add(range.from());
      ended.countDown();
      maySucceed.countDown();
    }
  }

  private Opened open(Source.Range range) {
    try {
      Source files =
          new ServedFiles(
              Arguments.of(new String[] {directory.resolve("in").toString()}), line -> {});
      Opened source = new Opened(range, files);
      opened.put(range.from(), source);
      return source;
    } catch (IOException | Arguments.UsageException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    Files.createDirectories(directory.resolve("in"));
    Files.write(
        directory.resolve("in/file"), CollectorFiles.json(Example.shopProfile(), Example.shop()));
    Source whole = open(new Source.Range("-1d", "-0s"));
    server = new PageServer(whole, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", line -> {});
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void range_chosen_isReadWithoutHoldingUpAnybody() throws Exception {
    assertThat(get("data?from=-1h&client=a").statusCode()).isEqualTo(202);
    await(opened.get("-1h").begun);
    assertThat(get("data?from=-1h&client=a").body()).contains("This range is read");
    assertThat(get("?from=-1h").body()).contains("This range is read", "http-equiv=refresh");
    assertThat(get("data").statusCode()).as("the range of the command").isEqualTo(200);

    opened.get("-1h").maySucceed.countDown();
    HttpResponse<String> read = awaitStatus(200, "data?from=-1h&client=a");
    String version = read.headers().firstValue("Flamespan-Version").orElseThrow();
    assertThat(read.body()).isEqualTo(get("data").body());
    assertThat(get("data?from=-1h&client=a&version=" + version).statusCode()).isEqualTo(204);
    assertThat(get("?from=-1h").body()).contains("data-range=\"from=-1h&amp;to=-0s\"");
    assertThat(get("").body()).contains("data-range=\"from=-1d&amp;to=-0s\"");
    assertThat(get("flame-graphs.html?from=-1h").body()).isEqualTo(get("flame-graphs.html").body());
  }

  @Test
  void client_thatGoesAway_endsItsQuery() throws Exception {
    assertThat(get("data?from=-1h&client=a").statusCode()).isEqualTo(202);
    await(opened.get("-1h").begun);

    await(opened.get("-1h").ended);
    assertThat(get("data").statusCode()).isEqualTo(200);
  }

  @Test
  void client_thatChoosesAnotherRange_endsTheFirstUnlessOthersWantIt() throws Exception {
    for (String one : List.of("a", "b")) {
      assertThat(get("data?from=-1h&client=" + one).statusCode()).isEqualTo(202);
    }
    assertThat(get("data?from=-2h&client=a").statusCode()).isEqualTo(202);
    assertThat(ends).isEmpty();

    assertThat(get("data?from=-2h&client=b").statusCode()).isEqualTo(202);
    assertThat(ends).containsExactly("-1h");
    assertThat(get("data?from=-3h&client=b").statusCode()).isEqualTo(202);
    assertThat(ends).containsExactly("-1h");
  }

  @Test
  void ranges_ofManyClients_areRefusedBeyondALimit() throws Exception {
    HttpResponse<String> ninth;
    do { // again if they were asked for so slowly that the first one has ended
      for (int hours = 10; hours < 18; hours++) {
        assertThat(get("data?from=-" + hours + "h&client=" + hours).statusCode()).isIn(202, 503);
      }
      ninth = get("data?from=-20h&client=x");
    } while (ninth.statusCode() == 202);
    assertThat(ninth.statusCode()).isEqualTo(503);
    assertThat(ninth.body()).contains("others look at 8 ranges");

    assertThat(get("data?from=-20h&client=17").statusCode()).as("in place of -17h").isEqualTo(202);
    for (int i = 0; i < 1000; i++) {
      assertThat(get("data?from=-10h&client=c" + i).statusCode()).isEqualTo(202);
    }
  }

  @Test
  void range_thatCannotBeReadAnew_saysWhyBesideWhatThereIs() throws Exception {
    String query = "data?from=-1h&client=a";
    assertThat(get(query).statusCode()).isEqualTo(202);
    Opened source = opened.get("-1h");
    source.maySucceed.countDown();
    HttpResponse<String> first = awaitStatus(200, query);
    assertThat(first.headers().firstValue("Flamespan-Trouble")).isEmpty();

    source.fails = true;
    HttpResponse<String> later;
    do { // until it is read anew
      later = get(query);
    } while (later.headers().firstValue("Flamespan-Trouble").isEmpty());
    assertThat(later.headers().firstValue("Flamespan-Trouble"))
        .hasValue("a%20query%20failed%3A%20%3Cb%3E");
    assertThat(later.body()).isEqualTo(first.body());
  }

  @Test
  void range_thatFails_isToldOnceAndReadAgain() throws Exception {
    assertThat(get("data?from=-4h&client=a").statusCode()).isEqualTo(202);
    Opened first = opened.get("-4h");
    first.maySucceed.countDown();
    assertThat(awaitStatus(503, "data?from=-4h&client=a").body()).contains("a query failed");

    assertThat(get("data?from=-4h&client=a").statusCode()).isEqualTo(202);
    assertThat(opened.get("-4h")).isNotSameAs(first);
    opened.get("-4h").maySucceed.countDown();
    assertThat(awaitPage("?from=-4h", "query failed"))
        .contains("&lt;b>", "The range of serve")
        .doesNotContain("http-equiv=refresh");
  }

  @Test
  void range_withoutData_saysWhatIsMissing() throws Exception {
    assertThat(get("data?from=-5h").statusCode()).isEqualTo(202);
    opened.get("-5h").maySucceed.countDown();

    assertThat(awaitStatus(404, "data?from=-5h").body()).contains("no span in this range");
  }

  @Test
  void range_thatIsNone_isRefusedWithoutMarkup() throws Exception {
    String wrong = URLEncoder.encode("yester<script>&amp;", UTF_8);

    assertThat(get("data?from=" + wrong).statusCode()).isEqualTo(400);
    assertThat(get("?from=" + wrong).body()).contains("yester&lt;script>&amp;amp;");
  }

  @Test
  void address_withTokenAndRange_keepsTheRange() throws Exception {
    HttpResponse<String> answer = get("?token=" + TOKEN + "&from=-1h&to=-30m");

    assertThat(answer.headers().firstValue("Location")).hasValue("/?from=-1h&to=-30m");
  }

  @Test
  void question_thatNamesARange_isAboutIt_andAnyOtherAboutTheCommands() throws Exception {
    CompletableFuture<HttpResponse<String>> later =
        client.sendAsync(
            request("answers/endpoints?from=-1h"), HttpResponse.BodyHandlers.ofString());
    while (!opened.containsKey("-1h")) {
      Thread.onSpinWait();
    }
    await(opened.get("-1h").begun);
    String ofCommand = get("answers/endpoints").body();
    assertThat(later).isNotDone();
    opened.get("-1h").maySucceed.countDown();
    assertThat(later.get().body()).isEqualTo(ofCommand).contains("GET /checkout");

    assertThat(get("answers/endpoints?from=-1d5h").body()).isEqualTo(ofCommand);
    assertThat(opened).containsKey("-1d5h");
    assertThat(get("answers/endpoints?from=yesterday").statusCode()).isEqualTo(400);
    assertThat(get("answers/endpoints?from=-1d6h").statusCode()).isEqualTo(500);
    assertThat(get("answers/endpoints?to=-1h").body()).contains("to needs from");
    assertThat(get("answers/methods?from=-1d&endpont=x").body()).contains("no argument endpont");
  }

  /** Else they would have all threads of the server. */
  @Test
  void questions_aboutRangesThatAreRead_areLimited() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      asked.add(
          client.sendAsync(
              request("answers/endpoints?from=-" + (10 + i % 4) + "h"),
              HttpResponse.BodyHandlers.ofString()));
    }
    CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)).get();

    assertThat(asked.stream().filter(CompletableFuture::isDone).map(one -> one.join().body()))
        .singleElement()
        .asString()
        .contains("too many questions about ranges");
    opened.values().forEach(one -> one.maySucceed.countDown());
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      assertThat(one.get().statusCode()).isIn(200, 503);
    }
  }

  @Test
  void question_aboutARangeWithoutData_saysWhatIsMissing() throws Exception {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            request("answers/endpoints?from=-5h"), HttpResponse.BodyHandlers.ofString());
    while (!opened.containsKey("-5h")) {
      Thread.onSpinWait();
    }
    opened.get("-5h").maySucceed.countDown();

    assertThat(answer.get().statusCode()).isEqualTo(503);
    assertThat(answer.get().body()).contains("no span in this range");
  }

  @Test
  void tools_ofAServerWithRanges_takeOne() throws Exception {
    assertThat(mcp("{\"method\":\"tools/list\"}")).contains("\"from\":{", "\"to\":{");
    String call = "{\"method\":\"tools/call\",\"params\":{\"name\":\"endpoints\",\"arguments\":";
    assertThat(mcp(call + "{\"from\":\"-1d5h\"}}}")).contains("GET /checkout");
    assertThat(opened).containsKey("-1d5h");
    assertThat(mcp(call + "{\"from\":\"-1d7h\",\"to\":null}}}")).contains("GET /checkout");
    assertThat(opened.get("-1d7h").range.to()).isEqualTo("-0s");
    assertThat(mcp(call + "{\"from\":\"\",\"to\":null}}}")).contains("GET /checkout");
    assertThat(mcp(call + "{\"from\":\"yesterday\"}}}")).contains("from is yesterday");
  }

  @Test
  void range_toBeKept_isNotReadForIt() throws Exception {
    assertThat(get("data?keep&from=-1d5h").statusCode()).isEqualTo(204);

    assertThat(opened).doesNotContainKey("-1d5h");
  }

  @Test
  void files_askedForARange_refuseIt() throws Exception {
    server.close();
    Source files =
        new ServedFiles(
            Arguments.of(new String[] {directory.resolve("in").toString()}), line -> {});
    server = new PageServer(files, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", line -> {});

    assertThat(get("data?from=-1h").statusCode()).isEqualTo(400);
    assertThat(get("").body()).contains("data-range=\"\"");
    assertThat(get("answers/endpoints?from=-1h").body()).contains("files have no range");
    assertThat(mcp("{\"method\":\"tools/list\"}")).doesNotContain("\"from\"");
  }

  private HttpResponse<String> awaitStatus(int status, String path) throws Exception {
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() == 202) {
      answer = get(path);
    }
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer;
  }

  private String awaitPage(String path, String text) throws Exception {
    String page = get(path).body();
    while (page.contains("This range is read")) {
      page = get(path).body();
    }
    assertThat(page).contains(text);
    return page;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path))
        .header("Authorization", "Bearer " + TOKEN)
        .build();
  }

  private String mcp(String message) throws Exception {
    String text = message.replaceFirst("\\{", "{\"jsonrpc\":\"2.0\",\"id\":1,");
    HttpRequest request =
        HttpRequest.newBuilder(request("mcp"), (name, value) -> true)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(text))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }
}
