/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* The two variables of the protocol. Shares no code with ../src, which is the other side. */
__thread void *elastic_apm_profiling_correlation_tls_v1;
void *elastic_apm_profiling_correlation_process_storage_v1;

/* dlsym finds this function by its name. */
void fixture_publish_process(void *storage);
void fixture_publish_thread(void *record);

void fixture_publish_process(void *storage) {
  elastic_apm_profiling_correlation_process_storage_v1 = storage;
}

void fixture_publish_thread(void *record) { elastic_apm_profiling_correlation_tls_v1 = record; }
