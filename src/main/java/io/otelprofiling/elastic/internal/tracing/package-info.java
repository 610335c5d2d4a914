/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Distributed tracing with services that have Elastic's agent: a propagator, a sampler and a span
 * processor. Any thread of the application enters, after the thread that configures the SDK.
 */
package io.otelprofiling.elastic.internal.tracing;
