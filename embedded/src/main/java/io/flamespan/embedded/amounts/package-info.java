/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Metrics of what samples stand for, except CPU time: allocated bytes, and seconds of waiting.
 * Nothing here is loaded unless the settings ask for such samples.
 */
package io.flamespan.embedded.amounts;
