/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_LOCAL_SYMBOL_H
#define THREAD_LOCAL_SYMBOL_H

/*
 * Returns whether the executable or any library of this process, however it was loaded, defines a
 * dynamic thread-local symbol of this name, which a profiler would find.
 */
int pc_thread_local_symbol_is_defined(const char *name);

#endif
