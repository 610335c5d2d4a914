/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Logs repeated messages at most once a minute. Any thread may call it. */
package io.flamespan.correlation.internal.log;
