/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The command line of the {@code doctor} and its output. Called by one thread. */
package io.flamespan.doctor.internal.command;
