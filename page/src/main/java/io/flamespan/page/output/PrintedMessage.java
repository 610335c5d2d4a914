/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.flamespan.page.input.Fields;
import io.flamespan.page.input.Messages;
import io.flamespan.page.input.Problems;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A message of any form, which is printed as a line of OTLP JSON. */
public final class PrintedMessage implements Messages.Message {
  private static final JsonFactory JSON = new JsonFactory();

  private final Descriptor type;
  private final PrintStream out;
  private final Problems problems;
  private final PrintedMessage whole; // this, or what this is within
  private final Map<FieldDescriptor, List<Object>> fields = new TreeMap<>();
  private boolean anyUnknown; // of the whole

  public PrintedMessage(Descriptor type, PrintStream out, Problems problems) {
    this.type = type;
    this.out = out;
    this.problems = problems;
    this.whole = this;
  }

  private PrintedMessage(Descriptor type, PrintedMessage whole) {
    this.type = type;
    this.out = whole.out;
    this.problems = whole.problems;
    this.whole = whole;
  }

  @Override
  public Fields message(int field) {
    PrintedMessage below =
        new PrintedMessage(type.findFieldByNumber(field).getMessageType(), whole);
    keep(field, below);
    return below;
  }

  @Override
  public void number(int field, long value) {
    keep(field, value);
  }

  @Override
  public void text(int field, String value) {
    keep(field, value);
  }

  @Override
  public void bytes(int field, byte[] value) {
    boolean isId = type.findFieldByNumber(field).getName().endsWith("_id");
    keep(field, isId ? HexFormat.of().formatHex(value) : Base64.getEncoder().encodeToString(value));
  }

  @Override
  public void unknown() {
    whole.anyUnknown = true;
  }

  private void keep(int field, Object value) {
    fields.computeIfAbsent(type.findFieldByNumber(field), unused -> new ArrayList<>()).add(value);
  }

  /** Prints the line. */
  @Override
  public void add(String where) {
    if (anyUnknown) {
      problems.add(
          "not read", where + " has fields that traces and profiles of this version do not have");
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    line.write('\n');
    out.writeBytes(line.toByteArray());
  }

  private void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (Map.Entry<FieldDescriptor, List<Object>> of : fields.entrySet()) {
      FieldDescriptor field = of.getKey();
      List<Object> values = of.getValue();
      json.writeFieldName(field.getJsonName());
      if (field.isRepeated()) {
        json.writeStartArray();
        for (Object value : values) {
          write(json, field, value);
        }
        json.writeEndArray();
      } else {
        write(json, field, values.get(values.size() - 1));
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, FieldDescriptor field, Object value)
      throws IOException {
    if (value instanceof PrintedMessage message) {
      message.write(json);
    } else if (value instanceof Long number) {
      writeNumber(json, field, number);
    } else {
      json.writeString((String) value);
    }
  }

  private static void writeNumber(JsonGenerator json, FieldDescriptor field, long value)
      throws IOException {
    switch (field.getType()) {
      case BOOL -> json.writeBoolean(value != 0);
      case DOUBLE -> json.writeNumber(Double.longBitsToDouble(value));
      case UINT32, FIXED32 -> json.writeNumber(value & 0xffffffffL);
      case UINT64, FIXED64 -> json.writeString(Long.toUnsignedString(value));
      case INT64, SFIXED64 -> json.writeString(Long.toString(value));
      default -> json.writeNumber(value);
    }
  }
}
