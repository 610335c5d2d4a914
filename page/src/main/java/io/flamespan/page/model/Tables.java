/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Stack;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of a message with profiles by columns, as it is read. */
final class Tables implements Fields {
  final ArrayList<String> strings = new ArrayList<>();
  final List<Attribute> attributes = new ArrayList<>();
  final IntArrayList mappingFiles = new IntArrayList();
  final IntArrayList locationMappings = new IntArrayList();
  final LongArrayList addresses = new LongArrayList();
  final Lists locationAttributes = new Lists();
  final Lists lineFunctions = new Lists();
  final Lists lines = new Lists();
  final IntArrayList functionNames = new IntArrayList();
  final IntArrayList systemNames = new IntArrayList();
  final IntArrayList functionFiles = new IntArrayList();
  final LongArrayList tracesHigh = new LongArrayList(); // of Links; 0 if the id cannot be one
  final LongArrayList tracesLow = new LongArrayList();
  final LongArrayList spans = new LongArrayList();
  final Lists stacks = new Lists();
  private final RecentTexts texts;
  private boolean anyUnknown;

  Tables(RecentTexts texts) {
    this.texts = texts;
  }

  private final Fields mapping =
      new Fields() {
        @Override
        public void number(int field, long value) {
          if (field == Mapping.FILENAME_STRINDEX_FIELD_NUMBER) {
            setLast(mappingFiles, value);
          }
        }
      };

  private final Fields line =
      new Fields() {
        @Override
        public void number(int field, long value) {
          if (field == Line.FUNCTION_INDEX_FIELD_NUMBER) {
            lineFunctions.set(value);
          } else if (field == Line.LINE_FIELD_NUMBER) {
            lines.set(value);
          }
        }
      };

  private final Fields location =
      new Fields() {
        @Override
        public Fields message(int field) {
          lineFunctions.add(0);
          lines.add(0);
          return line;
        }

        @Override
        public void number(int field, long value) {
          switch (field) {
            case Location.MAPPING_INDEX_FIELD_NUMBER -> setLast(locationMappings, value);
            case Location.ADDRESS_FIELD_NUMBER -> addresses.set(addresses.size() - 1, value);
            case Location.ATTRIBUTE_INDICES_FIELD_NUMBER -> locationAttributes.add(value);
            default -> {}
          }
        }
      };

  private final Fields function =
      new Fields() {
        @Override
        public void number(int field, long value) {
          switch (field) {
            case Function.NAME_STRINDEX_FIELD_NUMBER -> setLast(functionNames, value);
            case Function.SYSTEM_NAME_STRINDEX_FIELD_NUMBER -> setLast(systemNames, value);
            case Function.FILENAME_STRINDEX_FIELD_NUMBER -> setLast(functionFiles, value);
            default -> {}
          }
        }
      };

  private final Fields link =
      new Fields() {
        @Override
        public void bytes(int field, byte[] value) {
          int last = spans.size() - 1;
          if (field == Link.TRACE_ID_FIELD_NUMBER) {
            boolean is = value.length == SpanKey.TRACE_ID_SIZE;
            tracesHigh.set(last, is ? ByteBuffer.wrap(value).getLong(0) : 0);
            tracesLow.set(last, is ? ByteBuffer.wrap(value).getLong(Long.BYTES) : 0);
          } else {
            boolean is = value.length == SpanKey.SPAN_ID_SIZE;
            spans.set(last, is ? ByteBuffer.wrap(value).getLong(0) : 0);
          }
        }
      };

  private final Fields stack =
      new Fields() {
        @Override
        public void number(int field, long value) {
          if (field == Stack.LOCATION_INDICES_FIELD_NUMBER) {
            stacks.add(value);
          }
        }
      };

  private static void setLast(IntArrayList column, long value) {
    column.set(column.size() - 1, (int) value);
  }

  @Override
  public Fields message(int field) {
    switch (field) {
      case ProfilesDictionary.MAPPING_TABLE_FIELD_NUMBER -> {
        mappingFiles.add(0);
        return mapping;
      }
      case ProfilesDictionary.LOCATION_TABLE_FIELD_NUMBER -> {
        locationMappings.add(0);
        addresses.add(0);
        locationAttributes.begin();
        lineFunctions.begin();
        lines.begin();
        return location;
      }
      case ProfilesDictionary.FUNCTION_TABLE_FIELD_NUMBER -> {
        functionNames.add(0);
        systemNames.add(0);
        functionFiles.add(0);
        return function;
      }
      case ProfilesDictionary.LINK_TABLE_FIELD_NUMBER -> {
        tracesHigh.add(0);
        tracesLow.add(0);
        spans.add(0);
        return link;
      }
      case ProfilesDictionary.ATTRIBUTE_TABLE_FIELD_NUMBER -> {
        attributes.add(new Attribute());
        return attributes.get(attributes.size() - 1);
      }
      case ProfilesDictionary.STACK_TABLE_FIELD_NUMBER -> {
        stacks.begin();
        return stack;
      }
      default -> {
        return LEFT_OUT;
      }
    }
  }

  @Override
  public void text(int field, String value) {
    strings.add(texts.same(value));
  }

  @Override
  public void unknown() {
    anyUnknown = true;
  }

  /** Frees the memory that further entries would take. */
  void trim() {
    Stream.of(mappingFiles, locationMappings, functionNames, systemNames, functionFiles)
        .forEach(IntArrayList::trim);
    Stream.of(addresses, tracesHigh, tracesLow, spans).forEach(LongArrayList::trim);
    Stream.of(locationAttributes, lineFunctions, lines, stacks).forEach(Lists::trim);
    strings.trimToSize();
  }

  boolean anyUnknown() {
    return anyUnknown;
  }
}
