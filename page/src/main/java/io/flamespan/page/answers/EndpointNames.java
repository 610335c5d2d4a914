/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.output.Markdown;
import io.flamespan.page.results.EndpointResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The names of endpoints as answers print them, and which endpoint a question means: by its exact
 * name, by what an answer printed, or by how Markdown shows that. No two endpoints are printed
 * alike: if several services have one of a name, its service follows it.
 */
final class EndpointNames {
  private static final String NO_NAME = "(no name)";

  /** An endpoint of a service. */
  record Id(String name, String service) {
    static Id of(EndpointResult endpoint) {
      return new Id(endpoint.name(), endpoint.service());
    }

    private String exact() {
      return name + " of " + service;
    }

    private String text() {
      return EndpointNames.text(name) + " of " + EndpointNames.text(service);
    }
  }

  /**
   * What a question means.
   *
   * @param others of this name, if the question names no service
   */
  record Meant(Id endpoint, List<Id> others) {}

  private final Map<String, String> texts = new HashMap<>(); // by name
  private final Map<Id, String> printed = new HashMap<>();
  private final Map<String, Meant> meant = new HashMap<>();

  /**
   * A name alone means the first endpoint that has it. The words are taken, so that an endpoint
   * with such a name is printed otherwise.
   */
  EndpointNames(Set<Id> endpoints, List<String> words) {
    Map<String, List<Id>> byName = new LinkedHashMap<>();
    endpoints.forEach(
        one -> byName.computeIfAbsent(one.name(), added -> new ArrayList<>()).add(one));
    Map<String, Integer> claims = new HashMap<>();
    words.forEach(word -> claim(claims, word, text(word)));
    byName.keySet().forEach(name -> claim(claims, name, text(name)));
    byName.values().stream()
        .filter(all -> all.size() > 1)
        .flatMap(List::stream)
        .forEach(one -> claim(claims, one.exact(), one.text()));
    List<Map<String, Meant>> forms = // the first that has what is asked for is meant
        List.of(new HashMap<>(), new HashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    byName.forEach(
        (name, all) -> {
          String text = unique(claims, text(name), name);
          texts.put(name, text);
          Meant any = new Meant(all.get(0), all.subList(1, all.size()));
          if (!words.contains(name)) {
            forms.get(0).put(name, any);
          }
          forms.get(1).put(text, any);
          forms.get(2).putIfAbsent(Markdown.shown(text), any);
          for (Id one : all) {
            Meant exactly = new Meant(one, List.of());
            String ofService =
                all.size() == 1 ? text : unique(claims, one.text(), name + '\0' + one.service());
            printed.put(one, ofService);
            forms.get(1).putIfAbsent(ofService, exactly);
            forms.get(2).putIfAbsent(Markdown.shown(ofService), exactly);
            Stream.of(one.exact(), one.text(), Markdown.shown(one.text()))
                .forEach(form -> forms.get(3).putIfAbsent(form, exactly));
          }
        });
    forms.forEach(all -> all.forEach(meant::putIfAbsent));
  }

  private static void claim(Map<String, Integer> claims, String exact, String text) {
    Set.copyOf(Arrays.asList(exact, text, Markdown.shown(text)))
        .forEach(form -> claims.merge(form, 1, Integer::sum));
  }

  private static String unique(Map<String, Integer> claims, String text, String exact) {
    boolean isUnique =
        claims.getOrDefault(text, 0) == 1 && claims.getOrDefault(Markdown.shown(text), 0) == 1;
    return isUnique ? text : text + " #" + checksum(exact);
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

  /** Its name alone if the service has no endpoint of it. */
  String printed(String name, String service) {
    String known = printed.get(new Id(name, service));
    return known == null ? texts.getOrDefault(name, text(name)) : known;
  }

  String printed(EndpointResult endpoint) {
    return printed(endpoint.name(), endpoint.service());
  }

  /** Also if no other service has one of this name. */
  String withService(EndpointResult endpoint) {
    String text = printed(endpoint);
    return text.equals(texts.get(endpoint.name()))
        ? text + " of " + text(endpoint.service())
        : text;
  }

  String printed(Id endpoint) {
    return printed(endpoint.name(), endpoint.service());
  }

  /** The endpoint, and others that the question might mean. */
  Optional<Meant> meant(String asked) {
    Meant exact = meant.get(asked);
    return Optional.ofNullable(exact == null ? meant.get(asked.strip()) : exact);
  }
}
