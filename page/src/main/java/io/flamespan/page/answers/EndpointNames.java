/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.output.Markdown;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The names of endpoints as answers print them, and which endpoint a question means: by its exact
 * name, by what an answer printed, or by how Markdown shows that. No two names are printed alike.
 */
final class EndpointNames {
  private static final String NO_NAME = "(no name)";

  private final Map<String, String> printed = new HashMap<>();
  private final Map<String, String> meant = new HashMap<>();

  /** The words are taken, so that an endpoint with such a name is printed otherwise. */
  EndpointNames(Set<String> names, List<String> words) {
    Map<String, Integer> claims = new HashMap<>();
    words.forEach(word -> forms(word).forEach(form -> claims.merge(form, 1, Integer::sum)));
    names.forEach(name -> forms(name).forEach(form -> claims.merge(form, 1, Integer::sum)));
    for (String name : names) {
      String text = text(name);
      boolean unique =
          claims.getOrDefault(text, 0) == 1 && claims.getOrDefault(Markdown.shown(text), 0) == 1;
      printed.put(name, unique ? text : text + " #" + checksum(name));
    }
    names.stream().filter(name -> !words.contains(name)).forEach(name -> meant.put(name, name));
    printed.forEach((name, text) -> meant.putIfAbsent(text, name));
    printed.forEach((name, text) -> meant.putIfAbsent(Markdown.shown(text), name));
  }

  private static Set<String> forms(String name) {
    return new HashSet<>(List.of(name, text(name), Markdown.shown(text(name))));
  }

  private static String text(String name) {
    String text = Answer.name(name).strip();
    return text.isEmpty() ? NO_NAME : text;
  }

  static String checksum(String name) {
    CRC32 checksum = new CRC32();
    checksum.update(name.getBytes(UTF_8));
    return HexFormat.of().toHexDigits((int) checksum.getValue());
  }

  /** The name of a service or a sum if it is not known. */
  String printed(String name) {
    return printed.getOrDefault(name, text(name));
  }

  /** The exact name. */
  Optional<String> meant(String asked) {
    String exact = meant.get(asked);
    return Optional.ofNullable(exact == null ? meant.get(asked.strip()) : exact);
  }
}
