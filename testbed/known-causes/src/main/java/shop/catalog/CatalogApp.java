/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package shop.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.littleweb.Web;

/** One call to a backend for each article. */
public final class CatalogApp {
  private CatalogApp() {}

  interface Prices {
    String price(int article) throws IOException;
  }

  static final class RemotePrices implements Prices {
    private final int port;

    RemotePrices(int port) {
      this.port = port;
    }

    @Override
    public String price(int article) throws IOException {
      try (InputStream in =
          URI.create("http://127.0.0.1:" + port + "/" + article).toURL().openStream()) {
        return new String(in.readAllBytes(), UTF_8);
      }
    }
  }

  static final class CatalogService {
    private final Prices prices;

    CatalogService(Prices prices) {
      this.prices = prices;
    }

    private String line(int article) {
      try {
        return article + ": " + prices.price(article);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    String listWithPrices(List<Integer> articles) {
      return articles.stream().map(this::line).collect(Collectors.joining(", "));
    }
  }

  /** A backend of another team, which takes some milliseconds for each answer. */
  private static int backend() throws IOException {
    ServerSocket backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try (Socket socket = backend.accept()) {
                  socket.getInputStream().read(new byte[4096]);
                  Thread.sleep(4);
                  socket
                      .getOutputStream()
                      .write("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\n9.99".getBytes(UTF_8));
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return backend.getLocalPort();
  }

  public static void main(String[] args) throws Exception {
    CatalogService service = new CatalogService(new RemotePrices(backend()));
    List<Integer> articles = IntStream.range(0, 30).boxed().toList();
    new Web()
        .on("/brands", query -> Web.digest("brands"))
        .on("/catalog", query -> service.listWithPrices(articles))
        .on("/shops", query -> Web.digest("shops"))
        .on("/imprint", query -> "imprint")
        .onTheJdk();
  }
}
