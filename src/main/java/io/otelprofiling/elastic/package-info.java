/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * For applications that move from Elastic's APM agent: distributed tracing with services that still
 * have it, and what its backend infers from spans. Everything here is off until a setting or a call
 * asks for it, and profiling correlation does not depend on it. {@link
 * io.otelprofiling.elastic.ElasticKafkaHeader} and {@link
 * io.otelprofiling.elastic.ElasticTraceState} are for applications, on any thread.
 */
package io.otelprofiling.elastic;
