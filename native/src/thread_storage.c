/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <pthread.h>
#include <stdlib.h>

#include "profiling_correlation.h"

/*
 * glibc 2.34 gave these functions a newer version when it moved them from libpthread to libc. The
 * older version exists in both.
 */
#if defined(__x86_64__)
#define PC_OLDEST_GLIBC "GLIBC_2.2.5"
#else
#define PC_OLDEST_GLIBC "GLIBC_2.17"
#endif
#ifdef __GLIBC__
__asm__(".symver pthread_key_create, pthread_key_create@" PC_OLDEST_GLIBC);
__asm__(".symver pthread_setspecific, pthread_setspecific@" PC_OLDEST_GLIBC);
__asm__(".symver pthread_once, pthread_once@" PC_OLDEST_GLIBC);
#endif

_Thread_local void *elastic_apm_profiling_correlation_tls_v1 = NULL;

/*
 * The pointer and the record are all of this library's thread-local storage: profilers find the
 * pointer only while libc can place both in its small static reserve. The three bytes in front put
 * the three ids, which begin at offset 5 of the record, on 8-byte boundaries.
 */
static _Thread_local struct {
  _Alignas(8) uint8_t is_living; /* whether the record is in the list below */
  uint8_t padding[2];
  pc_thread_record record;
} own;

_Static_assert(sizeof(own) == 40, "thread-local storage beside the pointer");

/* A record ends with its thread, so other threads write to it only while they hold the lock. */
typedef struct pc_living {
  struct pc_living *next;
  struct pc_living **link; /* the pointer to this entry */
  pc_thread_record *record;
} pc_living;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pc_living *living;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

static void forget(void *ended) {
  pc_living *thread = ended;
  pthread_mutex_lock(&lock);
  *thread->link = thread->next;
  if (thread->next != NULL) {
    thread->next->link = thread->link;
  }
  pthread_mutex_unlock(&lock);
  free(thread);
  own.is_living = 0; /* the thread may show its record again before it has ended */
}

static void create_key(void) { has_key = pthread_key_create(&key, forget) == 0; }

/* If there is no memory for an entry, only the thread itself can clear its record. */
static void remember_own(void) {
  if (own.is_living) {
    return;
  }
  pthread_once(&once, create_key);
  pc_living *thread = has_key ? malloc(sizeof(*thread)) : NULL;
  if (thread == NULL || pthread_setspecific(key, thread) != 0) {
    free(thread);
    return;
  }
  own.is_living = 1;
  thread->record = &own.record;
  thread->link = &living;
  pthread_mutex_lock(&lock);
  thread->next = living;
  if (living != NULL) {
    living->link = &thread->next;
  }
  living = thread;
  pthread_mutex_unlock(&lock);
}

/* A profiler interrupts this thread, so only the compiler could reorder record and pointer. */
static void point_to(pc_thread_record *record) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *(void *volatile *)&elastic_apm_profiling_correlation_tls_v1 = record;
}

void pc_thread_record_clear(pc_thread_record *record) {
  record->layout_minor_version = PC_LAYOUT_MINOR_VERSION;
  record->trace_present = 0;
  record->valid = 1;
}

void pc_thread_record_show_no_trace(pc_thread_record *record) {
  /* A single byte cannot be seen half written. */
  *(volatile uint8_t *)&record->trace_present = 0;
}

pc_thread_record *pc_thread_record_show(void) {
  if (elastic_apm_profiling_correlation_tls_v1 == NULL) {
    pc_thread_record_clear(&own.record);
    remember_own();
    point_to(&own.record);
  }
  return &own.record;
}

void pc_thread_record_forget(void) { pc_thread_record_show_no_trace(&own.record); }

void pc_thread_record_forget_all(void) {
  pthread_mutex_lock(&lock);
  for (pc_living *thread = living; thread != NULL; thread = thread->next) {
    pc_thread_record_show_no_trace(thread->record);
  }
  pthread_mutex_unlock(&lock);
}

void pc_thread_record_replace(pc_thread_record *record) { point_to(record); }
