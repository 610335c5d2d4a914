/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The settings: names, validation and defaults. Read once per SDK, by the thread that configures
 * it.
 */
package io.flamespan.correlation.internal.config;
