/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.flamespan.page.input.Messages;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** A message with spans, as it is read. */
public final class ReadTraces implements Messages.Message {
  private final BiConsumer<ReadTraces, String> to;
  final List<OfResource<ReadSpan>> resources = new ArrayList<>();

  /** The message will be passed on to this, with where it is from. */
  public ReadTraces(BiConsumer<ReadTraces, String> to) {
    this.to = to;
  }

  @Override
  public Fields message(int field) {
    if (field != TracesData.RESOURCE_SPANS_FIELD_NUMBER) {
      return LEFT_OUT;
    }
    resources.add(new OfResource<>(ReadSpan::new));
    return resources.get(resources.size() - 1);
  }

  /** Forgets what spans do not need. */
  void shrink(UnaryOperator<String> shared, FewValues fewValues) {
    resources.forEach(resource -> resource.all.forEach(span -> span.shrink(shared, fewValues)));
  }

  @Override
  public void add(String where) {
    to.accept(this, where);
  }
}
