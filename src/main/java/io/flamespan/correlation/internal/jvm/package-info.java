/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the JVM counts about itself, in memory that this process can read. Any thread may. */
package io.flamespan.correlation.internal.jvm;
