/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Uses of traces, threads and scopes that check what the plug-in shows for them. */
package io.flamespan.correlation.scenarios;
