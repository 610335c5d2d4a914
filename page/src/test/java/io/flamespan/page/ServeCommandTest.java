/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.serve.PageServer;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user starts it. */
class ServeCommandTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @TempDir Path directory;

  @Test
  void command_beforeAProcessWrites_printsTheAddressAndFollows() throws Exception {
    Process server = start(directory.toString(), "--port", "0");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      String line = lines.readLine();
      assertThat(line).matches("Page: http://127\\.0\\.0\\.1:[0-9]+/\\?token=[0-9a-f]{48}");
      String[] parts = line.substring("Page: ".length()).split("\\?token=", 2);
      URI address = URI.create(parts[0]);
      Socket slow = new Socket(address.getHost(), address.getPort());
      slow.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(UTF_8));
      HttpRequest data =
          HttpRequest.newBuilder(URI.create(parts[0] + "data"))
              .header("Authorization", "Bearer " + parts[1])
              .timeout(Duration.ofMinutes(1))
              .build();
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<String> answer = client.send(data, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(204);

      Files.write(directory.resolve("file"), CollectorFiles.json(Example.shop()));
      long began = System.nanoTime();
      while (answer.statusCode() == 204 && System.nanoTime() - began < MINUTE) {
        answer = client.send(data, HttpResponse.BodyHandlers.ofString());
      }
      assertThat(answer.body()).contains("GET /checkout");
      slow.setSoTimeout(120_000);
      assertThat(slow.getInputStream().read()).as("the server hangs up").isEqualTo(-1);
      slow.close();
      List<Socket> allThreads = new ArrayList<>();
      for (int i = 0; i < 70; i++) {
        Socket one = new Socket(address.getHost(), address.getPort());
        one.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(UTF_8));
        allThreads.add(one);
      }
      int status = 0;
      for (began = System.nanoTime(); status == 0 && System.nanoTime() - began < 2 * MINUTE; ) {
        try {
          status = client.send(data, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
          // It waited for a thread too long.
        }
      }
      assertThat(status).isEqualTo(200);
      for (Socket one : allThreads) {
        one.close();
      }
      assertThat(server.isAlive()).isTrue();
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  @Test
  void input_thatCannotBeRead_isRefusedInOneLine() throws IOException {
    Path foreign = Files.writeString(directory.resolve("foreign"), "no OTLP");

    assertThat(refused(directory.resolve("missing").toString())).contains("missing does not exist");
    assertThat(refused(foreign.toString()))
        .contains("no span and no sample in " + foreign, "begins with byte 0x6e");
    assertThat(refused("--baseline", foreign.toString(), foreign.toString()))
        .contains("is also in the baseline");
  }

  @Test
  void arguments_thatAreWrong_areNamedWithWhatToDo() throws IOException {
    String files = directory.toString();

    assertThat(refused("--port", "65536", files)).contains("--port is 65536");
    assertThat(refused("--port", "x", files)).contains("0 for any port");
    assertThat(refused("--port")).contains("--port needs a value");
    assertThat(refused("--bind", "no such host", files)).contains("no such host");
    assertThat(refused("--clickhouse", "http://127.0.0.1:1", "--from", "-1h"))
        .contains("127.0.0.1:1")
        .hasLineCount(1);
    assertThat(refused("--clickhouse", "http://127.0.0.1:1")).contains("needs --from");
  }

  @Test
  void token_chosenTooShort_isRefused() throws Exception {
    for (String token : List.of("", "short", "with spaces in between", "a;b=0123456789abcdef")) {
      ProcessBuilder command = builder(directory.toString(), "--port", "0");
      command.environment().put("FLAMESPAN_PAGE_TOKEN", token);
      Process server = command.redirectErrorStream(true).start();
      assertThat(new String(server.getInputStream().readAllBytes(), UTF_8))
          .contains("FLAMESPAN_PAGE_TOKEN has to be 16 to 200 letters")
          .hasLineCount(1);
      assertThat(server.waitFor()).isEqualTo(2);
    }
  }

  @Test
  void port_taken_isRefused() throws Exception {
    try (ServerSocket usual = new ServerSocket()) {
      try {
        usual.bind(new InetSocketAddress("127.0.0.1", PageServer.USUAL_PORT));
      } catch (BindException e) {
        // Another program has it.
      }
      String port = String.valueOf(PageServer.USUAL_PORT);
      ProcessBuilder chosenPort = builder(directory.toString(), "--port", port);
      ProcessBuilder chosenToken = builder(directory.toString());
      chosenToken.environment().put("FLAMESPAN_PAGE_TOKEN", "0123456789abcdef");
      for (ProcessBuilder command : List.of(chosenPort, chosenToken)) {
        Process server = command.redirectErrorStream(true).start();
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
          assertThat(lines.readLine()).contains("cannot listen at 127.0.0.1 port " + port);
          assertThat(server.waitFor()).isEqualTo(2);
        } finally {
          server.destroy();
        }
      }
    }
  }

  private static Process start(String... arguments) throws IOException {
    return builder(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(FlameGraphs.class.getName());
    command.add("serve");
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("FLAMESPAN_PAGE_TOKEN");
    return builder;
  }

  private static String refused(String... arguments) {
    List<String> all = new ArrayList<>(List.of("serve"));
    all.addAll(Arrays.asList(arguments));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    int status =
        FlameGraphs.run(all.toArray(String[]::new), InputStream.nullInputStream(), out, out);
    assertThat(status).as(printed.toString(UTF_8)).isEqualTo(2);
    return printed.toString(UTF_8).strip();
  }
}
