/*
 * Copyright The Flamespan Authors
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
 * A file in which the application states which span each of its threads should show: an array of
 * span ids, indexed by thread id. Zero means no statement: anything may be shown. No thread has the
 * id 0, so we use that slot for the number of samples so far that showed the span of their thread.
 */
#define EXPECTED_NO_TRACE UINT64_MAX /* the thread should show no trace */

struct expected_spans {
  const char *path; /* null: samples are not compared */
  pid_t pid;
  bool same_ids;            /* the application sees the same thread ids as we do */
  volatile uint64_t *slots; /* null: the file does not exist yet */
  size_t size;
  ino_t inode;
};

/* Maps the current file. Invalidates earlier slots. */
void expected_spans_refresh(struct expected_spans *spans);

/* Returns the slot of the thread, or null if the file does not contain it. */
const volatile uint64_t *expected_spans_slot(const struct expected_spans *spans, pid_t tid);

/* Compares a record with the statement, if there is one. "protocol" is that of the record. */
void expected_spans_compare(pid_t tid, const char *protocol, uint64_t expected,
                            enum record_state state, const uint8_t *span_id,
                            struct expected_counters *counters);

/* Publishes the number to the application and others that map the file. */
void expected_spans_report(const struct expected_spans *spans, uint64_t shown);

void expected_spans_close(struct expected_spans *spans);

#endif
