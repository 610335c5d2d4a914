/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/**
 * A function. Frames are equal if their comparable names are, whatever a JVM numbered.
 *
 * @param name comparable, see {@link ComparableName}
 * @param file may be empty
 * @param kind such as "jvm", may be empty
 * @param raw the name as a profile has it
 */
public record Frame(String name, String file, String kind, String raw) {

  /** The kind of a leaf that is no function, but the class of what was allocated or locked. */
  public static final String CLASS = "class";

  /** A frame with a name that is not from a profile. */
  public Frame(String name, String file, String kind) {
    this(name, file, kind, name);
  }

  public static Frame of(String raw, String file, String kind) {
    return new Frame(ComparableName.of(raw), ComparableName.of(file), kind, raw);
  }

  public boolean isClass() {
    return kind.equals(CLASS);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Frame frame
        && name.equals(frame.name)
        && file.equals(frame.file)
        && kind.equals(frame.kind);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 + name.hashCode()) + file.hashCode()) + kind.hashCode();
  }
}
