/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Builds the plug-in of one SDK from its parts, starts and stops it, and owns the state that exists
 * once per process. Any thread may start and stop it; one thread at a time handles messages.
 */
package io.flamespan.correlation.internal.runtime;
