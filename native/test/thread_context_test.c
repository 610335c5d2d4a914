/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "thread_storage.h"

/*
 * Reads thread contexts at the offsets of OTEP 4947, section "Thread-Local Context Record". A
 * thread-local pointer in this file replaces that of the other library.
 */
enum { SPAN_ID = 16, VALID = 24, FLAGS = 25, ATTRIBUTES_SIZE = 26, ATTRIBUTES = 28 };

enum { THREADS = 600 }; /* more than fit into one chunk */

enum { ALL_THREADS = 4 * THREADS };

/* These outlive their threads, so that the test can see what a thread showed last. */
static uint8_t *slots[ALL_THREADS];
static int used_slots;
static _Thread_local uint8_t **own_slot;

static void **find_slot(void) {
  if (own_slot == NULL) {
    own_slot = &slots[__atomic_fetch_add(&used_slots, 1, __ATOMIC_SEQ_CST)];
  }
  return (void **)own_slot;
}

static uint8_t *shown(void) { return own_slot == NULL ? NULL : *own_slot; }

static int last_thread_shows_none(const pc_block *block) {
  const uint8_t *context = (const uint8_t *)&block->context;
  return slots[used_slots - 1] == NULL && block->record.trace_present == 0 && context[VALID] == 0 &&
         context[pc_block_stride(block) + VALID] == 0;
}

static void run(void *(*on_thread)(void *), void *argument) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, on_thread, argument) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

static void *take_a_context(void *unused) {
  pc_block *block = pc_thread_show_block(0);
  CHECK(block != NULL && shown() == NULL);
  pc_thread_hide();
  return unused;
}

static void without_the_other_library_nothing_is_shown(void) {
  CHECK(!pc_thread_context_is_used());
  run(take_a_context, NULL);
  CHECK(used_slots == 0 && pc_thread_context_pointer() == NULL);
  pc_thread_context_use(find_slot);
  CHECK(pc_thread_context_is_used());
}

static void write_all(uint8_t *context, int with_attributes) {
  context[VALID] = 0;
  memset(context, 0x11, SPAN_ID);
  memset(context + SPAN_ID, 0x22, VALID - SPAN_ID);
  context[FLAGS] = 1;
  uint16_t size = with_attributes ? 256 : 0;
  memcpy(context + ATTRIBUTES_SIZE, &size, sizeof(size));
  memset(context + ATTRIBUTES, 0x33, size);
  context[VALID] = 1;
}

static void *show_a_context(void *argument) {
  int with_attributes = argument != NULL;
  CHECK(shown() == NULL);
  pc_block *block = pc_thread_show_block(with_attributes);
  uint8_t *context = shown();
  CHECK(context == (uint8_t *)&block->context);
  CHECK((uintptr_t)context % 8 == 0);
  CHECK(pc_thread_show_record() == &block->record && (uint8_t *)&block->record + 37 == context);
  CHECK(block->record.valid == 1 && block->record.trace_present == 0);
  CHECK(pc_block_stride(block) == (with_attributes ? 32 + 256 : 32));
  uint8_t *second = context + pc_block_stride(block);
  static const uint8_t empty[28];
  CHECK(memcmp(context, empty, sizeof(empty)) == 0);
  write_all(context, with_attributes);
  CHECK(block->context.valid == 1 && block->context.trace_flags == 1);
  CHECK(block->context.trace_id[15] == 0x11 && block->context.span_id[7] == 0x22);
  CHECK(block->context.attributes_size == (with_attributes ? 256 : 0));

  write_all(second, with_attributes);
  *pc_thread_context_pointer() = second;

  block->record.valid = 0;
  block->record.trace_present = 1;
  pc_thread_record of_a_virtual_thread;
  pc_thread_point_to(&of_a_virtual_thread);
  CHECK(pc_thread_show_record() == &block->record);
  pc_thread_point_to(NULL);
  CHECK(pc_thread_show_record() == &block->record && block->record.trace_present == 0);

  /* The next owner of this thread's contexts gets the same memory, without the old contents. */
  CHECK(pc_thread_show_block(!with_attributes) == block);
  CHECK(shown() == context && memcmp(context, empty, sizeof(empty)) == 0);
  CHECK(memcmp(second, empty, sizeof(empty)) == 0);
  CHECK(block->record.valid == 1 && block->record.trace_present == 0);
  block->record.trace_present = 1;
  write_all(context, with_attributes);
  write_all(second, with_attributes);
  pc_thread_hide();
  CHECK(block->record.trace_present == 0);
  CHECK(shown() == context && context[VALID] == 0 && context[0] == 0x11 && second[VALID] == 0);
  block->record.trace_present = context[VALID] = second[VALID] = 1;
  return block;
}

static void the_context_of_a_thread_that_ends_is_hidden_and_used_again(void) {
  for (int with_attributes = 0; with_attributes < 2; with_attributes++) {
    void *first = NULL;
    for (int i = 0; i < THREADS; i++) {
      pthread_t thread;
      void *block;
      CHECK(pthread_create(&thread, NULL, show_a_context, with_attributes ? &slots : NULL) == 0);
      CHECK(pthread_join(thread, &block) == 0);
      first = first == NULL ? block : first;
      CHECK(block == first);
      CHECK(last_thread_shows_none(block));
    }
  }
}

static pthread_key_t earlier, later;
static int rounds_seen;

/* Like Java code that runs when another library detaches an ending thread from the JVM. */
static void use_until_the_last_round(void *count) {
  int round = (int)(intptr_t)count;
  if (round == PTHREAD_DESTRUCTOR_ITERATIONS) {
    /* Whether the context is already gone depends on the order of the keys. */
    pc_block *block = pc_thread_show_block(0);
    pc_thread_record *record = pc_thread_show_record();
    CHECK(record != NULL && (block == NULL || record == &block->record));
    return;
  }
  CHECK(shown() != NULL && pc_thread_show_block(0) != NULL);
  shown()[VALID] = 1;
  __atomic_fetch_add(&rounds_seen, 1, __ATOMIC_SEQ_CST);
  pthread_key_t key = rounds_seen % 2 == 1 ? earlier : later; /* destructors run in key order */
  CHECK(pthread_setspecific(key, (void *)(intptr_t)(round + 1)) == 0);
}

static void *set_keys(void *unused) {
  pc_thread_show_record();
  pc_block *block = pc_thread_show_block(0);
  CHECK(pthread_setspecific(earlier, (void *)1) == 0 && pthread_setspecific(later, (void *)1) == 0);
  (void)unused;
  return block;
}

static void a_context_can_be_used_until_the_last_round_of_destructors(void) {
  CHECK(pthread_key_create(&later, use_until_the_last_round) == 0);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    void *block;
    rounds_seen = 0;
    CHECK(pthread_create(&thread, NULL, set_keys, NULL) == 0);
    CHECK(pthread_join(thread, &block) == 0);
    CHECK(rounds_seen == 2 * (PTHREAD_DESTRUCTOR_ITERATIONS - 1));
    CHECK(last_thread_shows_none(block));
  }
  pc_thread_hide_all(); /* must not find a record of these threads */
}

static pthread_barrier_t all_alive;

static void *show_until_cleared(void *argument) {
  pc_thread_show_record();
  pc_block *block = pc_thread_show_block(argument != NULL);
  block->record.trace_present = block->context.valid = 1;
  pthread_barrier_wait(&all_alive);
  pthread_barrier_wait(&all_alive);
  CHECK(block->record.trace_present == 0);
  CHECK(block->context.valid == 0 && shown() == (uint8_t *)&block->context);
  return block;
}

static void all_contexts_are_made_invalid(void) {
  pthread_t threads[THREADS];
  void *blocks[THREADS];
  CHECK(pthread_barrier_init(&all_alive, NULL, THREADS + 1) == 0);
  for (int i = 0; i < THREADS; i++) {
    void *argument = i % 4 == 0 ? threads : NULL;
    CHECK(pthread_create(&threads[i], NULL, show_until_cleared, argument) == 0);
  }
  pthread_barrier_wait(&all_alive);
  pc_thread_hide_all();
  pc_block_hide_all();
  pthread_barrier_wait(&all_alive);
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], &blocks[i]) == 0);
    for (int j = 0; j < i; j++) {
      CHECK(blocks[i] != blocks[j]);
    }
  }
}

int main(void) {
  CHECK(pthread_key_create(&earlier, use_until_the_last_round) == 0);
  without_the_other_library_nothing_is_shown();
  the_context_of_a_thread_that_ends_is_hidden_and_used_again();
  a_context_can_be_used_until_the_last_round_of_destructors();
  all_contexts_are_made_invalid();
  puts("thread_context_test: 4 passed");
  return 0;
}
