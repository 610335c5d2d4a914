/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Implements Elastic's <a
 * href="https://github.com/elastic/apm/blob/main/specs/agents/transport.md">transport
 * specification</a> for OpenTelemetry's OTLP exporters of spans, metrics and log records, over HTTP
 * and gRPC, as far as these exporters allow. All of it is off unless a setting enables it. Not for
 * applications.
 */
package io.flamespan.elastic.internal.otlp;
