/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef TLS_DESCRIPTOR_H
#define TLS_DESCRIPTOR_H

#include "profiling_correlation.h"

/* The thread-local pointer of the library that is being built, which the Makefile may name. */
#ifndef PC_TLS_POINTER
#define PC_TLS_POINTER elastic_apm_profiling_correlation_tls_v1
#endif

extern PC_EXPORT _Thread_local void *PC_TLS_POINTER;

/*
 * Returns whether a profiler can compute the address of the thread-local pointer as "thread pointer
 * plus the second word of the TLS descriptor". It cannot if libc had no static TLS space left.
 */
int pc_tls_descriptor_is_static(void);

#endif
