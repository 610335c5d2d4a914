/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.springboot;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ways to start the shop. */
enum Start {
  PLAIN("As it is", 17, null, List.of()),
  VIRTUAL_THREADS(
      "With virtual threads", 21, null, List.of("--spring.threads.virtual.enabled=true")),
  EARLY_CONTEXT("The context in use before SpringApplication", 17, "EarlyContext", List.of()),
  EARLY_CONTEXT_REMEDIED(
      "The same, after registerContextStorage()", 17, "EarlyContextRemedied", List.of());

  private static final String PACKAGE = "io.flamespan.examples.springboot.";

  private final String title;
  private final int minJava;
  private final String main;
  private final List<String> arguments;

  Start(String title, int minJava, String main, List<String> arguments) {
    this.title = title;
    this.minJava = minJava;
    this.main = main;
    this.arguments = arguments;
  }

  String title() {
    return title;
  }

  int minJava() {
    return minJava;
  }

  /** Returns the arguments of the command {@code java}. */
  List<String> arguments(Path jar) {
    List<String> command = new ArrayList<>();
    if (main == null) {
      command.addAll(List.of("-jar", jar.toString()));
    } else {
      // The way to run another class of a Spring Boot jar, which bypasses the class in the
      // manifest.
      if (Runtime.version().feature() >= 24) {
        command.add("--enable-native-access=ALL-UNNAMED");
      }
      command.add("-Dloader.main=" + PACKAGE + main);
      command.addAll(List.of("-cp", jar.toString()));
      command.add("org.springframework.boot.loader.launch.PropertiesLauncher");
    }
    command.addAll(arguments);
    return command;
  }
}
