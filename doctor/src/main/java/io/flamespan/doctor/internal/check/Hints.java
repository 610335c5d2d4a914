/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What makes a reason likely if the plug-in does not show itself. */
final class Hints {
  private static final String JAR =
      "(?s)(.*/)?flamespan-(?!(doctor|elastic|page)-)[^/]*\\.jar( \\(deleted\\))?";

  /** What a text begins with that names jars of the options that do not exist. */
  static final String MISSING = "missing: ";

  private static final String ARCHIVE = "(?s).*\\.[jw]ar( \\(deleted\\))?";
  private static final String AGENT =
      "([A-Z_]+=)?-javaagent:(.*/)?[^/]*(otel|opentelemetry)-javaagent[^/]*\\.jar";
  private static final String EXTENSIONS =
      "([A-Z_]+=)?-Dotel\\.javaagent\\.extensions=.*|OTEL_JAVAAGENT_EXTENSIONS=.*";
  private static final Pattern EXTENSION_PATHS =
      Pattern.compile(
          "(?s)^(?:-Dotel\\.javaagent\\.extensions|OTEL_JAVAAGENT_EXTENSIONS)=(.*)"
              + "|-Dotel\\.javaagent\\.extensions=(\\S*)");
  private static final String[] SWITCHES = {
    "-Dflamespan.enabled=false",
    "FLAMESPAN_ENABLED=false",
    "-Delastic.otel.universal.profiling.integration.enabled=false",
    "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
    "-Dotel.sdk.disabled=true",
    "OTEL_SDK_DISABLED=true",
    "-Dotel.javaagent.enabled=false",
    "OTEL_JAVAAGENT_ENABLED=false"
  };

  /**
   * Returns the jars with the plug-in among the open files, and those in the command. If one of
   * these or an extension of the agent does not exist, says only that.
   */
  static String jars(TargetProcess process) throws IOException {
    Set<String> jars = new TreeSet<>();
    for (Map.Entry<String, Path> file : process.openFiles().entrySet()) {
      String name = file.getKey();
      if (name.matches(JAR)) {
        jars.add(name);
      } else if (name.matches(ARCHIVE)) {
        PackedPlugin.in(file.getValue()).places.forEach(place -> jars.add(name + place));
      }
    }
    Set<String> missing = new TreeSet<>();
    Set<String> named = extensions(process);
    for (String argument : process.strings("cmdline")) {
      for (String path : argument.split("[:=,;]", 0)) {
        if (path.matches(JAR)) {
          named.add(path);
        }
      }
    }
    for (String path : named) {
      if (!isMissing(process, path)) {
        jars.addAll(path.matches(JAR) ? Collections.singleton(path) : Collections.emptySet());
      } else if (!jars.contains(path + " (deleted)")) {
        missing.add(path);
      }
    }
    return missing.isEmpty() ? String.join(", ", jars) : MISSING + String.join(", ", missing);
  }

  /** Returns the paths that the Java agent is given as extensions, as far as is seen. */
  private static Set<String> extensions(TargetProcess process) throws IOException {
    Set<String> paths = new TreeSet<>();
    for (String text : options(process)) {
      Matcher list = EXTENSION_PATHS.matcher(text);
      while (list.find()) {
        String found = list.group(1) == null ? list.group(2) : list.group(1);
        paths.addAll(Arrays.asList(found.split(",", 0)));
      }
    }
    paths.remove("");
    return paths;
  }

  private static boolean isMissing(TargetProcess process, String jar) {
    try {
      String path = jar.startsWith("/") ? jar : process.link("cwd") + "/" + jar;
      return !Files.exists(process.rooted(path), LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return false; // it cannot be known
    }
  }

  /**
   * Returns the jars among the open files that have the plug-in's classes, and not the file by
   * which an SDK finds them.
   */
  static String unlisted(TargetProcess process) throws IOException {
    List<String> jars = new ArrayList<>();
    for (Map.Entry<String, Path> file : process.openFiles().entrySet()) {
      if (file.getKey().matches(ARCHIVE) && PackedPlugin.in(file.getValue()).isUnlisted) {
        jars.add(file.getKey());
      }
    }
    return String.join(", ", jars);
  }

  /** Returns the Java agent to which nothing gives extensions, as far as is seen, or "". */
  static String agent(TargetProcess process) throws IOException {
    String agent = "";
    for (String text : options(process)) {
      for (String word : text.split("\\s+", 0)) {
        if (word.matches(EXTENSIONS)) {
          return "";
        }
        agent = word.matches(AGENT) ? word : agent;
      }
    }
    return agent.replaceFirst("^.*?-javaagent:", "");
  }

  /** Returns a setting that switches the plug-in or the SDK off, or "". */
  static String switches(TargetProcess process) throws IOException {
    for (String text : options(process)) {
      String words = " " + text.replaceFirst("^_?J[A-Z_]+_OPTIONS=", "") + " ";
      for (String name : SWITCHES) {
        if (words.matches("(?is).* \\Q" + name + "\\E .*")) {
          return name; // not the whole text, which may contain secrets
        }
      }
    }
    return "";
  }

  private static List<String> options(TargetProcess process) throws IOException {
    List<String> texts = new ArrayList<>(process.strings("cmdline"));
    String environment = TargetProcess.text(process.file("environ"));
    texts.addAll(Arrays.asList(environment.split("\0", 0)));
    return texts;
  }

  /** Returns the mounts without execution that hold directories for temporary files, or "". */
  static String noexec(TargetProcess process) throws IOException {
    Map<String, Boolean> found = new TreeMap<>(); // a later mount hides an earlier one
    String mounts = TargetProcess.text(process.file("mountinfo"));
    for (String line : mounts.split("\n", 0)) {
      String[] columns = line.split(" ", 7);
      if (columns.length == 7 && columns[4].matches("/(tmp)?")) {
        found.put(columns[4], ("," + columns[5] + ",").contains(",noexec,"));
      }
    }
    found.values().removeIf(isNoexec -> !isNoexec);
    return String.join(", ", found.keySet());
  }

  private Hints() {}
}
