/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Leads from each span to its local root span, by way of the trace state, and from ids to local
 * root spans. Any thread may enter.
 */
package io.otelprofiling.correlation.internal.localroot;
