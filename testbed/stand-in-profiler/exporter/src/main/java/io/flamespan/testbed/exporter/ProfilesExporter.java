/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.flamespan.testbed.exporter.InputLine.End;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.util.Map;

/**
 * Sends the samples of the stand-in profiler to a receiver of OTLP profiles. The stand-in starts
 * it, with a socket as its standard input. It reads lines of JSON from the socket, and writes one
 * byte to it when it is ready, and the fields of the summary at the end. The arguments are the URL
 * and the seconds between exports. The exit status is 2 if the URL is wrong.
 */
public final class ProfilesExporter {
  private ProfilesExporter() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ProfilesReceiver receiver = null;
    try {
      receiver = new ProfilesReceiver(args[0]);
    } catch (URISyntaxException e) {
      say("--otlp %s: the URL is not one of a receiver: %s", args[0], e.getReason());
      System.exit(2);
    }
    // The standard output is for messages of the JVM.
    try (OutputStream out = new FileOutputStream(FileDescriptor.in)) {
      out.write('\n');
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
      for (Map.Entry<String, Long> counter :
          export(lines, receiver, Double.parseDouble(args[1])).entrySet()) {
        out.write(
            "  \"%s\": %d,\n".formatted(counter.getKey(), counter.getValue()).getBytes(UTF_8));
      }
    }
  }

  /** Exports all samples until the end of the input. Returns the counters by their names. */
  static Map<String, Long> export(
      BufferedReader lines, ProfilesReceiver receiver, double intervalSeconds)
      throws IOException, InterruptedException {
    Gson gson = new Gson();
    Delivery delivery = null;
    End end = new End(0, 0);
    try {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        InputLine line = gson.fromJson(text, InputLine.class);
        if (line.source() != null) {
          delivery = new Delivery(receiver, intervalSeconds, line.source());
        } else if (line.sample() != null) {
          delivery.add(line.sample());
        } else {
          end = line.end();
        }
      }
    } catch (JsonParseException e) {
      say("the stand-in profiler has ended within a line");
    }
    return delivery == null ? Map.of() : delivery.end(end);
  }

  /** Prints one line to the standard error, which the stand-in and its command share. */
  static void say(String format, Object... arguments) {
    System.err.println("stand-in-profiler: " + format.formatted(arguments));
  }
}
