/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.compatibility.runner;

import java.nio.file.Path;
import java.util.List;

/**
 * What is built and installed here.
 *
 * @param standIn the stand-in profiler
 * @param directory that of the matrix
 * @param pluginClassPath the plug-in's jar and those that it needs
 * @param extension the plug-in as an extension of the Java agent
 * @param javas homes of the versions of Java, the preferred one first
 */
record Place(
    Path standIn, Path directory, String pluginClassPath, String extension, List<Path> javas) {}
