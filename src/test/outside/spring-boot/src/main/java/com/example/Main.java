/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application of a user with Spring Boot. */
@SpringBootApplication
public class Main {
  /** Runs until it is ended. */
  public static void main(String[] arguments) throws InterruptedException {
    SpringApplication.run(Main.class, arguments);
    System.out.println("application: started");
    Thread.sleep(60_000);
  }
}
