/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Reports of the doctor about real processes, each with one known fault or none. */
package io.otelprofiling.doctor.features;
