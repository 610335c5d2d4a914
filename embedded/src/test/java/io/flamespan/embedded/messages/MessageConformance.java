/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules of the profiles group's program {@code profcheck} with all of its checks, as {@code
 * docs/internals/conformance.md} says, and that no table has a row twice.
 */
public final class MessageConformance {
  private static final int TRACE_ID = 16;
  private static final int SPAN_ID = 8;

  private final ProfilesDictionary tables;
  private final List<String> violations = new ArrayList<>();

  // What something refers to, by the rows of each table.
  private final Set<Integer> strings = new TreeSet<>(Set.of(0));
  private final Set<Integer> attributes = new TreeSet<>(Set.of(0));
  private final Set<Integer> mappings = new TreeSet<>(Set.of(0));
  private final Set<Integer> functions = new TreeSet<>(Set.of(0));
  private final Set<Integer> locations = new TreeSet<>(Set.of(0));
  private final Set<Integer> stacks = new TreeSet<>(Set.of(0));
  private final Set<Integer> links = new TreeSet<>(Set.of(0));

  private MessageConformance(ProfilesDictionary tables) {
    this.tables = tables;
  }

  /** Returns what is wrong with a message, nothing if it conforms. */
  public static List<String> violations(ProfilesData data) {
    MessageConformance check = new MessageConformance(data.getDictionary());
    check.message(data);
    return check.violations;
  }

  private void message(ProfilesData data) {
    require(data.getResourceProfilesCount() > 0, "no resource profiles");
    for (ResourceProfiles resource : data.getResourceProfilesList()) {
      require(resource.getScopeProfilesCount() > 0, "no scope profiles");
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        require(scope.getProfilesCount() > 0, "no profiles");
        scope.getProfilesList().forEach(this::profile);
      }
    }
    tables();
    orphans("string", tables.getStringTableCount(), strings);
    orphans("attribute", tables.getAttributeTableCount(), attributes);
    orphans("mapping", tables.getMappingTableCount(), mappings);
    orphans("function", tables.getFunctionTableCount(), functions);
    orphans("location", tables.getLocationTableCount(), locations);
    orphans("stack", tables.getStackTableCount(), stacks);
    orphans("link", tables.getLinkTableCount(), links);
  }

  private void require(boolean isTrue, String otherwise) {
    if (!isTrue) {
      violations.add(otherwise);
    }
  }

  private void refer(Set<Integer> rows, int row, int count, String what) {
    rows.add(row);
    require(row >= 0 && row < count, what + " " + row + " of " + count);
  }

  private void string(int row, String what) {
    refer(strings, row, tables.getStringTableCount(), what);
  }

  private void attributes(List<Integer> indices, String what) {
    Set<Integer> keys = new HashSet<>();
    for (int index : indices) {
      refer(attributes, index, tables.getAttributeTableCount(), what + " with attribute");
      if (index >= 0 && index < tables.getAttributeTableCount()) {
        boolean isNew = keys.add(tables.getAttributeTable(index).getKeyStrindex());
        require(isNew, what + " with a key twice");
      }
    }
  }

  private void valueType(ValueType type, String what) {
    string(type.getTypeStrindex(), what);
    string(type.getUnitStrindex(), what);
  }

  private void profile(Profile profile) {
    attributes(profile.getAttributeIndicesList(), "profile");
    valueType(profile.getSampleType(), "sample type");
    valueType(profile.getPeriodType(), "period type");
    Set<String> shapes = new TreeSet<>();
    for (Sample sample : profile.getSamplesList()) {
      sample(sample, profile);
      boolean hasValues = sample.getValuesCount() > 0;
      boolean hasTimes = sample.getTimestampsUnixNanoCount() > 0;
      shapes.add(hasValues + " " + hasTimes);
      require(hasValues || hasTimes, "sample without values and times");
      require(
          !hasValues || sample.getValuesCount() == Math.max(1, sample.getTimestampsUnixNanoCount()),
          "sample with as many values as times, or one");
    }
    require(shapes.size() <= 1, "samples of different shapes: " + shapes);
    Set<String> rows = new HashSet<>();
    for (Sample sample : profile.getSamplesList()) {
      Set<Integer> sorted = new TreeSet<>(sample.getAttributeIndicesList());
      String row = sample.getStackIndex() + " " + sample.getLinkIndex() + " " + sorted;
      require(rows.add(row), "two samples of the same stack, link and attributes");
    }
  }

  private void sample(Sample sample, Profile profile) {
    refer(stacks, sample.getStackIndex(), tables.getStackTableCount(), "stack");
    refer(links, sample.getLinkIndex(), tables.getLinkTableCount(), "link");
    attributes(sample.getAttributeIndicesList(), "sample");
    long end = profile.getTimeUnixNano() + profile.getDurationNano();
    for (long time : sample.getTimestampsUnixNanoList()) {
      require(time >= profile.getTimeUnixNano() && time < end, "time outside the profile: " + time);
    }
  }

  private void tables() {
    table("string", tables.getStringTableList(), "");
    table("mapping", tables.getMappingTableList(), Mapping.getDefaultInstance());
    table("location", tables.getLocationTableList(), Location.getDefaultInstance());
    table("function", tables.getFunctionTableList(), Function.getDefaultInstance());
    table("link", tables.getLinkTableList(), Link.getDefaultInstance());
    table("attribute", tables.getAttributeTableList(), KeyValueAndUnit.getDefaultInstance());
    table("stack", tables.getStackTableList(), Stack.getDefaultInstance());
    for (Mapping mapping : tables.getMappingTableList()) {
      string(mapping.getFilenameStrindex(), "mapping's file");
      attributes(mapping.getAttributeIndicesList(), "mapping");
      require(
          mapping.getMemoryLimit() == 0 && mapping.getMemoryStart() == 0
              || mapping.getMemoryStart() < mapping.getMemoryLimit(),
          "mapping's memory");
    }
    for (Location location : tables.getLocationTableList()) {
      refer(mappings, location.getMappingIndex(), tables.getMappingTableCount(), "mapping");
      attributes(location.getAttributeIndicesList(), "location");
      for (Line line : location.getLinesList()) {
        refer(functions, line.getFunctionIndex(), tables.getFunctionTableCount(), "function");
        require(line.getLine() >= 0 && line.getColumn() >= 0, "negative line");
      }
    }
    for (Function function : tables.getFunctionTableList()) {
      string(function.getNameStrindex(), "function's name");
      string(function.getSystemNameStrindex(), "function's system name");
      string(function.getFilenameStrindex(), "function's file");
      require(function.getStartLine() >= 0, "negative start line");
    }
    for (Link link : tables.getLinkTableList().subList(1, tables.getLinkTableCount())) {
      require(link.getTraceId().size() == TRACE_ID, "trace id of " + link.getTraceId().size());
      require(link.getSpanId().size() == SPAN_ID, "span id of " + link.getSpanId().size());
    }
    for (KeyValueAndUnit attribute : tables.getAttributeTableList()) {
      string(attribute.getKeyStrindex(), "attribute's key");
      string(attribute.getUnitStrindex(), "attribute's unit");
    }
    for (Stack stack : tables.getStackTableList()) {
      for (int index : stack.getLocationIndicesList()) {
        refer(locations, index, tables.getLocationTableCount(), "location");
      }
    }
  }

  private void table(String name, List<?> rows, Object zero) {
    require(!rows.isEmpty() && rows.get(0).equals(zero), name + " table without its zero value");
    require(new HashSet<>(rows).size() == rows.size(), name + " table with a row twice");
  }

  private void orphans(String name, int count, Set<Integer> referred) {
    for (int row = 0; row < count; row++) {
      require(referred.contains(row), "nothing refers to " + name + " " + row);
    }
  }
}
