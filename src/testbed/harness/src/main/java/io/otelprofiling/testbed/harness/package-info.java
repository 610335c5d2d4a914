/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the examples share: an application under the stand-in profiler, a receiver of its spans, and
 * checks that compare what the one sent with what the other got. The plug-in's tests use the
 * receiver.
 */
package io.otelprofiling.testbed.harness;
