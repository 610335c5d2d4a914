/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import org.jspecify.annotations.Nullable;

/** A function. Frames are equal if their comparable names are, whatever a JVM numbered. */
public final class Frame {

  /** The kind of a leaf that is no function, but the class of what was allocated or locked. */
  public static final String CLASS = "class";

  private final String name;
  private final String file;
  private final String kind;
  private final String raw;
  private final int hash; // kept, as maps of frames are asked for each node of each graph

  /**
   * Takes all names.
   *
   * @param name comparable, see {@link ComparableName}
   * @param file may be empty
   * @param kind such as "jvm", may be empty
   * @param raw the name as a profile has it
   */
  public Frame(String name, String file, String kind, String raw) {
    this.name = name;
    this.file = file;
    this.kind = kind;
    this.raw = raw;
    this.hash = 31 * (31 * (31 + name.hashCode()) + file.hashCode()) + kind.hashCode();
  }

  /** A frame with a name that is not from a profile. */
  public Frame(String name, String file, String kind) {
    this(name, file, kind, name);
  }

  public static Frame of(String raw, String file, String kind) {
    return new Frame(ComparableName.of(raw), ComparableName.of(file), kind, raw);
  }

  public String name() {
    return name;
  }

  public String file() {
    return file;
  }

  public String kind() {
    return kind;
  }

  public String raw() {
    return raw;
  }

  public boolean isClass() {
    return kind.equals(CLASS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Frame frame
            && hash == frame.hash
            && name.equals(frame.name)
            && file.equals(frame.file)
            && kind.equals(frame.kind));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return name + " " + file + " " + kind;
  }
}
