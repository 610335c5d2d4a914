/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The UNIX socket that profilers send to, and the worker, which handles messages. A releaser
 * handles the messages that have arrived before it passes spans on, under the same lock as the
 * worker. Any thread may give the worker a task.
 */
package io.flamespan.correlation.internal.transport;
