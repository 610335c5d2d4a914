/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The public API: the plug-in for SDKs that are built in code. It may be called on any thread.
 * Everything below {@code internal} may change in any release.
 */
package io.flamespan.correlation;
