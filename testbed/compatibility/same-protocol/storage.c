/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What profilers look for in the library of an agent, without content.
 */
__thread void *elastic_apm_profiling_correlation_tls_v1;
void *elastic_apm_profiling_correlation_process_storage_v1;

/* Makes the linker keep the way to the variable that profilers follow. */
void **storage_of_thread(void) { return &elastic_apm_profiling_correlation_tls_v1; }
