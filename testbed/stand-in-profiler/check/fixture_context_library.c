/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The variable of the OpenTelemetry thread context. FILLER_SIZE makes the thread-local storage of
 * the library too large for libc's static reserve.
 */
__thread void *otel_thread_ctx_v1;

#ifdef FILLER_SIZE
static __thread volatile char filler[FILLER_SIZE];
#endif

/* dlsym finds this function by its name. */
void fixture_publish_context(void *record);

void fixture_publish_context(void *record) {
#ifdef FILLER_SIZE
  filler[0] = 1;
#endif
  otel_thread_ctx_v1 = record;
}
