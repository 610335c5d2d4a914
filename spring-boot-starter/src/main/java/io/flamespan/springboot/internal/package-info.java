/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry point for Spring Boot, which uses contexts before its SDK exists. Called by the thread that
 * starts the application.
 */
package io.flamespan.springboot.internal;
