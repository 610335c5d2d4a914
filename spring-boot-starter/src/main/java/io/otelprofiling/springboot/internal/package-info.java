/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry point for Spring Boot, which uses contexts before its SDK exists. Called by the thread that
 * starts the application.
 */
package io.otelprofiling.springboot.internal;
