/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_LOADING_H
#define FIXTURE_LOADING_H

/*
 * Keeps the library as it is in the middle of dlopen: LOADING_MS (of the environment) with its code
 * at its place and without its data, then LOADING_MAPPED_MS with its data as the file has it, so
 * neither relocated nor with zeros behind its end.
 */
void fixture_loading(const char *path);

#endif
