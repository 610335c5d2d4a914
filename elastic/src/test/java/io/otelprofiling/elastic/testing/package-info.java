/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What tests use in several packages. */
package io.otelprofiling.elastic.testing;
