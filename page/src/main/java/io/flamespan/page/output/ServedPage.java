/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;
import java.util.Optional;

/** The page for a server: the data apart from the rest, which stays the same. */
public final class ServedPage {
  private final Page.Around served = Page.served();
  private final Page.Around file = Page.ofFile();

  /** The data, in JSON. */
  public static byte[] data(Results results, Optional<Comparison> comparison, List<String> problems)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Writer out = new OutputStreamWriter(bytes, UTF_8)) {
      Page.writeData(out, new PageData(results, comparison), problems);
    }
    return bytes.toByteArray();
  }

  /** The content security policy of the page that follows the server. */
  public String policy() {
    return served.policy();
  }

  /**
   * Writes the page that follows the server from this version on.
   *
   * @param version needs no escapes
   * @param range the query of an address that has the range of the data, which needs no escapes
   */
  public void write(OutputStream out, byte[] data, String version, String range)
      throws IOException {
    String tag = served.before().substring(0, served.before().length() - 1);
    String attributes = " data-version=\"" + version + "\" data-range=\"" + range + "\">";
    write(out, tag + attributes, data, served.after());
  }

  /** Writes the page as it is without a server. */
  public void writeFile(OutputStream out, byte[] data) throws IOException {
    write(out, file.before(), data, file.after());
  }

  private static void write(OutputStream out, String before, byte[] data, String after)
      throws IOException {
    out.write(before.getBytes(UTF_8));
    out.write(data);
    out.write(after.getBytes(UTF_8));
  }
}
