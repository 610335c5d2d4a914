/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.compatibility.runner;

import java.nio.file.Path;
import java.util.List;

/**
 * The programs and directories that the rows use.
 *
 * @param standIn the stand-in profiler
 * @param directory the directory of the matrix
 * @param pluginClassPath the plug-in's jar and its dependencies
 * @param extension the plug-in as an extension of the Java agent
 * @param javas the Java homes, the preferred one first
 */
record Place(
    Path standIn, Path directory, String pluginClassPath, String extension, List<Path> javas) {}
