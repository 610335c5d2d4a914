/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Checks whether the jar is in the right place and enabled. */
final class PluginSection {
  private static final String OUR_CLASS =
      "io/otelprofiling/correlation/internal/autoconfigure/ProfilingCorrelationAutoConfig.class";
  static final String ENABLED = "elastic.otel.universal.profiling.integration.enabled";
  private static final String EXTENSIONS = "otel.javaagent.extensions";

  private final Subject subject;
  private final Report report;
  private final Set<String> ours = new LinkedHashSet<>();
  private final Set<Object> files = new HashSet<>(); // a file may have several names
  private boolean isWithDependencies;
  private String hidden = "";
  private String agent = "";
  private String hiddenAgent = "";

  private PluginSection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  static void examine(Subject subject, Report report) {
    report.section("Plug-in");
    new PluginSection(subject, report).examine();
  }

  private void examine() {
    if (subject.process.isStopped()) {
      report.warning(
          "process.stopped",
          subject.process.status("State"),
          "It does not answer until it continues: send it SIGCONT, or detach the debugger.");
    }
    if (subject.process.hidesOpenFiles()) {
      hidden = "the open files of the process";
    }
    for (String file : candidates()) {
      look(absolute(file).toString());
    }
    findAgent();
    // A shell that starts a JVM also has the jar in its command.
    boolean isJvm = subject.process.isJava() || !subject.inside.isEmpty();
    subject.isForeign = !isJvm || (ours.isEmpty() && subject.inside.isEmpty() && hidden.isEmpty());
    if (!isJvm && subject.libraries.isEmpty() && subject.contextLibraries.isEmpty()) {
      report.couldNotLook(
          "plugin.jar",
          "the process is not a running JVM and does not publish data for profilers",
          "Give the PID of a Java process.");
    } else {
      jar(isJvm);
    }
    if (subject.isForeign) {
      return;
    }
    String enabled = subject.setting(ENABLED);
    if (!subject.isServed() && isOff()) {
      return;
    }
    if (subject.isServed()) {
      report.ok(
          "plugin.enabled", subject.inside.getOrDefault("mode", "") + ", as the plug-in reports");
    } else if (enabled != null && enabled.trim().equalsIgnoreCase("false")) {
      report.fault(
          "plugin.enabled",
          ENABLED + " is false",
          "Remove the setting, or set it to auto or true, and restart the process.");
    } else if (enabled == null && !subject.hiddenOptions.isEmpty()) {
      report.couldNotLook(
          "plugin.enabled", subject.hiddenOptions + " cannot be read", subject.rightsToRead());
    } else {
      report.ok(
          "plugin.enabled",
          enabled == null ? "not set, so auto unless the application sets it" : enabled);
    }
    place();
  }

  /** Returns whether a setting disables the SDK, and with it the plug-in. */
  private boolean isOff() {
    String[][] switches = {{"otel.sdk.disabled", "true"}, {"otel.javaagent.enabled", "false"}};
    for (String[] each : switches) {
      String value = subject.setting(each[0]);
      if (value != null && value.trim().equalsIgnoreCase(each[1])) {
        report.fault(
            "plugin.enabled",
            each[0] + " is " + each[1],
            "Without an SDK, nothing calls the plug-in: remove the setting, and restart the"
                + " process.");
        return true;
      }
    }
    return false;
  }

  private void jar(boolean isJvm) {
    List<Mapping> others = new ArrayList<>(subject.libraries);
    others.addAll(subject.contextLibraries);
    if (!isJvm) {
      otherWriter(others.get(0));
    } else if (files.size() > 1) {
      report.warning(
          "plugin.jar",
          String.join(", ", ours),
          "The process has several copies of the plug-in: keep one jar.");
    } else if (!ours.isEmpty()) {
      report.ok("plugin.jar", String.join(", ", ours));
    } else if (!subject.inside.isEmpty()) {
      report.ok("plugin.jar", subject.inside.getOrDefault("jar", "") + ", as the plug-in reports");
    } else if (!hidden.isEmpty()) {
      report.couldNotLook("plugin.jar", hidden + " cannot be read", subject.rightsToRead());
    } else if (others.isEmpty()) {
      report.fault(
          "plugin.jar",
          "no jar of the plug-in is open in the process or named in its command",
          "Put otel-profiling-correlation-VERSION.jar and its dependencies on the class path, or"
              + " set otel.javaagent.extensions to the -agent-extension jar.");
    } else {
      otherWriter(others.get(0));
    }
  }

  private void otherWriter(Mapping library) {
    report.warning(
        "plugin.jar",
        "another library publishes the data for profilers: " + library.path(),
        "The sections below show whether profilers can read it.");
  }

  /** Under the Java agent, the plug-in must be an extension: the agent has a separate SDK. */
  private void place() {
    if (agent.isEmpty()) {
      if (!hiddenAgent.isEmpty()) {
        report.couldNotLook(
            "plugin.place",
            hiddenAgent + " cannot be read, so it may be the Java agent",
            subject.rightsToRead());
      }
      return;
    }
    for (String extension : String.valueOf(subject.setting(EXTENSIONS)).split(",", 0)) {
      if (subject.setting(EXTENSIONS) == null) {
        continue;
      }
      if (ProcFiles.isHidden(inProcess(extension.trim()))) {
        report.couldNotLook(
            "plugin.place", extension.trim() + " cannot be read", subject.rightsToRead());
        return;
      }
      if (!Files.exists(inProcess(extension.trim()))) {
        report.fault(
            "plugin.place",
            EXTENSIONS + " names " + extension.trim() + ", which does not exist",
            "Correct the path: the agent ignores extensions that it does not find.");
        return;
      }
    }
    if (ours.isEmpty()) {
      return;
    }
    String extensions = String.valueOf(subject.setting(EXTENSIONS));
    boolean isExtension = false;
    for (String jar : ours) {
      for (String extension : extensions.split(",", 0)) {
        Path file = absolute(extension.trim());
        isExtension |= jar.equals(extension.trim()) || jar.startsWith(file + "/");
        isExtension |= absolute(jar).equals(file);
      }
    }
    if (!isExtension) {
      report.fault(
          "plugin.place",
          "the process runs " + agent + ", but the plug-in is in the application",
          "The agent has a separate SDK: set "
              + EXTENSIONS
              + " to the jar whose name ends in -agent-extension.");
    } else if (!isWithDependencies) {
      report.fault(
          "plugin.place",
          "the extension of " + agent + " is the plain jar, without its dependencies",
          "Use the jar whose name ends in -agent-extension: the plain jar stays off if its native"
              + " socket library cannot be loaded.");
    } else {
      report.ok("plugin.place", "extension of " + agent);
    }
  }

  private void findAgent() {
    for (String option : subject.options) {
      String jar = option.startsWith("-javaagent:") ? option.substring(11).split("=", 2)[0] : "";
      if (!jar.isEmpty() && ProcFiles.isClosed(inProcess(jar))) {
        hiddenAgent = jar;
      }
      if (contains(jar, "io/opentelemetry/javaagent/OpenTelemetryAgent.class", "inst/")) {
        agent = jar.substring(jar.lastIndexOf('/') + 1);
      }
    }
  }

  /** Returns the jars that the process has open or names in its command. */
  private Set<String> candidates() {
    Set<String> files = new LinkedHashSet<>();
    for (String file : subject.process.openFiles()) {
      if (file.endsWith(".jar")) {
        files.add(file);
      }
    }
    List<String> paths = new ArrayList<>(subject.process.commandLine());
    paths.add(subject.environment.getOrDefault("CLASSPATH", ""));
    for (String argument : paths) {
      for (String path : argument.split(":", 0)) {
        if (path.endsWith("/*")) {
          String[] names = inProcess(path.substring(0, path.length() - 1)).toFile().list();
          for (String name : names == null ? new String[0] : names) {
            files.add(path.substring(0, path.length() - 1) + name);
          }
        } else if (path.endsWith(".jar")) {
          files.add(path);
        }
      }
    }
    for (String extension : String.valueOf(subject.setting(EXTENSIONS)).split(",", 0)) {
      String[] names = inProcess(extension.trim()).toFile().list();
      if (names == null) {
        files.add(extension.trim());
      } else {
        for (String name : names) {
          files.add(extension.trim() + "/" + name);
        }
      }
    }
    return files;
  }

  private void look(String file) {
    if (hidden.isEmpty() && ProcFiles.isClosed(inProcess(file))) {
      hidden = file;
    }
    if (!Files.isRegularFile(inProcess(file))) {
      return; // opening a pipe would block
    }
    try (ZipFile jar = new ZipFile(inProcess(file).toFile())) {
      if (jar.getEntry(OUR_CLASS) != null) {
        ours.add(file);
        files.add(key(file));
        isWithDependencies |= jar.getEntry("jnr/unixsocket/UnixSocketAddress.class") != null;
        return;
      }
      for (ZipEntry entry : Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.matches("(.*/)?otel-profiling-correlation-[^/]*\\.jar")) {
          ours.add(file + "!/" + name);
          files.add(key(file) + name);
        }
      }
    } catch (IOException | RuntimeException e) {
      // The file is not a jar, or has been removed.
    }
  }

  private String key(String file) throws IOException {
    Path path = inProcess(file);
    return String.valueOf(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  private boolean contains(String file, String... entries) {
    if (!file.isEmpty() && Files.isRegularFile(inProcess(file))) {
      try (ZipFile jar = new ZipFile(inProcess(file).toFile())) {
        for (String entry : entries) {
          if (jar.getEntry(entry) == null) {
            return false;
          }
        }
        return true;
      } catch (IOException | RuntimeException e) {
        return false;
      }
    }
    return false;
  }

  private Path inProcess(String file) {
    return subject.process.inRoot(absolute(file).toString());
  }

  private Path absolute(String file) {
    return subject.process.absolute(file);
  }
}
