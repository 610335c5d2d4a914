/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The program of {@code make soak}: an application under disturbances for minutes or hours. */
package io.flamespan.correlation.soak;
