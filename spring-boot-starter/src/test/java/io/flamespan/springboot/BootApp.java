/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application with Spring Boot. With the argument "traced", it also has an SDK. */
@EnableAutoConfiguration
public class BootApp {
  /** Starts as Spring Boot does, and ends. */
  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(BootApp.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.run(arguments).close();
    System.out.println("started");
    if (List.of(arguments).contains("traced")) {
      TracedPart.run();
    }
  }
}
