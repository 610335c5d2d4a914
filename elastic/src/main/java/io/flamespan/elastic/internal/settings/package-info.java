/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The settings of the other packages in {@code io.flamespan.elastic.internal}. Not for
 * applications.
 */
package io.flamespan.elastic.internal.settings;
