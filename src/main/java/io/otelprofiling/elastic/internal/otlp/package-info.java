/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What Elastic's <a href="https://github.com/elastic/apm/blob/main/specs/agents/transport.md">
 * specification of the transport</a> asks for, as far as an exporter of OpenTelemetry can do it:
 * for the OTLP exporters, by HTTP and gRPC, of spans, metrics and log records. Everything here is
 * off until a setting asks for it. Not for applications.
 */
package io.otelprofiling.elastic.internal.otlp;
