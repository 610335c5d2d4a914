/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.serve.PageServer;
import io.flamespan.page.serve.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the page over HTTP until the process ends. */
final class ServeCommand {
  static final String NAME = "serve";

  private static final String TOKEN = "FLAMESPAN_PAGE_TOKEN";
  private static final Pattern VALID_TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,200}");
  private static final int MOST_PORT = 65_535;

  private final List<String> rest = new ArrayList<>();
  private String bind = "127.0.0.1";
  private OptionalInt port = OptionalInt.empty();

  private ServeCommand(List<String> arguments) throws Arguments.UsageException {
    for (int i = 0; i < arguments.size(); i++) {
      String option = arguments.get(i);
      if (!option.equals("--port") && !option.equals("--bind")) {
        rest.add(option);
        continue;
      }
      if (++i == arguments.size()) {
        throw new Arguments.UsageException(option + " needs a value after it");
      }
      if (option.equals("--bind")) {
        bind = arguments.get(i);
      } else {
        port = OptionalInt.of(port(arguments.get(i)));
      }
    }
  }

  private static int port(String text) throws Arguments.UsageException {
    if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= MOST_PORT) {
      return Integer.parseInt(text);
    }
    throw new Arguments.UsageException(
        "--port is " + text + ": it has to be a number up to " + MOST_PORT + ", 0 for any port");
  }

  static String token(Map<String, String> environment) throws Arguments.UsageException {
    @Nullable String chosen = environment.get(TOKEN);
    if (chosen != null && !VALID_TOKEN.matcher(chosen).matches()) {
      throw new Arguments.UsageException(
          TOKEN + " has to be 16 to 200 letters, digits, - or _, such as of openssl rand -hex 24");
    }
    return chosen == null ? PageServer.randomToken() : chosen;
  }

  static Source source(Arguments arguments, PrintStream err) throws IOException {
    return arguments.clickHouse().isPresent()
        ? new ServedTables(arguments.clickHouse().get())
        : new ServedFiles(arguments, err::println);
  }

  /** Returns when the thread is interrupted. */
  static void run(List<String> arguments, PrintStream out, PrintStream err)
      throws IOException, Arguments.UsageException {
    ServeCommand command = new ServeCommand(arguments);
    String token = token(System.getenv());
    if (command.port.isEmpty() && System.getenv().containsKey(TOKEN)) {
      // Clients would send the token to whoever has the port.
      command.port = OptionalInt.of(PageServer.USUAL_PORT);
    }
    Arguments read = Arguments.of(command.rest.toArray(String[]::new));
    if (read.gate().isPresent()) {
      throw new Arguments.UsageException(
          Arguments.FAIL_ABOVE + " is for compare or a page, as serve does not end");
    }
    try (Source source = source(read, err);
        PageServer server =
            new PageServer(
                source, command.bind, command.port, token, FlameGraphs.version(), err::println)) {
      out.println("Page: " + server.addressWithToken());
      if (!InetAddress.getByName(command.bind).isLoopbackAddress()) {
        out.println(
            "Whoever reaches "
                + command.bind
                + " and knows this address can read the page, which is not encrypted.");
      }
      out.flush();
      server.follow();
    }
  }
}
