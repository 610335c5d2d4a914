/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

/** A function as profiles name it; the file and the kind, such as "jvm", may be empty. */
public record Frame(String name, String file, String kind) {}
