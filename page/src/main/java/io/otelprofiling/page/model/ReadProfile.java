/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.otelprofiling.page.input.Fields;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Objects;

/** A profile with its samples by columns, as it is read. */
final class ReadProfile implements Fields {
  /** A type and its unit, in the table of strings. */
  static final class Type implements Fields {
    int type;
    int unit;

    @Override
    public void number(int field, long value) {
      if (field == ValueType.TYPE_STRINDEX_FIELD_NUMBER) {
        type = (int) value;
      } else {
        unit = (int) value;
      }
    }
  }

  final Type sampleType = new Type();
  final Type periodType = new Type();
  long unixNanos;
  long period;
  byte[] id = {};
  final IntArrayList stacks = new IntArrayList();
  final IntArrayList links = new IntArrayList();
  final Lists attributes = new Lists();
  final Lists values = new Lists();
  final Lists timestamps = new Lists();

  private final Fields sample =
      new Fields() {
        @Override
        public void number(int field, long value) {
          switch (field) {
            case Sample.STACK_INDEX_FIELD_NUMBER -> stacks.set(stacks.size() - 1, (int) value);
            case Sample.LINK_INDEX_FIELD_NUMBER -> links.set(links.size() - 1, (int) value);
            case Sample.ATTRIBUTE_INDICES_FIELD_NUMBER -> attributes.add(value);
            case Sample.VALUES_FIELD_NUMBER -> values.add(value);
            case Sample.TIMESTAMPS_UNIX_NANO_FIELD_NUMBER -> timestamps.add(value);
            default -> {}
          }
        }
      };

  @Override
  public Fields message(int field) {
    switch (field) {
      case Profile.SAMPLE_TYPE_FIELD_NUMBER -> {
        return sampleType;
      }
      case Profile.PERIOD_TYPE_FIELD_NUMBER -> {
        return periodType;
      }
      case Profile.SAMPLES_FIELD_NUMBER -> {
        stacks.add(0);
        links.add(0);
        attributes.begin();
        values.begin();
        timestamps.begin();
        return sample;
      }
      default -> {
        return LEFT_OUT;
      }
    }
  }

  @Override
  public void number(int field, long value) {
    if (field == Profile.TIME_UNIX_NANO_FIELD_NUMBER) {
      unixNanos = value;
    } else if (field == Profile.PERIOD_FIELD_NUMBER) {
      period = value;
    }
  }

  @Override
  public void bytes(int field, byte[] value) {
    id = field == Profile.PROFILE_ID_FIELD_NUMBER ? value : id;
  }

  int hashOfSamples() {
    return Objects.hash(stacks, links, attributes.hash(), values.hash(), timestamps.hash());
  }
}
