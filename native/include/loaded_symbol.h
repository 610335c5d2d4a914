/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef LOADED_SYMBOL_H
#define LOADED_SYMBOL_H

/*
 * Returns whether the executable or any library of this process, including those loaded with
 * RTLD_LOCAL, defines a dynamic thread-local symbol of this name, which a profiler would find. Does
 * not see libraries in other namespaces (dlmopen).
 */
int pc_thread_local_symbol_is_defined(const char *name);

/*
 * Returns the address of the first dynamic function of this name in such an object, or NULL. Unlike
 * dlopen and dlsym, this does not need a path, which may have changed, or a version of glibc.
 */
void *pc_loaded_function(const char *name);

typedef int pc_function_test(void *function, void *argument);

/* The same for the first such function that passes a test. */
void *pc_loaded_function_that(const char *name, pc_function_test *passes, void *argument);

/* The same in the object that has this other function. */
void *pc_loaded_function_beside(const char *name, const void *other);

#endif
