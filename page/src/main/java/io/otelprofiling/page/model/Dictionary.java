/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.otelprofiling.page.results.Frame;
import io.otelprofiling.page.results.Frames;
import io.otelprofiling.page.results.StackTree;
import java.util.Arrays;
import java.util.List;

/** Resolves the references of the samples in one message. Refuses invalid indexes. */
final class Dictionary {
  static final int CUT = -1;

  private static final int UNKNOWN = -2;
  private static final String FRAME_TYPE = "profile.frame.type";
  private static final String THREAD_NAME = "thread.name";

  private final ProfilesDictionary dictionary;
  private final Frames frames;
  private final Locations known;
  private final StackTree tree;
  private final int[] stacks;
  private final int[][] locations;
  private boolean anyCut;

  Dictionary(ProfilesDictionary dictionary, Frames frames, Locations known, StackTree tree) {
    this.dictionary = dictionary;
    this.frames = frames;
    this.known = known;
    this.tree = tree;
    this.stacks = new int[dictionary.getStackTableCount()];
    Arrays.fill(stacks, UNKNOWN);
    this.locations = new int[dictionary.getLocationTableCount()][];
  }

  String string(int index) {
    return dictionary.getStringTable(index);
  }

  /** Null without a Link. */
  SpanKey link(int index) {
    if (index == 0) {
      return null;
    }
    Link link = dictionary.getLinkTable(index);
    return SpanKey.of(link.getTraceId(), link.getSpanId());
  }

  /** The node of the stack's leaf, or of the deepest frame that the tree had room for. */
  int stack(int index) {
    if (stacks[index] == UNKNOWN) {
      stacks[index] = merge(dictionary.getStackTable(index));
    }
    return stacks[index];
  }

  /** Whether the tree did not have room for all frames of a stack since the last call. */
  boolean wasAnyCut() {
    boolean cut = anyCut;
    anyCut = false;
    return cut;
  }

  private int merge(Stack stack) {
    int node = StackTree.ROOT;
    for (int i = stack.getLocationIndicesCount() - 1; i >= 0; i--) {
      int[] location = location(stack.getLocationIndices(i));
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
      Location location = dictionary.getLocationTable(index);
      String kind = attribute(location.getAttributeIndicesList(), FRAME_TYPE);
      int lines = location.getLinesCount();
      locations[index] = new int[Math.max(1, lines)];
      if (lines == 0) {
        locations[index][0] = known.number(unnamed(location, kind), 0);
      }
      for (int line = 0; line < lines; line++) {
        locations[index][line] = named(location.getLines(line), location, kind);
      }
    }
    return locations[index];
  }

  private int named(Line line, Location location, String kind) {
    Function function = dictionary.getFunctionTable(line.getFunctionIndex());
    String name = string(function.getNameStrindex());
    if (name.isEmpty()) {
      name = string(function.getSystemNameStrindex());
    }
    if (name.isEmpty()) {
      return known.number(unnamed(location, kind), 0);
    }
    int frame = frames.number(name, string(function.getFilenameStrindex()), kind);
    return known.number(frame, (int) Math.max(0, Math.min(line.getLine(), Integer.MAX_VALUE)));
  }

  /** Merges all addresses in a library into one frame if the profiler does not know functions. */
  private int unnamed(Location location, String kind) {
    String file =
        string(dictionary.getMappingTable(location.getMappingIndex()).getFilenameStrindex());
    String base = file.substring(file.lastIndexOf('/') + 1);
    String origin = base.isEmpty() ? kind : base;
    return frames.number(
        origin.isEmpty()
            ? new Frame("0x" + Long.toHexString(location.getAddress()), "", "")
            : new Frame("[" + origin + "]", file, kind));
  }

  /** The name of the thread of a sample with these attributes, or the empty string. */
  String threadName(List<Integer> attributes) {
    return attribute(attributes, THREAD_NAME);
  }

  private String attribute(List<Integer> attributes, String key) {
    for (int index : attributes) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      if (string(attribute.getKeyStrindex()).equals(key)) {
        return attribute.getValue().getStringValue();
      }
    }
    return "";
  }
}
