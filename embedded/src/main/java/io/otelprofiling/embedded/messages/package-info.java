/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages of OTLP: profiles in JSON and in protobuf, spans in JSON. Nothing here is loaded unless
 * the settings want profiles in files or at an endpoint.
 */
package io.otelprofiling.embedded.messages;
