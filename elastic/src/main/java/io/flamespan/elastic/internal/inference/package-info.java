/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Adds the attributes to exported spans that Elastic's specification infers from OpenTelemetry
 * spans: whether a span is a transaction, its types, its outcome and the service that it calls.
 * Called by the thread that configures the SDK, then by export threads. Not for applications.
 */
package io.flamespan.elastic.internal.inference;
