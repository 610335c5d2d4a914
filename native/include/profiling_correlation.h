/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILING_CORRELATION_H
#define PROFILING_CORRELATION_H

#define PC_EXPORT __attribute__((visibility("default")))

/*
 * The symbols that a profiler looks up: see "Universal profiling integration", sections "Process
 * storage" and "Thread local storage". Each is null or points to complete memory.
 */
extern PC_EXPORT void *elastic_apm_profiling_correlation_process_storage_v1;
extern PC_EXPORT _Thread_local void *elastic_apm_profiling_correlation_tls_v1;

/* Null, or points to a pc_status_block: see docs/internals/status-block.md. */
extern PC_EXPORT void *flamespan_status_v1;

#endif
