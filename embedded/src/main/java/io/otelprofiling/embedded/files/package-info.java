/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spans and profiles in files, for the page of flame graphs: OTLP JSON, as the OpenTelemetry
 * Collector's file exporter writes it. Nothing here is loaded unless a directory is configured.
 */
package io.otelprofiling.embedded.files;
