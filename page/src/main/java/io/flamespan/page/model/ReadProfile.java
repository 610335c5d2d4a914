/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Objects;

/** A profile with its samples by columns, as it is read. */
final class ReadProfile implements Fields {
  /** A type and its unit, in the table of strings. */
  static final class Type implements Fields {
    int type;
    int unit;

    boolean equalTo(Type other) {
      return type == other.type && unit == other.unit;
    }

    @Override
    public void number(int field, long value) {
      if (field == ValueType.TYPE_STRINDEX_FIELD_NUMBER) {
        type = (int) value;
      } else {
        unit = (int) value;
      }
    }
  }

  private static final long SECOND = 1_000_000_000;

  /** In place of a number that is none, so that nothing takes it for another one. */
  static final int INVALID = -1;

  final Type sampleType = new Type();
  final Type periodType = new Type();
  long unixNanos;
  long durationNanos;
  long period;
  byte[] id = {};
  final IntArrayList stacks = new IntArrayList();
  final IntArrayList links = new IntArrayList();
  final Lists attributes = new Lists();
  final Lists values = new Lists();
  final Lists timestamps = new Lists();

  /** Whether samples have the numbers of fields that they had before version 1.10 of OTLP. */
  boolean renumbered;

  private final Fields sample =
      new Fields() {
        @Override
        public void otherForm(int field) {
          renumbered |=
              field == Sample.LINK_INDEX_FIELD_NUMBER || field == Sample.VALUES_FIELD_NUMBER;
        }

        @Override
        public void invalid(int field) {
          number(field, INVALID);
        }

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
    } else if (field == Profile.DURATION_NANO_FIELD_NUMBER) {
      durationNanos = value;
    } else if (field == Profile.PERIOD_FIELD_NUMBER) {
      period = value;
    }
  }

  @Override
  public void bytes(int field, byte[] value) {
    id = field == Profile.PROFILE_ID_FIELD_NUMBER ? value : id;
  }

  /** Whether it is one of a heap. */
  boolean isHeap;

  /** Whether its values are sums since a process began. */
  boolean isCumulative;

  /** The time of a profile that begins and ends in the same second, else 0. */
  long onlySecond() {
    boolean known =
        durationNanos > 0
            && Moments.isTime(unixNanos)
            && unixNanos / SECOND == (unixNanos + durationNanos) / SECOND;
    return known ? unixNanos : 0;
  }

  /** Whether both have values of the same samples. */
  boolean sameSamples(ReadProfile other) {
    return !stacks.isEmpty()
        && stacks.equals(other.stacks)
        && links.equals(other.links)
        && attributes.equalTo(other.attributes)
        && timestamps.equalTo(other.timestamps);
  }

  /** Frees the memory that further samples would take. */
  void trim() {
    stacks.trim();
    links.trim();
    attributes.trim();
    values.trim();
    timestamps.trim();
  }

  int hashOfSamples() {
    return Objects.hash(stacks, links, attributes.hash(), values.hash(), timestamps.hash());
  }
}
