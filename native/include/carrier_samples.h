/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CARRIER_SAMPLES_H
#define CARRIER_SAMPLES_H

#include "record_pool.h"

/*
 * What virtual threads worked for when a profiler in this process sampled their carriers. The
 * profiler keeps the time of the last sample of each thread in memory of that thread. Whenever a
 * carrier is about to work for something else, this time is compared with the one before. If it has
 * changed, a report says what all samples since the last report belong to.
 */

/* Returns where the time of the calling thread's last sample is, or NULL if out of memory. */
typedef volatile uint64_t *pc_last_sample(void);

/* Lets the profiler sample the calling thread also while it waits. */
typedef void pc_sample_waits(void);

enum { PC_NO_TRACE, PC_TRACE, PC_UNKNOWN, PC_NOT_SAMPLED };

/* The ids of a record, if it shows a trace. */
typedef struct {
  uint64_t state; /* one of those above */
  uint8_t trace_id[16];
  uint8_t span_id[8];
  union {
    uint8_t transaction_id[8];
    uint64_t not_sampled; /* Java's number of a local root span that is not sampled */
  };
} pc_work;

typedef struct {
  uint64_t time;    /* what the report is about ends with a sample at this time */
  uint64_t between; /* 1 if no virtual thread was mounted, as far as the JVM tells */
  pc_work from;     /* of the virtual thread that was mounted; or was mounted last, if between */
  pc_work to;       /* the same; or of the one that is mounted now */
} pc_carrier_report;

enum { PC_CARRIER_REPORTS = 2048 };

/* As many as async-profiler keeps of a stack, the innermost ones. */
enum { PC_FRAMES_MAX = 2048 };

/* What a carrier has reported since it was last asked. */
typedef struct {
  uint64_t thread_id; /* as the kernel numbers threads */
  uint64_t has_ended;
  uint64_t count;
  pc_carrier_report current; /* what a sample without a later report belongs to */
  pc_carrier_report reports[PC_CARRIER_REPORTS];
} pc_carrier_reports;

_Static_assert(sizeof(pc_work) == 40, "work");
_Static_assert(offsetof(pc_work, transaction_id) == 32, "local root");
_Static_assert(offsetof(pc_work, not_sampled) == 32, "local root that is not sampled");
_Static_assert(offsetof(pc_carrier_report, from) == 16, "report");
_Static_assert(sizeof(pc_carrier_report) == 96, "report");
_Static_assert(offsetof(pc_carrier_reports, current) == 24, "reports");
_Static_assert(offsetof(pc_carrier_reports, reports) == 120, "reports");

typedef struct pc_carrier pc_carrier;

/*
 * Returns what a block shows. May be called by any thread. A record that its thread changes
 * meanwhile may be read wrongly.
 */
pc_work pc_work_of(const pc_block *block);

/*
 * Follows carriers from now on. Samples that a carrier has at its first event from now on are no
 * trace's, unless virtual threads may have shown some already. At this event, it calls
 * sample_waits, unless that is NULL. Not to be called twice without pc_carriers_end.
 */
void pc_carriers_begin(pc_last_sample *last_sample, pc_sample_waits *sample_waits,
                       int may_have_shown);

/* Follows no carrier from now on. */
void pc_carriers_end(void);

/*
 * Returns whether a carrier of which nothing is known has worked for no trace since
 * pc_carriers_begin.
 */
int pc_carriers_are_known(void);

/*
 * Must be called on a carrier when a virtual thread with this block, or without one, is mounted, and
 * when it is about to be unmounted.
 */
void pc_carrier_mounted(pc_block *block);
void pc_carrier_unmounted(void);

/* Returns the block of a virtual thread that the carrier shows, or NULL. */
pc_block *pc_carrier_shown(void);

/* Returns memory of the carrier for PC_FRAMES_MAX frames, or NULL while carriers are not followed. */
void *pc_carrier_frames(void);

/*
 * Must be called by a virtual thread before what it shows changes. The first one returns its block,
 * or NULL if that is not known. The second one returns whether the virtual thread may have been
 * sampled since it last asked.
 */
pc_block *pc_carrier_changes(void);
int pc_carrier_was_sampled(void);

/* Must be called by a virtual thread that has another block since pc_carrier_changes. */
void pc_carrier_shows(pc_block *block);

/*
 * For one thread, which collects samples. Returns the carrier after this one, or the first one for
 * NULL, and NULL at the end.
 */
pc_carrier *pc_carrier_next(const pc_carrier *carrier);

/*
 * For the collecting thread. What is current is read before the reports are taken. So if it had
 * changed since a sample that was collected before this call, there would be a report.
 */
void pc_carrier_take(pc_carrier *carrier, pc_carrier_reports *taken);

/* For the collecting thread. Frees a carrier that was said to have ended. */
void pc_carrier_forget(pc_carrier *carrier);

#endif
