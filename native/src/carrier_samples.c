/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "carrier_samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "oldest_glibc.h"
#include "profiling_correlation.h"
#include "thread_storage.h"

enum { NOT_FOLLOWED = 0, SAMPLED = 1 };

/* The carrier adds reports and changes what is current, the collecting thread takes reports. */
struct pc_carrier {
  struct pc_carrier *next;
  uint64_t thread_id;
  unsigned run;
  volatile uint64_t *last_sample;
  uint64_t reported; /* the time of the last sample that was reported */
  int has_lost;      /* there was no room for the last report */
  int has_ended;

  unsigned mounts; /* changes before what follows */
  pc_block *block; /* of the virtual thread that is mounted, or that was last */
  int between;     /* whether none is mounted */
  pc_work before;  /* of the one that was mounted last, while none is */

  uint64_t added;
  uint64_t taken;
  pc_carrier_report reports[PC_CARRIER_REPORTS];
  uint64_t frames[2 * PC_FRAMES_MAX];
};

_Static_assert(offsetof(pc_thread_record, transaction_id) - offsetof(pc_thread_record, trace_id) ==
                   offsetof(pc_work, transaction_id) - offsetof(pc_work, trace_id),
               "the ids of a record are copied at once");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static pc_carrier *carriers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;
static unsigned runs;
static unsigned run = NOT_FOLLOWED;
static pc_last_sample *last_sample;
static pc_sample_waits *sample_waits;
static uint64_t first_state; /* of what a carrier has worked for before its first event */
static int some_are_missing;

static void end(void *carrier) {
  __atomic_store_n(&((pc_carrier *)carrier)->has_ended, 1, __ATOMIC_RELEASE);
}

static void create_key(void) { has_key = pthread_key_create(&key, end) == 0; }

void pc_carriers_begin(pc_last_sample *of_thread, pc_sample_waits *of_waits, int may_have_shown) {
  pthread_once(&once, create_key);
  last_sample = of_thread;
  sample_waits = of_waits;
  first_state = may_have_shown ? PC_UNKNOWN : PC_NO_TRACE;
  __atomic_store_n(&some_are_missing, !has_key || may_have_shown, __ATOMIC_RELAXED);
  if (has_key) {
    __atomic_store_n(&run, ++runs, __ATOMIC_RELEASE);
  }
}

void pc_carriers_end(void) { __atomic_store_n(&run, NOT_FOLLOWED, __ATOMIC_RELEASE); }

int pc_carriers_are_known(void) { return !__atomic_load_n(&some_are_missing, __ATOMIC_RELAXED); }

pc_work pc_work_of(const pc_block *block) {
  pc_work work = {.state = PC_NO_TRACE};
  if (block == NULL) {
    return work;
  }
  const volatile pc_thread_record *record = &block->record;
  uint64_t not_sampled = __atomic_load_n(&block->not_sampled, __ATOMIC_RELAXED);
  if (not_sampled != 0) {
    work.state = PC_NOT_SAMPLED;
    work.not_sampled = not_sampled;
  } else if (record->trace_present) {
    work.state = PC_TRACE;
    memcpy(work.trace_id, (const uint8_t *)record->trace_id, sizeof(work) - sizeof(work.state));
    if ((record->trace_flags & SAMPLED) == 0) {
      memcpy(work.span_id, work.transaction_id, sizeof(work.span_id)); /* nobody receives it */
    }
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (!record->valid) {
    work.state = PC_UNKNOWN; /* half written */
  }
  return work;
}

static void add(pc_carrier *carrier, const pc_carrier_report *report) {
  uint64_t added = carrier->added;
  if (added - __atomic_load_n(&carrier->taken, __ATOMIC_ACQUIRE) == PC_CARRIER_REPORTS) {
    carrier->has_lost = 1;
    return;
  }
  pc_carrier_report *next = &carrier->reports[added % PC_CARRIER_REPORTS];
  *next = *report;
  if (carrier->has_lost) {
    /* It is also about samples that were not reported. */
    carrier->has_lost = 0;
    next->between = 0;
    next->from.state = PC_UNKNOWN;
    next->to.state = PC_UNKNOWN;
  }
  __atomic_store_n(&carrier->added, added + 1, __ATOMIC_RELEASE);
}

/*
 * Reports samples that no report is about yet. Must be called before anything changes: who sees the
 * change then also sees the report.
 */
static int report(pc_carrier *carrier, const pc_block *mounted_now) {
  uint64_t time = *carrier->last_sample;
  if (time == carrier->reported) {
    return 0;
  }
  carrier->reported = time;
  pc_carrier_report next = {.time = time, .between = (uint64_t)carrier->between};
  next.from = carrier->between ? carrier->before : pc_work_of(carrier->block);
  next.to = carrier->between ? pc_work_of(mounted_now) : next.from;
  add(carrier, &next);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return 1;
}

/*
 * The profiler counts for this thread only from here on, so the first report is about all samples
 * before, too.
 */
static void report_first(pc_carrier *carrier) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  carrier->reported = *carrier->last_sample;
  pc_carrier_report first = {.time = carrier->reported > time ? carrier->reported : time,
                             .between = 1,
                             .from.state = first_state,
                             .to.state = first_state};
  add(carrier, &first);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

static pc_carrier *create(void) {
  pc_carrier *carrier = calloc(1, sizeof(*carrier));
  if (carrier == NULL || pthread_setspecific(key, carrier) != 0) {
    free(carrier);
    return NULL;
  }
  carrier->thread_id = (uint64_t)syscall(SYS_gettid);
  pthread_mutex_lock(&lock);
  carrier->next = carriers;
  carriers = carrier;
  pthread_mutex_unlock(&lock);
  return carrier;
}

static void change(pc_carrier *carrier, pc_block *block, int between) {
  __atomic_store_n(&carrier->block, block, __ATOMIC_RELAXED);
  __atomic_store_n(&carrier->between, between, __ATOMIC_RELEASE);
}

pc_block *pc_carrier_shown(void) {
  uint8_t *record = elastic_apm_profiling_correlation_tls_v1;
  return record == NULL || pc_thread_shows_own()
             ? NULL
             : (pc_block *)(record - offsetof(pc_block, record));
}

/* Returns NULL if out of memory. */
static pc_carrier *enter(pc_carrier *carrier, unsigned now) {
  volatile uint64_t *time = last_sample();
  if (carrier == NULL) {
    carrier = time == NULL ? NULL : create();
  }
  if (carrier == NULL || time == NULL) {
    __atomic_store_n(&some_are_missing, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  carrier->run = now;
  carrier->last_sample = time;
  report_first(carrier);
  __atomic_store_n(&carrier->mounts, carrier->mounts + 1, __ATOMIC_RELEASE);
  change(carrier, pc_carrier_shown(), 0);
  if (sample_waits != NULL) {
    sample_waits();
  }
  return carrier;
}

/* Returns NULL while carriers are not followed. */
static pc_carrier *of_thread(void) {
  unsigned now = __atomic_load_n(&run, __ATOMIC_ACQUIRE);
  if (now == NOT_FOLLOWED) {
    return NULL;
  }
  pc_carrier *carrier = pthread_getspecific(key);
  return carrier != NULL && carrier->run == now ? carrier : enter(carrier, now);
}

void *pc_carrier_frames(void) {
  pc_carrier *carrier = of_thread();
  return carrier == NULL ? NULL : carrier->frames;
}

static void mark(pc_block *block) {
  if (block != NULL) {
    __atomic_store_n(&block->is_sampled, 1, __ATOMIC_RELAXED);
  }
}

void pc_carrier_mounted(pc_block *block) {
  pc_carrier *carrier = of_thread();
  if (carrier == NULL) {
    return;
  }
  if (report(carrier, block)) {
    mark(block);
    mark(carrier->block);
  }
  __atomic_store_n(&carrier->mounts, carrier->mounts + 1, __ATOMIC_RELEASE);
  change(carrier, block, 0);
}

void pc_carrier_unmounted(void) {
  pc_carrier *carrier = of_thread();
  if (carrier == NULL || carrier->between) {
    return;
  }
  if (report(carrier, NULL)) {
    mark(carrier->block);
  }
  carrier->before = pc_work_of(carrier->block);
  change(carrier, carrier->block, 1);
}

/*
 * The JVM reports no mount if a virtual thread could not leave its carrier for a monitor. It then
 * runs although it is unmounted, and what it works for is not known from its first change on.
 */
static int report_change(pc_carrier *carrier) {
  int is_sampled = report(carrier, NULL);
  if (carrier->between) {
    carrier->before.state = PC_UNKNOWN;
  }
  return is_sampled;
}

pc_block *pc_carrier_changes(void) {
  pc_carrier *carrier = of_thread();
  if (carrier == NULL) {
    return NULL;
  }
  if (report_change(carrier)) {
    mark(carrier->block);
  }
  return carrier->between ? NULL : carrier->block;
}

int pc_carrier_was_sampled(void) {
  pc_carrier *carrier = of_thread();
  if (carrier == NULL || carrier->block == NULL) {
    return 0;
  }
  int is_sampled = report_change(carrier) ||
                   __atomic_load_n(&carrier->block->is_sampled, __ATOMIC_RELAXED);
  if (is_sampled) {
    __atomic_store_n(&carrier->block->is_sampled, 0, __ATOMIC_RELAXED);
  }
  return is_sampled;
}

void pc_carrier_shows(pc_block *block) {
  pc_carrier *carrier = of_thread();
  if (carrier != NULL) {
    change(carrier, block, 0);
  }
}

pc_carrier *pc_carrier_next(const pc_carrier *carrier) {
  if (carrier != NULL) {
    return carrier->next;
  }
  pthread_mutex_lock(&lock);
  pc_carrier *first = carriers;
  pthread_mutex_unlock(&lock);
  return first;
}

static pc_carrier_report current(const pc_carrier *carrier, int has_ended) {
  pc_carrier_report report = {.time = INT64_MAX};
  unsigned mounts = __atomic_load_n(&carrier->mounts, __ATOMIC_ACQUIRE);
  report.between = (uint64_t)__atomic_load_n(&carrier->between, __ATOMIC_ACQUIRE);
  if (report.between) {
    report.from = carrier->before;
  } else if (has_ended) {
    report.from.state = PC_UNKNOWN; /* what it showed may have ended with it */
  } else {
    report.from = pc_work_of(__atomic_load_n(&carrier->block, __ATOMIC_RELAXED));
  }
  report.to = report.from;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (report.between) {
    report.to.state = PC_UNKNOWN; /* the next one may be about to be mounted */
  }
  if (__atomic_load_n(&carrier->mounts, __ATOMIC_RELAXED) != mounts) {
    report.from.state = PC_UNKNOWN; /* may be half of one and half of another */
    report.to.state = PC_UNKNOWN;
  }
  return report;
}

void pc_carrier_take(pc_carrier *carrier, pc_carrier_reports *taken) {
  taken->thread_id = carrier->thread_id;
  taken->has_ended = (uint64_t)__atomic_load_n(&carrier->has_ended, __ATOMIC_ACQUIRE);
  taken->current = current(carrier, taken->has_ended != 0);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  uint64_t added = __atomic_load_n(&carrier->added, __ATOMIC_ACQUIRE);
  uint64_t first = carrier->taken;
  taken->count = added - first;
  for (uint64_t i = 0; i < taken->count; i++) {
    taken->reports[i] = carrier->reports[(first + i) % PC_CARRIER_REPORTS];
  }
  __atomic_store_n(&carrier->taken, added, __ATOMIC_RELEASE);
}

void pc_carrier_forget(pc_carrier *carrier) {
  pthread_mutex_lock(&lock);
  pc_carrier **link = &carriers;
  while (*link != carrier) {
    link = &(*link)->next;
  }
  *link = carrier->next;
  pthread_mutex_unlock(&lock);
  free(carrier);
}
