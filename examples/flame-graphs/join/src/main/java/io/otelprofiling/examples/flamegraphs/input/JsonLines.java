/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.otelprofiling.examples.flamegraphs.input;

import com.google.gson.stream.JsonReader;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.otelprofiling.examples.flamegraphs.Problems;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/** OTLP JSON with one message a line, or with one message that takes all lines of the file. */
final class JsonLines {
  private final String file;
  private final Messages messages;
  private final Problems problems;
  private JsonFormat.Parser parser = JsonFormat.parser();

  JsonLines(String file, Messages messages, Problems problems) {
    this.file = file;
    this.messages = messages;
    this.problems = problems;
  }

  void read(InputStream bytes) throws IOException {
    Lines lines = new Lines(bytes);
    int number = 0;
    try {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        number++;
        String text = new String(line, StandardCharsets.UTF_8).strip();
        if (number == 1 && text.equals("{")) {
          text += new String(lines.rest(), StandardCharsets.UTF_8);
        }
        if (lines.tooLong()) {
          problems.add(
              OtlpFile.NOT_READ,
              where(number) + " is longer than " + Lines.LIMIT + " bytes; send smaller batches");
        } else if (!text.isEmpty()) {
          message(text, where(number));
        }
      }
    } catch (EOFException e) {
      problems.add(
          OtlpFile.CUT,
          file + " ends within compressed data; the " + number + " lines before were read");
    }
  }

  private String where(int line) {
    return file + " line " + line;
  }

  private void message(String text, String where) {
    try {
      switch (kind(text)) {
        case TRACES -> {
          TracesData.Builder traces = TracesData.newBuilder();
          merge(text, traces, where);
          messages.traces(traces.build(), IdForm.HEX_READ_AS_BASE64, where);
        }
        case PROFILES -> {
          ProfilesData.Builder profiles = ProfilesData.newBuilder();
          merge(text, profiles, where);
          messages.profiles(profiles.build(), IdForm.HEX_READ_AS_BASE64, where);
        }
        default ->
            problems.add(
                OtlpFile.NOT_READ, where + " has neither resourceSpans nor resourceProfiles");
      }
    } catch (IOException e) {
      if (text.endsWith("}")) {
        problems.add(OtlpFile.NOT_READ, where + " is not OTLP JSON: " + e.getMessage());
      } else {
        problems.add(OtlpFile.CUT, where + " is not whole and was left out");
      }
    }
  }

  private enum Kind {
    TRACES,
    PROFILES,
    OTHER
  }

  private static Kind kind(String text) throws IOException {
    try (JsonReader json = new JsonReader(new StringReader(text))) {
      json.beginObject();
      while (json.hasNext()) {
        switch (json.nextName()) {
          case "resourceSpans", "resource_spans" -> {
            return Kind.TRACES;
          }
          case "resourceProfiles", "resource_profiles" -> {
            return Kind.PROFILES;
          }
          default -> json.skipValue();
        }
      }
      return Kind.OTHER;
    }
  }

  /** A field that is not known is told once, and not looked for any more. */
  private void merge(String text, Message.Builder message, String where)
      throws InvalidProtocolBufferException {
    try {
      parser.merge(text, message);
    } catch (InvalidProtocolBufferException e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.startsWith("Cannot find field")) {
        throw e;
      }
      problems.add(
          "another version of OTLP",
          where + ": " + reason.lines().findFirst().orElse("") + " The field is left out.");
      parser = JsonFormat.parser().ignoringUnknownFields();
      message.clear();
      parser.merge(text, message);
    }
  }
}
