/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A Spring Boot application as anybody would write it: nothing in it knows the plug-in. */
@SpringBootApplication
public class Shop {
  /** Serves until the process is told to end. */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }
}
