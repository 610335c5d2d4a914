/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The native libraries: how they are extracted and loaded, and the methods that they implement. Any
 * thread may call this package. State that exists once per process is guarded by a process-wide
 * lock.
 */
package io.flamespan.correlation.internal.nativelib;
