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

/** A message with spans, as it is read. */
public final class ReadTraces implements Messages.Message {
  private final Spans to;
  private final List<OfResource<ReadSpan>> resources = new ArrayList<>();

  /** The message will be added to these spans. */
  public ReadTraces(Spans to) {
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

  @Override
  public void add(String where) {
    to.add(resources, where);
  }
}
