/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A profile of each test. {@link io.flamespan.junit.internal.ProfilingTestListener} is called on
 * the threads that run tests. {@link io.flamespan.junit.internal.SdkRecorder} and all libraries
 * that it needs are in a class loader of their own, so that the class path, the context and the
 * spans of the tests are what they are without it.
 */
package io.flamespan.junit.internal;
