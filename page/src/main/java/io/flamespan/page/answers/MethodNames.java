/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.Frame;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of methods as an answer prints them. Where several are alike, each has its kind and
 * file, or else a checksum.
 */
final class MethodNames {
  private final Map<String, Integer> uses = new HashMap<>();

  MethodNames(Collection<Frame> methods) {
    new HashSet<>(methods)
        .forEach(
            method ->
                new HashSet<>(forms(method)).forEach(form -> uses.merge(form, 1, Integer::sum)));
  }

  /** The shortest comes first. */
  static List<String> forms(Frame method) {
    String name = Answer.name(method.name());
    List<String> forms = new ArrayList<>();
    forms.add(name);
    String origin =
        Stream.of(method.kind(), method.file())
            .filter(one -> !one.isEmpty())
            .map(Answer::name)
            .collect(Collectors.joining(", "));
    if (!origin.isEmpty()) {
      forms.add(name + " (" + origin + ")");
    }
    forms.add(name + " #" + EndpointNames.checksum(method.toString()));
    return forms;
  }

  String printed(Frame method) {
    List<String> forms = forms(method);
    return forms.stream()
        .filter(form -> uses.getOrDefault(form, 1) == 1)
        .findFirst()
        .orElse(forms.get(forms.size() - 1));
  }
}
