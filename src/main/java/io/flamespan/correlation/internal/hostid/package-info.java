/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Adds the profiler's {@code host.id} to exported data whose resource does not have one. The thread
 * that handles messages receives the id, and the threads of exporters read it.
 */
package io.flamespan.correlation.internal.hostid;
