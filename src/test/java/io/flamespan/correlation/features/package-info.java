/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Promises of the plug-in, each attacked through an SDK as users configure it. */
package io.flamespan.correlation.features;
