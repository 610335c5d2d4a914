/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Applications that tests start in their own JVM, and the classes that only these use. */
package io.otelprofiling.correlation.apps;
