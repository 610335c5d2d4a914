/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Support for applications that migrate from Elastic's APM agent: distributed tracing with services
 * that still use it, and the span attributes that its backend expects. All of it is off unless a
 * setting enables it or the application calls it. Flamespan does not depend on it. {@link
 * io.flamespan.elastic.ElasticKafkaHeader} and {@link io.flamespan.elastic.ElasticTraceState} may
 * be called by applications, on any thread.
 */
package io.flamespan.elastic;
