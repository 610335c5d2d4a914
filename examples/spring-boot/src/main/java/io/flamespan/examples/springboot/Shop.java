/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An ordinary Spring Boot application, whose code does not use the plug-in. */
@SpringBootApplication
public class Shop {
  /** Serves requests until the process is terminated. */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }
}
