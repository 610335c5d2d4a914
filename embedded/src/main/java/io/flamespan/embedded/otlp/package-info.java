/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Sends profiles by OTLP, with the HTTP or gRPC client of OpenTelemetry's exporters. Nothing here
 * is loaded unless an endpoint is configured.
 */
package io.flamespan.embedded.otlp;
