/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_LOADING_H
#define FIXTURE_LOADING_H

/*
 * Keeps the library as it is in the middle of dlopen for LOADING_MS of the environment, if that is
 * set: its code is mapped at its place, its data not yet, and nothing is relocated.
 */
void fixture_loading(const char *path);

#endif
