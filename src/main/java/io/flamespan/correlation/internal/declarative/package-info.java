/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry point for SDKs that are configured from a file. Called by the thread that configures the
 * SDK. The span processors created here are called by the application's threads.
 */
package io.flamespan.correlation.internal.declarative;
