/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The way of samples to local root spans, from profilers of the host and from the embedded one, and
 * the clocks of their exact times.
 */
package io.flamespan.correlation.internal.samples;
