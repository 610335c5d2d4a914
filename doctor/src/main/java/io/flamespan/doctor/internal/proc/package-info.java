/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes, their memory and their threads, through {@code /proc}. Called by one thread. */
package io.flamespan.doctor.internal.proc;
