/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a profiler in this process and the plug-in tell each other. Loaded only if the settings want
 * such a profiler. The interfaces name the threads that call each method.
 */
package io.flamespan.correlation.internal.embedded;
