/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.page.serve.PageServer;
import io.flamespan.page.serve.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server answers to whom, byte by byte over sockets. */
class PageServerTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
  private static final String ASK_ENDPOINTS =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"endpoints\"}}";

  @TempDir Path directory;

  private Path input;
  private Counting source;
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private PageServer server;
  private int port;
  private int more;

  /** Counts how often everything is joined, and fails once or waits if it is told to. */
  private static final class Counting implements Source {
    private final Source source;
    private int joins;
    private volatile Optional<Throwable> failure = Optional.empty();
    private final AtomicBoolean isUsed = new AtomicBoolean();
    private volatile boolean wasShared;
    private volatile CountDownLatch begun = new CountDownLatch(0);
    private volatile CountDownLatch maySucceed = new CountDownLatch(0);

    Counting(Source source) {
      this.source = source;
    }

    @Override
    public boolean read() throws IOException {
      wasShared |= !isUsed.compareAndSet(false, true);
      try {
        return source.read();
      } finally {
        isUsed.set(false);
      }
    }

    @Override
    public String nothing() {
      return source.nothing();
    }

    @Override
    public Optional<Joined> join() throws IOException {
      joins++;
      begun.countDown();
      await(maySucceed);
      Optional<Throwable> now = failure;
      failure = Optional.empty();
      if (now.isPresent() && now.get() instanceof Error error) {
        throw error;
      } else if (now.isPresent()) {
        throw (IOException) now.get();
      }
      return source.join();
    }
  }

  /** An answer as it came. */
  private record Answer(int status, String head, String body) {}

  @BeforeEach
  void start() throws Exception {
    input = Files.createDirectories(directory.resolve("input"));
    Files.write(
        input.resolve("file"),
        CollectorFiles.json(
            Example.shopProfile(), Example.storeProfile(), Example.shop(), Example.store()));
    source =
        new Counting(new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {}));
    server = new PageServer(source, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", told::add);
    port = URI.create(server.address()).getPort();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void address_opened_becomesACookieAndAnAddressWithoutToken() throws IOException {
    Answer first = get("/?token=" + TOKEN);

    assertThat(server.addressWithToken())
        .isEqualTo("http://127.0.0.1:" + port + "/?token=" + TOKEN);
    assertThat(first.status()).isEqualTo(303);
    assertThat(first.head())
        .contains("Location: /\r\n", "HttpOnly", "SameSite=Strict", "Referrer-policy: no-referrer");
    Answer page = get("/", cookie());
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.head())
        .contains("Content-security-policy: default-src 'none'", "frame-ancestors 'none'")
        .contains("connect-src 'self'; style-src 'sha256-");
    assertThat(page.body()).contains("GET /checkout").doesNotContain(TOKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "token=", "%74oken=" + TOKEN, "token=x&tok%65n"})
  void address_withATokenInAnyForm_leadsToTheOneWithout(String query) throws IOException {
    Answer answer = get("/?a=%26&" + query, cookie());

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.head()).contains("Location: /?a=%26\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?token=",
        "?token=0123456789abcdef0123456789abcdee",
        "?token=0123456789abcdef",
        "?TOKEN=x&a&=&b=c=d"
      })
  void token_missingOrWrong_isRefused(String query) throws IOException {
    for (String path : List.of("/", "/data", "/flame-graphs.html", "/answers/endpoints", "/x")) {
      Answer answer = get(path + query);
      assertThat(answer.status()).as(path).isEqualTo(403);
      assertThat(answer.body()).contains("open the address").doesNotContain("checkout");
    }
    assertThat(post("/mcp" + query, PING).status()).isEqualTo(403);
    assertThat(get("/data", "Authorization: Bearer x").status()).isEqualTo(403);
    assertThat(get("/data", "Cookie: flamespan-1=" + TOKEN).status()).isEqualTo(403);
  }

  @Test
  void query_thatIsNone_isRefused() throws IOException {
    assertThat(get("/data?token=%zz").status()).isEqualTo(400);
    assertThat(get("/data?%").status()).isEqualTo(400);
  }

  @Test
  void token_inAnyPlace_isAccepted() throws IOException {
    assertThat(get("/data?token=" + TOKEN).status()).isEqualTo(200);
    assertThat(get("/data", "Authorization: bearer " + TOKEN).status()).isEqualTo(200);
    assertThat(get("/data", "Cookie: a=b; flamespan-" + port + "=" + TOKEN).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.",
        "192.168.0.1",
        "[::2]",
        "a b",
        "::1"
      })
  void host_ofAnotherName_isRefused(String host) throws IOException {
    Answer answer = send("GET /data HTTP/1.1", host, "", cookie());

    assertThat(answer.status()).isGreaterThanOrEqualTo(400);
    assertThat(answer.body()).doesNotContain("checkout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:9", "127.0.0.1:80", "[::1]:7390"})
  void host_ofThisMachine_isAcceptedWithAnyPort(String host) throws IOException {
    assertThat(send("GET /data HTTP/1.1", host, "", cookie()).status()).isEqualTo(200);
  }

  @Test
  void host_twiceOrMissing_isRefused() throws IOException {
    String twice = "GET /data HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n";
    for (String head : List.of(twice, "GET /data HTTP/1.0\r\n")) {
      Answer answer = sendRaw(head + cookie() + "\r\nConnection: close\r\n\r\n");
      assertThat(answer.status()).isGreaterThanOrEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost"
      })
  void origin_ofAForeignPage_isRefused(String origin) throws IOException {
    assertThat(get("/data", cookie(), "Origin: " + origin).status()).isEqualTo(403);
    assertThat(post("/mcp", PING, cookie(), "Origin: " + origin).status()).isEqualTo(403);
    assertThat(get("/data", cookie(), "Origin: http://127.0.0.1:" + port).status()).isEqualTo(200);
  }

  /** Cookies go to all ports, and images have no Origin. */
  @Test
  void image_ofAPageOnAnotherPort_isRefused() throws IOException {
    String[] image = {cookie(), "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Site: same-site"};
    String[] link = {cookie(), "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"};
    String[] own = {cookie(), "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: same-origin"};

    assertThat(get("/answers/endpoints", image).status()).isEqualTo(403);
    assertThat(get("/answers/endpoints", cookie(), "Sec-Fetch-Mode: cors").status()).isEqualTo(403);
    assertThat(get("/", link).status()).isEqualTo(200);
    assertThat(get("/data", own).status()).isEqualTo(200);
  }

  @Test
  void method_thatIsNotKnown_isRefusedWithThoseThatAre() throws IOException {
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "X")) {
      for (String path : List.of("/", "/data", "/answers/endpoints")) {
        Answer answer = send(method + " " + path + " HTTP/1.1", "localhost", "", cookie());
        assertThat(answer.status()).as(method).isEqualTo(405);
        assertThat(answer.head()).contains("Allow: GET, HEAD");
      }
    }
    for (String method : List.of("GET", "DELETE")) {
      Answer answer = send(method + " /mcp HTTP/1.1", "localhost", "", cookie());
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.head()).contains("Allow: POST");
    }
    assertThat(send("HEAD /data HTTP/1.1", "localhost", "", cookie()).body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/file",
        "/input/file",
        "/data/",
        "/flame-graphs.html/..",
        "/answers/",
        "/answers/../data",
        "/answers/mcp",
        "/DATA",
        "/data%00"
      })
  void path_thatIsNotKnown_isNothing(String path) throws IOException {
    assertThat(get(path, cookie()).status()).isEqualTo(404);
  }

  @Test
  void data_asked_areThereOnceAVersion() throws IOException {
    Answer data = get("/data", cookie());
    String version = data.head().replaceFirst("(?s).*Flamespan-version: (\\S+).*", "$1");

    assertThat(JsonParser.parseString(data.body()).getAsJsonObject().has("endpoints")).isTrue();
    assertThat(get("/data?version=" + version, cookie()).status()).isEqualTo(204);
    assertThat(get("/data?version=another-1", cookie()).status()).isEqualTo(200);
  }

  @Test
  void file_saved_isTheOneThatTheProgramWrites() throws IOException {
    Answer file = get("/flame-graphs.html", cookie());

    assertThat(file.head()).contains("attachment; filename=\"flame-graphs.html\"");
    assertThat(file.body()).isEqualTo(Files.readString(JoinRun.of(input).page()));
  }

  @Test
  void question_overHttp_isAnsweredAsByTheCommand() throws IOException {
    Answer methods = get("/answers/methods?endpoint=GET%20/checkout", cookie());

    assertThat(methods.head()).contains("text/markdown");
    assertThat(methods.body())
        .isEqualTo(printed("methods", "--endpoint", "GET /checkout", input.toString()));
    assertThat(get("/answers/methods?endpoint=x", cookie()).status()).isEqualTo(400);
    assertThat(get("/answers/methods?endpont=x", cookie()).body()).contains("no argument endpont");
  }

  @Test
  void mcp_overHttp_followsTheRulesOfTheTransport() throws IOException {
    Answer initialized =
        post(
            "/mcp",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
                + "\"params\":{\"protocolVersion\":\"2025-06-18\"}}",
            bearer());
    assertThat(initialized.head()).contains("Content-type: application/json");
    assertThat(result(initialized).get("protocolVersion").getAsString()).isEqualTo("2025-06-18");
    Answer notified =
        post("/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", bearer());
    assertThat(notified.status()).isEqualTo(202);
    assertThat(notified.body()).isEmpty();
    Answer asked = post("/mcp", ASK_ENDPOINTS, bearer(), "MCP-Protocol-Version: 2025-06-18");
    assertThat(text(asked)).isEqualTo(printed("endpoints", input.toString()));

    assertThat(post("/mcp", PING, bearer(), "MCP-Protocol-Version: 1999-01-01").status())
        .isEqualTo(400);
    assertThat(post("/mcp", "no JSON", bearer()).status()).isEqualTo(400);
    assertThat(post("/mcp", "", bearer()).status()).isEqualTo(400);
    String batch = "[" + PING + "]";
    assertThat(post("/mcp", batch, bearer()).status()).isEqualTo(200);
    assertThat(post("/mcp", "[" + (PING + ",").repeat(50) + PING + "]", bearer()).status())
        .isEqualTo(400);
    assertThat(post("/mcp", batch, bearer(), "MCP-Protocol-Version: 2025-06-18").status())
        .isEqualTo(400);
    assertThat(
            send("POST /mcp HTTP/1.1", "localhost", PING, bearer(), "Content-Type: text/plain")
                .status())
        .isEqualTo(415);
  }

  @Test
  void body_tooLarge_isRefused() throws IOException {
    assertThat(post("/mcp", " ".repeat(1 << 20) + PING, bearer()).status()).isEqualTo(413);
    assertThat(post("/mcp", " ".repeat(1 << 19) + PING, bearer()).status()).isEqualTo(200);
  }

  @Test
  void questions_many_joinTheFilesOnce() throws IOException {
    for (int i = 0; i < 10; i++) {
      assertThat(get("/answers/endpoints", cookie()).status()).isEqualTo(200);
      assertThat(post("/mcp", ASK_ENDPOINTS, bearer()).status()).isEqualTo(200);
    }

    assertThat(source.joins).isEqualTo(1);
  }

  @Test
  void question_afterMoreWasWritten_isAboutAllOfIt() throws IOException {
    more();

    assertThat(get("/answers/endpoints", cookie()).body()).contains("GET /new");
    assertThat(source.joins).isEqualTo(2);
  }

  @Test
  void file_afterNobodyLooked_isAboutAllOfIt() throws IOException {
    more();

    assertThat(get("/flame-graphs.html", cookie()).body()).contains("GET /new");
  }

  @Test
  void join_thatFails_isToldAndTriedAgain() throws IOException {
    List<Throwable> failures = List.of(new IOException("gone"), new OutOfMemoryError("a test"));
    for (Throwable failure : failures) {
      more();
      source.failure = Optional.of(failure);
      Answer answer = get("/answers/endpoints", cookie());
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.body()).containsAnyOf("gone", "the heap is too small").hasLineCount(1);
      assertThat(get("/answers/endpoints", cookie()).body()).contains("GET /new");

      more();
      source.failure = Optional.of(failure);
      assertThat(text(post("/mcp", ASK_ENDPOINTS, bearer())))
          .containsAnyOf("gone", "the heap is too small");
    }
  }

  @Test
  void page_thatCannotBeMadeAnew_isTheLastOne() throws IOException {
    more();
    source.failure = Optional.of(new OutOfMemoryError("a test"));

    Answer last = get("/data", cookie());
    assertThat(last.body()).contains("GET /checkout").doesNotContain("GET /new");
    assertThat(last.head())
        .containsIgnoringCase("Flamespan-Trouble: the%20heap%20is%20too%20small");
    assertThat(told).containsExactly("the heap is too small for what is new; give more with -Xmx");
    assertThat(get("/answers/endpoints", cookie()).body()).contains("GET /new");
  }

  @Test
  void page_beforeThereIsAnything_saysWhyNothingCouldBeRead() throws Exception {
    server.close();
    Files.delete(input.resolve("file"));
    Source files = new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
    server = new PageServer(files, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", told::add);
    port = URI.create(server.address()).getPort();
    Files.writeString(input.resolve("foreign"), "no OTLP");

    assertThat(get("/", cookie()).body()).contains("http-equiv=refresh", "begins with byte 0x6e");
  }

  @Test
  void page_ofDataThatAreGone_saysSoUntilThereAreOthers() throws IOException {
    Files.write(input.resolve("file"), new byte[0]);

    Answer last = get("/data", cookie());
    assertThat(last.body()).contains("GET /checkout");
    String nothing = "There is no span and no sample yet in the file; pages show what was there";
    assertThat(last.head())
        .containsIgnoringCase(
            "Flamespan-Trouble: " + nothing.replace(" ", "%20").replace(";", "%3B"));
    assertThat(get("/answers/endpoints", cookie()).body()).contains(nothing);
    assertThat(get("/data", cookie()).head()).containsIgnoringCase("Flamespan-Trouble");
    assertThat(told).singleElement().asString().contains(nothing);

    more();
    assertThat(get("/answers/endpoints", cookie()).body()).contains("GET /new");
    assertThat(get("/data", cookie()).head()).doesNotContainIgnoringCase("Flamespan-Trouble");
  }

  @Test
  void page_beforeAllIsRead_isOfThePart() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    Path rest = Files.write(directory.resolve("rest"), Files.readAllBytes(input.resolve("file")));
    Files.write(input.resolve("file"), CollectorFiles.json(Example.shopProfile(), Example.shop()));
    Source parts =
        new Source() {
          private final Source files =
              new ServedFiles(Arguments.of(new String[] {input.toString()}), line -> {});
          private volatile boolean isPart = true;
          private boolean hasBegun;

          @Override
          public boolean read() throws IOException {
            return files.read();
          }

          @Override
          public boolean readPart(BooleanSupplier enough) throws IOException {
            if (hasBegun && isPart) {
              await(mayGoOn);
              Files.move(rest, input.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
              isPart = false;
            }
            hasBegun = true;
            return files.read();
          }

          @Override
          public boolean isPart() {
            return isPart;
          }

          @Override
          public Optional<Joined> join() throws IOException {
            return files.join();
          }

          @Override
          public String nothing() {
            return files.nothing();
          }
        };
    server.close();
    server = new PageServer(parts, "127.0.0.1", OptionalInt.of(0), TOKEN, "1", told::add);
    port = URI.create(server.address()).getPort();
    Thread follows = new Thread(server::follow);
    follows.start();
    try {
      String part = get("/data", cookie()).body();
      assertThat(part).contains("GET /checkout").doesNotContain("\"reserve\"");
      mayGoOn.countDown();
      long began = System.nanoTime();
      String all = part;
      while (all.equals(part) && System.nanoTime() - began < TimeUnit.MINUTES.toNanos(1)) {
        TimeUnit.MILLISECONDS.sleep(20);
        all = get("/data", cookie()).body();
      }
      assertThat(all).contains("GET /checkout", "\"reserve\"");
    } finally {
      mayGoOn.countDown();
      follows.interrupt();
      follows.join();
    }
  }

  @Test
  void mcp_whileAQuestionIsAnswered_answersWhatNeedsNoData() throws Exception {
    more();
    source.begun = new CountDownLatch(1);
    source.maySucceed = new CountDownLatch(1);
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      Callable<Answer> ask = () -> get("/answers/endpoints", cookie());
      Future<Answer> asked = client.submit(ask);
      await(source.begun);
      assertThat(post("/mcp", PING, bearer()).status()).isEqualTo(200);
      assertThat(asked.isDone()).isFalse();

      source.maySucceed.countDown();
      assertThat(asked.get().status()).isEqualTo(200);
    } finally {
      source.maySucceed.countDown();
      client.shutdownNow();
    }
  }

  /** Before the half minute ends in which it would wait for the question. */
  @Test
  @Timeout(25)
  void page_whileAQuestionIsAnswered_isTheLastVersion() throws Exception {
    more();
    source.begun = new CountDownLatch(1);
    source.maySucceed = new CountDownLatch(1);
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      Callable<Answer> ask = () -> get("/answers/endpoints", cookie());
      Future<Answer> asked = client.submit(ask);
      await(source.begun);
      assertThat(get("/data", cookie()).body()).doesNotContain("GET /new");

      source.maySucceed.countDown();
      assertThat(asked.get().body()).contains("GET /new");
    } finally {
      source.maySucceed.countDown();
      client.shutdownNow();
    }
  }

  @Test
  void source_followedAndAsked_isReadByOneThreadAtATime() throws Exception {
    Thread following = new Thread(server::follow);
    following.start();
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try {
      Callable<Answer> ask = () -> get("/answers/endpoints", cookie());
      for (int i = 0; i < 20; i++) {
        more();
        assertThat(get("/data", cookie()).status()).isEqualTo(200);
        for (Future<Answer> answer : clients.invokeAll(Collections.nCopies(4, ask))) {
          assertThat(answer.get().body()).contains("GET /new");
        }
      }
    } finally {
      clients.shutdownNow();
      following.interrupt();
      following.join();
    }
    assertThat(source.wasShared).isFalse();
  }

  private void more() throws IOException {
    more++;
    Files.write(
        input.resolve("more"),
        CollectorFiles.json(
            new TraceData("shop")
                .root(6 + more, "GET /new", Example.START, Example.START + more)
                .build()),
        CREATE,
        APPEND);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void clients_many_amongSlowOnes_getTheSame() throws Exception {
    List<Socket> slow = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(20);
    try {
      for (int i = 0; i < 30; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write("GET /data HTTP/1.1\r\nHost: loc".getBytes(UTF_8));
        slow.add(socket);
      }
      Callable<Answer> ask = () -> get("/flame-graphs.html", cookie());
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(clients.submit(ask));
      }
      String expected = Files.readString(JoinRun.of(input).page());
      for (Future<Answer> answer : answers) {
        assertThat(answer.get().body()).isEqualTo(expected);
      }
    } finally {
      clients.shutdownNow();
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void client_thatGoesAway_costsNothing() throws IOException {
    for (int i = 0; i < 200; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String request = "GET /data HTTP/1.1\r\nHost: localhost\r\n" + cookie() + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(UTF_8));
        socket.setSoLinger(true, 0); // resets the connection
      }
    }

    assertThat(get("/data", cookie()).status()).isEqualTo(200);
  }

  /** Each holds a thread of the server, as its answer is larger than the buffers of sockets. */
  @Test
  void clients_thatStopReadingOrGoAwayWithinAnAnswer_holdUpNobody() throws IOException {
    TraceData requests = new TraceData("shop");
    ProfileData large = new ProfileData().service("shop");
    for (int number = 100; number < 110; number++) {
      requests.root(number, "GET /" + number, Example.START, Example.START + 1_000);
      for (int stack = 0; stack < 120; stack++) {
        List<String> frames = new ArrayList<>();
        for (int depth = 0; depth < 60; depth++) {
          frames.add(number + "_" + stack + "_" + depth + "x".repeat(90));
        }
        large.sample(traceId(number), spanId(number), Example.START, 1, frames);
      }
    }
    Files.write(input.resolve("large"), CollectorFiles.protobuf(requests.build(), large.build()));
    int length = get("/data", cookie()).body().length();
    assertThat(length).isGreaterThan(4_000_000);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request = "GET /data HTTP/1.1\r\nHost: localhost\r\n" + cookie() + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(UTF_8));
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        slow.add(socket);
      }
      assertThat(get("/data", cookie()).body()).hasSize(length);
      for (Socket socket : slow) {
        socket.setSoLinger(true, 0); // resets the connection
        socket.close();
      }
      assertThat(get("/data", cookie()).body()).hasSize(length);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void port_taken_isRefusedInOneLine() {
    OptionalInt taken = OptionalInt.of(port);
    assertThatThrownBy(() -> new PageServer(source, "127.0.0.1", taken, TOKEN, "1", line -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen at 127.0.0.1 port " + port);
  }

  private String cookie() {
    return "Cookie: flamespan-" + port + "=" + TOKEN;
  }

  private static String bearer() {
    return "Authorization: Bearer " + TOKEN;
  }

  private Answer get(String path, String... headers) throws IOException {
    return send("GET " + path + " HTTP/1.1", "127.0.0.1:" + port, "", headers);
  }

  private Answer post(String path, String body, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Content-Type: application/json; charset=utf-8");
    return send(
        "POST " + path + " HTTP/1.1", "127.0.0.1:" + port, body, all.toArray(String[]::new));
  }

  private Answer send(String line, String host, String body, String... headers) throws IOException {
    StringBuilder request = new StringBuilder(line + "\r\nHost: " + host + "\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    request.append("Connection: close\r\n");
    if (!body.isEmpty() || line.startsWith("POST")) {
      request.append("Content-Length: ").append(body.getBytes(UTF_8).length).append("\r\n");
    }
    return sendRaw(request + "\r\n" + body);
  }

  private Answer sendRaw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      int end = all.indexOf("\r\n\r\n");
      assertThat(end).as("an answer to " + request.lines().findFirst()).isPositive();
      String head = all.substring(0, end + 2);
      String body = all.substring(end + 4);
      if (head.contains("Transfer-encoding: chunked")) {
        body = dechunked(body);
      }
      int status = Integer.parseInt(head.split(" ", 3)[1]);
      return new Answer(status, head, new String(body.getBytes(ISO_8859_1), UTF_8));
    }
  }

  private static String dechunked(String body) {
    StringBuilder whole = new StringBuilder();
    int at = 0;
    while (at < body.length()) {
      int end = body.indexOf("\r\n", at);
      int length = Integer.parseInt(body.substring(at, end), 16);
      whole.append(body, end + 2, end + 2 + length);
      at = end + 4 + length;
    }
    return whole.toString();
  }

  private static JsonObject result(Answer answer) {
    return JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonObject("result");
  }

  private static String text(Answer answer) {
    return result(answer)
        .getAsJsonArray("content")
        .get(0)
        .getAsJsonObject()
        .get("text")
        .getAsString();
  }

  private static String printed(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out)).isZero();
    return printed.toString(UTF_8);
  }
}
