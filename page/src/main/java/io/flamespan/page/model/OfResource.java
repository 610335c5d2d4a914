/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The spans of a resource, or its profiles, as they are read. The fields of ResourceProfiles and
 * ScopeProfiles have the same numbers as for spans.
 */
final class OfResource<T extends Fields> implements Fields {
  final ReadResource resource = new ReadResource();
  final List<T> all = new ArrayList<>();
  private final Fields scope;

  OfResource(Supplier<T> another) {
    scope =
        new Fields() {
          @Override
          public Fields message(int field) {
            if (field != ScopeSpans.SPANS_FIELD_NUMBER) {
              return LEFT_OUT;
            }
            T one = another.get();
            all.add(one);
            return one;
          }
        };
  }

  @Override
  public Fields message(int field) {
    return switch (field) {
      case ResourceSpans.RESOURCE_FIELD_NUMBER -> resource;
      case ResourceSpans.SCOPE_SPANS_FIELD_NUMBER -> scope;
      default -> LEFT_OUT;
    };
  }
}
