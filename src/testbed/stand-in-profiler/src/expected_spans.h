/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef EXPECTED_SPANS_H
#define EXPECTED_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "counters.h"
#include "thread_sample.h"

/*
 * A file in which the application says what its threads should be showing: an array of span ids,
 * indexed by thread id. Zero means no statement: anything may be shown. No thread has the id 0, so
 * that place is ours, for how many samples showed the span of their thread so far.
 */
#define EXPECTED_NO_TRACE UINT64_MAX /* the thread should show no trace */

struct expected_spans {
  const char *path; /* null: nothing is compared */
  pid_t pid;
  bool same_ids;            /* the application has the same thread ids as we see */
  volatile uint64_t *slots; /* null: the file is not there yet */
  size_t size;
  ino_t inode;
};

/* Maps the file as it is now. Earlier slots are no longer valid. */
void expected_spans_refresh(struct expected_spans *spans);

/* Returns the slot with the span that the thread should be showing, or null if there is none. */
const volatile uint64_t *expected_spans_slot(const struct expected_spans *spans, pid_t tid);

/* Compares a record with a statement, unless there is none. "protocol" is the one of the record. */
void expected_spans_compare(pid_t tid, const char *protocol, uint64_t expected,
                            enum record_state state, const uint8_t *span_id,
                            struct expected_counters *counters);

/* Tells the application and others who map the file. */
void expected_spans_report(const struct expected_spans *spans, uint64_t shown);

void expected_spans_close(struct expected_spans *spans);

#endif
