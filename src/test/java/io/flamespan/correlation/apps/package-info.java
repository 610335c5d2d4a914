/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Applications that tests start in a separate JVM, and the classes that only these applications
 * use.
 */
package io.flamespan.correlation.apps;
