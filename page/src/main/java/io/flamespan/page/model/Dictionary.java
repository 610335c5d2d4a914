/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.StackTree;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Resolves the references of the samples in one message. Refuses invalid indexes. */
final class Dictionary {
  static final int CUT = -1;

  private static final int UNKNOWN = -2;
  private static final String FRAME_TYPE = "profile.frame.type";
  private static final String THREAD_NAME = "thread.name";
  private static final String THREAD_ID = "thread.id";
  private static final String NOT_SAMPLED = "not_sampled.span.name";
  private static final String HOLDER_TRACE = "lock.holder.trace_id";
  private static final String HOLDER_SPAN = "lock.holder.span_id";
  private static final String HOLDER_NOT_SAMPLED = "lock.holder.not_sampled.span.name";
  private static final String HOLDER_THREAD = "lock.holder.thread.name";
  private static final String NO_ORIGIN = "[unknown]"; // an address differs in each process

  private final Tables tables;
  private final Frames frames;
  private final Locations known;
  private final StackTree tree;
  private final int[] stacks;
  private final int[][] locations;
  private boolean anyCut;

  Dictionary(Tables tables, Frames frames, Locations known, StackTree tree) {
    this.tables = tables;
    this.frames = frames;
    this.known = known;
    this.tree = tree;
    this.stacks = new int[tables.stacks.size()];
    Arrays.fill(stacks, UNKNOWN);
    this.locations = new int[tables.addresses.size()][];
  }

  String string(int index) {
    return tables.strings.get(index);
  }

  /** Null without a Link. */
  @Nullable SpanKey link(int index) {
    if (index == 0) {
      return null;
    }
    return SpanKey.of(
        tables.tracesHigh.getLong(index),
        tables.tracesLow.getLong(index),
        tables.spans.getLong(index));
  }

  /** The node of the stack's leaf, or of the deepest frame that the tree had room for. */
  int stack(int index) {
    if (stacks[index] == UNKNOWN) {
      stacks[index] = merge(index);
    }
    return stacks[index];
  }

  /** Whether the tree did not have room for all frames of a stack since the last call. */
  boolean wasAnyCut() {
    boolean cut = anyCut;
    anyCut = false;
    return cut;
  }

  private int merge(int stack) {
    int node = StackTree.ROOT;
    for (int i = tables.stacks.size(stack) - 1; i >= 0; i--) {
      int[] location = location((int) tables.stacks.get(stack, i));
      for (int line = location.length - 1; line >= 0; line--) {
        if (tree.frame(node) == location[line] && isUnnamed(location[line])) {
          continue;
        }
        int child = tree.child(node, location[line]);
        if (child == CUT) {
          anyCut = true;
          return node;
        }
        node = child;
      }
    }
    return node;
  }

  private boolean isUnnamed(int location) {
    return frames.get(known.frame(location)).name().startsWith("[");
  }

  /** The located frames of a location, the leaf first: several if functions are inlined. */
  private int[] location(int index) {
    if (locations[index] == null) {
      locations[index] = located(index); // only if all of its frames are in the tables
    }
    return locations[index];
  }

  private int[] located(int index) {
    String kind = attribute(tables.locationAttributes, index, FRAME_TYPE);
    int lines = tables.lines.size(index);
    int[] located = new int[Math.max(1, lines)];
    if (lines == 0) {
      located[0] = known.number(unnamed(index, kind), 0);
    }
    for (int line = 0; line < lines; line++) {
      located[line] = named(index, line, kind);
    }
    return located;
  }

  private int named(int location, int line, String kind) {
    int function = (int) tables.lineFunctions.get(location, line);
    String name = string(tables.functionNames.getInt(function));
    if (name.isEmpty()) {
      name = string(tables.systemNames.getInt(function));
    }
    if (name.isEmpty()) {
      return known.number(unnamed(location, kind), 0);
    }
    int frame = frames.number(name, string(tables.functionFiles.getInt(function)), kind);
    long number = tables.lines.get(location, line);
    return known.number(frame, (int) Math.max(0, Math.min(number, Integer.MAX_VALUE)));
  }

  /** Merges all addresses in a library into one frame if the profiler does not know functions. */
  private int unnamed(int location, String kind) {
    String file = string(tables.mappingFiles.getInt(tables.locationMappings.getInt(location)));
    String base = file.substring(file.lastIndexOf('/') + 1);
    String origin = base.isEmpty() ? kind : base;
    return frames.number(
        origin.isEmpty()
            ? new Frame(
                NO_ORIGIN, "", "", "0x" + Long.toHexString(tables.addresses.getLong(location)))
            : Frame.of("[" + origin + "]", file, kind));
  }

  /** The name of the thread of a sample, or the empty string. */
  String threadName(ReadProfile profile, int sample) {
    return attribute(profile.attributes, sample, THREAD_NAME);
  }

  /** The name of the local root span if that is not sampled, or the empty string. */
  String notSampled(ReadProfile profile, int sample) {
    return attribute(profile.attributes, sample, NOT_SAMPLED);
  }

  /** The local root span for which a lock was held, null if it is not known or there was none. */
  @Nullable SpanKey holder(ReadProfile profile, int sample) {
    try {
      return SpanKey.of(
          HexFormat.of().parseHex(attribute(profile.attributes, sample, HOLDER_TRACE)),
          HexFormat.of().parseHex(attribute(profile.attributes, sample, HOLDER_SPAN)));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a lock may have been held for a request: its ids are zero if it is not known. */
  boolean isHeldByRequest(ReadProfile profile, int sample) {
    return !attribute(profile.attributes, sample, HOLDER_SPAN).isEmpty();
  }

  /** The name of the local root span for which a lock was held if that is not sampled, or empty. */
  String holderNotSampled(ReadProfile profile, int sample) {
    return attribute(profile.attributes, sample, HOLDER_NOT_SAMPLED);
  }

  /** The name of the thread that held a lock, or the empty string. */
  String holdingThread(ReadProfile profile, int sample) {
    return attribute(profile.attributes, sample, HOLDER_THREAD);
  }

  /** What tells the thread of a sample from others of its process: its number, or its name. */
  String threadOf(ReadProfile profile, int sample, String name) {
    for (int i = 0; i < profile.attributes.size(sample); i++) {
      Attribute attribute = tables.attributes.get((int) profile.attributes.get(sample, i));
      if (string(attribute.keyIndex()).equals(THREAD_ID) && !Double.isNaN(attribute.number())) {
        return Long.toString((long) attribute.number());
      }
    }
    return name;
  }

  private String attribute(Lists indexes, int list, String key) {
    for (int i = 0; i < indexes.size(list); i++) {
      Attribute attribute = tables.attributes.get((int) indexes.get(list, i));
      if (string(attribute.keyIndex()).equals(key)) {
        return attribute.text();
      }
    }
    return "";
  }
}
