/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spans and profiles in files, for the page of flame graphs: OTLP messages in protobuf, each after
 * its length, as the OpenTelemetry Collector's file exporter writes them with {@code format:
 * proto}. Nothing here is loaded unless a directory is configured.
 */
package io.flamespan.embedded.files;
