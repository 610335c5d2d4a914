/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_storage.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "oldest_glibc.h"
#include "profiling_correlation.h"

_Thread_local void *elastic_apm_profiling_correlation_tls_v1 = NULL;

/*
 * This library's thread-local storage consists only of the pointer and the record: profilers find
 * the pointer only if libc can place both in its small static reserve. The three bytes before the
 * record put its three ids, which begin at offset 5, on 8-byte boundaries.
 */
static _Thread_local struct {
  _Alignas(8) uint8_t end_rounds; /* how often the destructor below has run on this thread */
  uint8_t padding[2];
  pc_thread_record record;
} own;

_Static_assert(sizeof(own) == 40, "thread-local storage next to the pointer");

/*
 * The state of a living thread. Its record is freed with the thread, so other threads write to it
 * only while they hold the lock.
 */
typedef struct pc_living {
  struct pc_living *next;
  struct pc_living **link; /* the pointer to this entry, or NULL if it is not in the list */
  pc_thread_record *record;
  pc_block *block; /* which contains the thread contexts, or NULL */
} pc_living;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pc_living *living;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

static void add_to_list(pc_living *thread) {
  thread->link = &living;
  pthread_mutex_lock(&lock);
  thread->next = living;
  if (living != NULL) {
    living->link = &thread->next;
  }
  living = thread;
  pthread_mutex_unlock(&lock);
}

static void remove_from_list(pc_living *thread) {
  if (thread->link == NULL) {
    return;
  }
  pthread_mutex_lock(&lock);
  *thread->link = thread->next;
  if (thread->next != NULL) {
    thread->next->link = thread->link;
  }
  pthread_mutex_unlock(&lock);
  thread->link = NULL;
}

/* A profiler interrupts this thread, so only the compiler could reorder record and pointer. */
void pc_thread_point_to(pc_thread_record *record) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *(void *volatile *)&elastic_apm_profiling_correlation_tls_v1 = record;
}

/*
 * Destructors of other libraries may still run code on this thread that writes to the block, for
 * instance by detaching the thread from the JVM. They run in rounds while any of them sets its key
 * again, so the block is given back only in the last round.
 */
static void end(void *ended) {
  pc_living *thread = ended;
  remove_from_list(thread);
  own.end_rounds++;
  if (thread->block != NULL) {
    if (own.end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, thread) == 0) {
      return;
    }
    pc_thread_context_point_to(NULL);
    if (elastic_apm_profiling_correlation_tls_v1 == &thread->block->record) {
      pc_thread_point_to(NULL);
    }
    pc_block_hide(thread->block);
    pc_block_give_back(thread->block);
  }
  free(thread);
}

static void create_key(void) { has_key = pthread_key_create(&key, end) == 0; }

static pc_living *find_own(void) {
  pthread_once(&once, create_key);
  return has_key ? pthread_getspecific(key) : NULL;
}

/*
 * Returns NULL if there is no memory for an entry, or if nothing would free it any more. A thread
 * that is ending is not added to the list, because nothing might remove it in time.
 */
static pc_living *remember_own(void) {
  pc_living *thread = find_own();
  if (thread != NULL || !has_key || own.end_rounds == PTHREAD_DESTRUCTOR_ITERATIONS) {
    return thread;
  }
  thread = calloc(1, sizeof(*thread));
  if (thread == NULL || pthread_setspecific(key, thread) != 0) {
    free(thread);
    return NULL;
  }
  thread->record = &own.record;
  if (own.end_rounds == 0) {
    add_to_list(thread);
  }
  return thread;
}

/* The pointer may lead to the record of a virtual thread that runs on this thread. */
pc_thread_record *pc_thread_show_record(void) {
  pc_living *thread = remember_own();
  pc_block *block = thread == NULL ? NULL : thread->block;
  pc_thread_record *record = block == NULL ? &own.record : &block->record;
  if (elastic_apm_profiling_correlation_tls_v1 == NULL) {
    if (block == NULL) {
      pc_thread_record_reset(&own.record);
    } else {
      pc_block_reset(block);
    }
    pc_thread_point_to(record);
  }
  return record;
}

pc_block *pc_thread_show_block(int with_attributes) {
  pc_living *thread = remember_own();
  if (thread == NULL) {
    return NULL;
  }
  if (thread->block == NULL) {
    thread->block = pc_block_take(with_attributes);
  }
  if (thread->block != NULL) {
    pc_block_reset(thread->block);
    pc_thread_point_to(&thread->block->record);
    pc_thread_context_point_to(&thread->block->context);
  }
  return thread->block;
}

int pc_thread_shows_own(void) {
  void *shown = elastic_apm_profiling_correlation_tls_v1;
  pc_living *thread = shown == &own.record ? NULL : find_own();
  return shown == &own.record ||
         (thread != NULL && thread->block != NULL && shown == &thread->block->record);
}

void pc_thread_hide(void) {
  pc_thread_record_hide(&own.record);
  pc_living *thread = find_own();
  if (thread != NULL && thread->block != NULL) {
    pc_block_hide(thread->block);
  }
}

void pc_thread_hide_all(void) {
  pthread_mutex_lock(&lock);
  for (pc_living *thread = living; thread != NULL; thread = thread->next) {
    pc_thread_record_hide(thread->record);
  }
  pthread_mutex_unlock(&lock);
}
