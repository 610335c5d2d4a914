/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Errors at points inside the plug-in, exhausted memory and stacks, and refusals of the operating
 * system.
 */
package io.flamespan.correlation.faults;
