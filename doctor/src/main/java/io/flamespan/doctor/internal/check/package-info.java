/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The checks of a process, in sections; each check has a stable id. Called by one thread. */
package io.flamespan.doctor.internal.check;
