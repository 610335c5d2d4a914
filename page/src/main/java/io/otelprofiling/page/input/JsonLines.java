/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import com.google.gson.stream.JsonReader;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.otelprofiling.page.Problems;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipException;

/** OTLP JSON: messages one after the other, usually each on a line of its own. */
final class JsonLines {
  private final String file;
  private final Messages messages;
  private final Problems problems;
  private volatile JsonFormat.Parser parser = JsonFormat.parser();

  JsonLines(String file, Messages messages, Problems problems) {
    this.file = file;
    this.messages = messages;
    this.problems = problems;
  }

  void read(InputStream bytes) throws IOException {
    JsonValues values = new JsonValues(new Lines(bytes));
    try (InOrder parsing = new InOrder()) {
      try {
        for (JsonValues.Value read = values.next(); read != null; read = values.next()) {
          submit(read, parsing);
        }
        parsing.finish();
      } catch (EOFException | ZipException e) {
        parsing.finish();
        problems.add(
            OtlpFile.CUT,
            file
                + " ends within compressed data; the "
                + values.linesRead()
                + " lines before were read");
      }
    }
  }

  private void submit(JsonValues.Value value, InOrder parsing) {
    String where = where(value.line());
    if (value.tooLong()) {
      parsing.submit(
          0,
          () -> problem(where + " is longer than " + Lines.LIMIT + " bytes; send smaller batches"));
    } else if (!value.whole()) {
      parsing.submit(
          0, () -> () -> problems.add(OtlpFile.CUT, where + " is not whole and was left out"));
    } else {
      parsing.submit(value.json().length, () -> message(value.json(), where));
    }
  }

  private String where(int line) {
    return file + " line " + line;
  }

  /** Parses on any thread. The result is for the reading thread. */
  private Runnable message(byte[] json, String where) {
    try {
      return switch (kind(json)) {
        case TRACES -> {
          TracesData.Builder traces = TracesData.newBuilder();
          Runnable told = merge(json, traces, where);
          yield () -> {
            told.run();
            messages.traces(traces.build(), IdForm.HEX_READ_AS_BASE64, where);
          };
        }
        case PROFILES -> {
          ProfilesData.Builder profiles = ProfilesData.newBuilder();
          Runnable told = merge(json, profiles, where);
          yield () -> {
            told.run();
            messages.profiles(profiles.build(), IdForm.HEX_READ_AS_BASE64, where);
          };
        }
        case OTHER -> problem(where + " has neither resourceSpans nor resourceProfiles");
      };
    } catch (IOException | RuntimeException e) { // the parser throws both for malformed values
      return problem(where + " is not OTLP JSON: " + e.getMessage());
    }
  }

  private Runnable problem(String detail) {
    return () -> problems.add(OtlpFile.NOT_READ, detail);
  }

  private enum Kind {
    TRACES,
    PROFILES,
    OTHER
  }

  /** Avoids a string, as a large one for each line would burden the garbage collector. */
  private static Reader reader(byte[] json) {
    return new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8);
  }

  private static Kind kind(byte[] line) throws IOException {
    if (line[0] != '{') {
      return Kind.OTHER;
    }
    try (JsonReader json = new JsonReader(reader(line))) {
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

  /** Stops checking fields after the first unknown one. */
  private Runnable merge(byte[] json, Message.Builder message, String where) throws IOException {
    try {
      parser.merge(reader(json), message);
      return () -> {};
    } catch (InvalidProtocolBufferException e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.startsWith("Cannot find field")) {
        throw e;
      }
      parser = JsonFormat.parser().ignoringUnknownFields();
      message.clear();
      parser.merge(reader(json), message);
      String field = reason.lines().findFirst().orElse("");
      return () ->
          problems.add("another version of OTLP", where + ": " + field + " The field is left out.");
    }
  }
}
