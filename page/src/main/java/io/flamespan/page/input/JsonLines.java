/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import java.util.zip.ZipException;

/** OTLP JSON: messages one after the other, usually each on a line of its own. */
final class JsonLines implements GrowingFile.Reader {
  private final String file;
  private final Messages messages;
  private final Problems problems;
  private boolean toldUnknown;
  private int linesBefore;
  private boolean hasRest;

  JsonLines(String file, Messages messages, Problems problems) {
    this.file = file;
    this.messages = messages;
    this.problems = problems;
  }

  void read(InputStream bytes) throws IOException {
    JsonValues values = new JsonValues(new Lines(bytes), 0);
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

  @Override
  public long readWhole(InputStream bytes, long most) throws IOException {
    JsonValues values = new JsonValues(new Lines(bytes), linesBefore);
    long read = 0;
    try (InOrder parsing = new InOrder()) {
      JsonValues.Value value = values.next();
      while (value != null && values.isSure(value)) {
        submit(value, parsing);
        read = values.bytesRead();
        linesBefore = values.linesBefore();
        value = read < most ? values.next() : null;
      }
      parsing.finish();
      hasRest = value != null;
    }
    return read;
  }

  @Override
  public boolean hasRest() {
    return hasRest;
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
      try {
        return parsed(json, where);
      } catch (JsonProcessingException e) { // perhaps of bytes that are not UTF-8
        return parsed(new String(json, UTF_8).getBytes(UTF_8), where);
      }
    } catch (JsonProcessingException e) {
      return problem(where + " is not OTLP JSON: " + e.getOriginalMessage());
    } catch (IOException | RuntimeException e) { // such as of a number
      return problem(where + " is not OTLP JSON: " + e.getMessage());
    }
  }

  private Runnable parsed(byte[] json, String where) throws IOException {
    return switch (kind(json)) {
      case TRACES -> read(json, TracesData.getDescriptor(), messages::traces, where);
      case PROFILES -> read(json, ProfilesData.getDescriptor(), messages::profiles, where);
      case OTHER -> problem(where + " has neither resourceSpans nor resourceProfiles");
    };
  }

  private Runnable read(
      byte[] json, Descriptor type, Supplier<Messages.Message> another, String where)
      throws IOException {
    try {
      Messages.Message message = another.get();
      return read(JsonMessage.read(json, type, message), message, where);
    } catch (InvalidProtocolBufferException
        | InputCoercionException
        | IllegalArgumentException
        | ArithmeticException e) { // of a value
      Messages.Message message = another.get();
      return read(JsonMessage.readLeniently(json, type, message), message, where);
    }
  }

  private Runnable read(String leftOut, Messages.Message message, String where) {
    return () -> {
      tellUnknown(leftOut, where);
      message.add(where);
    };
  }

  private Runnable problem(String detail) {
    return () -> problems.add(OtlpFile.NOT_READ, detail);
  }

  /** Tells the first one of the file. */
  private void tellUnknown(String field, String where) {
    if (!field.isEmpty() && !toldUnknown) {
      toldUnknown = true;
      problems.add("another version of OTLP", where + ": " + field + " The field is left out.");
    }
  }

  private enum Kind {
    TRACES,
    PROFILES,
    OTHER
  }

  private static Kind kind(byte[] line) throws IOException {
    if (line[0] != '{') {
      return Kind.OTHER;
    }
    try (JsonParser json = JsonMessage.parser(line)) {
      json.nextToken();
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        switch (name) {
          case "resourceSpans", "resource_spans" -> {
            return Kind.TRACES;
          }
          case "resourceProfiles", "resource_profiles" -> {
            return Kind.PROFILES;
          }
          default -> {
            json.nextToken();
            json.skipChildren();
          }
        }
      }
      return Kind.OTHER;
    }
  }
}
