/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.flamespan.page.input.Messages;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A message with profiles, as it is read. */
public final class ReadProfiles implements Messages.Message {
  private final BiConsumer<ReadProfiles, String> to;
  final List<OfResource<ReadProfile>> resources = new ArrayList<>();
  final Tables tables;
  private boolean anyUnknown;

  /** The message will be passed on to this, with where it is from. */
  public ReadProfiles(RecentTexts texts, BiConsumer<ReadProfiles, String> to) {
    this.tables = new Tables(texts);
    this.to = to;
  }

  @Override
  public Fields message(int field) {
    if (field == ProfilesData.DICTIONARY_FIELD_NUMBER) {
      return tables;
    }
    resources.add(new OfResource<>(ReadProfile::new));
    return resources.get(resources.size() - 1);
  }

  @Override
  public void unknown() {
    anyUnknown = true;
  }

  /** The number of samples. */
  public long samples() {
    return profiles().mapToLong(profile -> profile.stacks.size()).sum();
  }

  /** Frees the memory that more would take. */
  void trim() {
    tables.trim();
    profiles().forEach(ReadProfile::trim);
  }

  private Stream<ReadProfile> profiles() {
    return resources.stream().flatMap(resource -> resource.all.stream());
  }

  boolean anyUnknown() {
    return anyUnknown || tables.anyUnknown();
  }

  @Override
  public void add(String where) {
    to.accept(this, where);
  }
}
