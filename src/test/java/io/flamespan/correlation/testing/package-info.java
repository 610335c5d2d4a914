/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Stand-ins for the plug-in's surroundings, and utilities that record or read its effects. */
package io.flamespan.correlation.testing;
