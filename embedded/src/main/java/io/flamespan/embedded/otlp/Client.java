/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.log.Shortened;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client of HTTP or gRPC. Thread-safe. */
interface Client {
  /** A URL, with groups before and after a password. */
  Pattern URL = Pattern.compile("(://)(?:\\S*@)?([^\\s?#]*)\\S*");

  /**
   * Sends a message and does not wait for it.
   *
   * @param onDone receives whether it has arrived, and what is wrong, in a few words, or nothing
   */
  void send(MessageWriter message, BiConsumer<Boolean, String> onDone);

  /** Gives up what is not sent yet. */
  void close();

  /** Returns the provider that OpenTelemetry's exporters use, too. */
  static <P> P find(Class<P> type) throws EmbeddedProfilerException {
    Iterator<P> found = ServiceLoader.load(type, Client.class.getClassLoader()).iterator();
    if (!found.hasNext()) {
      throw new EmbeddedProfilerException(
          "the class path has no client for it. Add opentelemetry-exporter-otlp");
    }
    return found.next();
  }

  /** Returns what a server says, which may be hostile, as a part of a line of the log. */
  static String printable(@Nullable String text) {
    return text == null ? "" : Shortened.of(text.replaceAll("\\p{Cntrl}", "?"));
  }

  /**
   * Returns an exception as a part of a line: without those of other threads around it, and without
   * what may be a password or a key in a URL.
   */
  static String printable(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isAround =
        failure instanceof CompletionException || failure instanceof UncheckedIOException;
    return isAround && cause != null
        ? printable(cause)
        : printable(URL.matcher(failure.toString()).replaceAll("$1$2"));
  }

  /** The bytes of a message. */
  static MessageWriter writer(byte[] message) {
    return new MessageWriter() {
      @Override
      public void writeMessage(OutputStream output) throws IOException {
        output.write(message);
      }

      @Override
      public int getContentLength() {
        return message.length;
      }
    };
  }
}
