/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef USAGE_H
#define USAGE_H

/* The answer to --help. */
extern const char usage[];

#endif
