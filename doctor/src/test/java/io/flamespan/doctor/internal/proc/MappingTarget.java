/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line in the kernel's format is read exactly. Any other line is read somehow, or ends the list
 * with a RuntimeException.
 */
public final class MappingTarget {
  private static final Pattern LINE =
      Pattern.compile(
          "([0-9a-f]{1,16})-([0-9a-f]{1,16}) [-r]([-w])([-x])[ps] ([0-9a-f]{1,16}) [0-9a-f:]+"
              + " ([0-9]{1,18})(?: +([^ \\p{Cntrl}](?:[^\\p{Cntrl}]*[^ \\p{Cntrl}])?))? *");

  public static void fuzzerTestOneInput(byte[] input) {
    String line = new String(input, UTF_8);
    Matcher matcher = LINE.matcher(line);
    Mapping mapping;
    try {
      mapping = Mapping.parse(line);
    } catch (RuntimeException e) {
      if (matcher.matches()) {
        throw new AssertionError(line, e);
      }
      return;
    }
    mapping.range();
    if (mapping.path().contains("/") && mapping.fileName().contains("/")) {
      throw new AssertionError(line + " has the file name " + mapping.fileName());
    }
    if (matcher.matches()) {
      String path = matcher.group(7) == null ? "" : matcher.group(7);
      String shown = mapping.isDeleted() ? mapping.path() + " (deleted)" : mapping.path();
      boolean same =
          mapping.start == Long.parseUnsignedLong(matcher.group(1), 16)
              && mapping.end == Long.parseUnsignedLong(matcher.group(2), 16)
              && mapping.writable == matcher.group(3).equals("w")
              && mapping.executable == matcher.group(4).equals("x")
              && mapping.fileOffset == Long.parseUnsignedLong(matcher.group(5), 16)
              && mapping.isCode() == (mapping.executable && !matcher.group(6).matches("0+"))
              && shown.equals(path);
      if (!same) {
        throw new AssertionError(line + " was read as " + mapping.range() + " " + shown);
      }
    }
  }

  private MappingTarget() {}
}
