/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry point for SDKs that are autoconfigured from properties. Called by the thread that
 * configures the SDK.
 */
package io.flamespan.correlation.internal.autoconfigure;
