/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import java.nio.file.Path;
import java.util.List;

/**
 * The programs and directories that the rows use.
 *
 * @param standIn the stand-in profiler
 * @param directory the directory of the matrix
 * @param plugin the plug-in's jar
 * @param javas the Java homes, the preferred one first
 */
record Place(Path standIn, Path directory, Path plugin, List<Path> javas) {}
