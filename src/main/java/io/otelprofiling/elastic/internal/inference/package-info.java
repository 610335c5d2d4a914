/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Adds to exported spans what Elastic's specification infers from a span of OpenTelemetry: whether
 * it is a transaction, its types, its outcome and the service that it calls. Threads of exporters
 * enter, after the thread that configures the SDK. Not for applications.
 */
package io.otelprofiling.elastic.internal.inference;
