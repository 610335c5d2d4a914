/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef LOADED_SYMBOL_H
#define LOADED_SYMBOL_H

/*
 * Returns whether the executable or a library of this process, also one that was loaded with
 * RTLD_LOCAL, defines a dynamic thread-local symbol of this name, which a profiler would find. Does
 * not see the libraries of other namespaces (dlmopen).
 */
int pc_thread_local_symbol_is_defined(const char *name);

/*
 * Returns the address of the first dynamic function of this name in such an object, or NULL. Unlike
 * dlopen and dlsym, this needs no path, which may have changed, and no version of glibc.
 */
void *pc_loaded_function(const char *name);

#endif
