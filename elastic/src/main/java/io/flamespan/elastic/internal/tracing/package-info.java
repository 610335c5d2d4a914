/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Distributed tracing with services that use Elastic's agent: a propagator, a sampler and a span
 * processor. Called by the thread that configures the SDK, then by any thread of the application.
 */
package io.flamespan.elastic.internal.tracing;
