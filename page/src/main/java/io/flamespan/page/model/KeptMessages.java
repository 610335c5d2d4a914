/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The messages of a file, kept so that they can be joined again when more were read. */
public final class KeptMessages implements Messages {
  private final List<BiConsumer<Spans, Profiles>> kept = new ArrayList<>();
  private final FewValues fewValues = new FewValues();
  private final Map<String, String> texts = new HashMap<>(); // which messages have in common
  private final RecentTexts recent;
  private long samples;

  /**
   * Keeps messages.
   *
   * @param recent texts that other files may have, too
   */
  public KeptMessages(RecentTexts recent) {
    this.recent = recent;
  }

  @Override
  public Message traces() {
    return new ReadTraces(
        (read, where) -> {
          read.shrink(this::shared, fewValues);
          kept.add((spans, profiles) -> spans.add(read, where));
        });
  }

  @Override
  public Message profiles() {
    return new ReadProfiles(
        recent,
        (read, where) -> {
          read.tables.strings.replaceAll(this::shared);
          read.trim();
          samples += read.samples();
          kept.add((spans, profiles) -> profiles.add(read, where));
        });
  }

  /** The number of samples in them. */
  public long samples() {
    return samples;
  }

  private String shared(String text) {
    return texts.computeIfAbsent(text, added -> added);
  }

  /** Adds all of them, in their order. */
  public void addTo(Spans spans, Profiles profiles) {
    spans.addManyValues(fewValues);
    kept.forEach(one -> one.accept(spans, profiles));
  }
}
