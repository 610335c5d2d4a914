/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "carrier_samples.h"
#include "check.h"
#include "thread_storage.h"

static _Thread_local uint64_t last; /* the time of this thread's last sample */
static uint64_t clock_now = UINT64_C(1) << 62;
static pc_carrier_reports taken;

static volatile uint64_t *last_sample(void) { return &last; }

static int carriers_with_waits;

static void sample_waits(void) { carriers_with_waits++; }

static void sample(void) { last = __atomic_add_fetch(&clock_now, 1, __ATOMIC_RELAXED); }

static pc_block *showing(uint8_t id) {
  pc_block *block = pc_block_take(0);
  CHECK(block != NULL);
  memset(block->record.trace_id, id, 16);
  memset(block->record.span_id, id, 8);
  memset(block->record.transaction_id, id, 8);
  block->record.trace_present = 1;
  block->record.trace_flags = 1;
  return block;
}

static int is(const pc_work *work, uint8_t id) {
  return work->state == PC_TRACE && work->trace_id[0] == id && work->trace_id[15] == id &&
         work->span_id[7] == id && work->transaction_id[7] == id;
}

/* Runs on a thread of its own, which is the only carrier. */
static void on_carrier(void *(*steps)(void *), int may_have_shown) {
  pthread_t thread;
  carriers_with_waits = 0;
  pc_carriers_begin(last_sample, sample_waits, may_have_shown);
  CHECK(pthread_create(&thread, NULL, steps, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(carriers_with_waits == 1);
  pc_carriers_end();
  pc_carrier_take(pc_carrier_next(NULL), &taken);
  CHECK(taken.has_ended);
  pc_carrier_forget(pc_carrier_next(NULL));
  CHECK(pc_carrier_next(NULL) == NULL);
}

static void take(uint64_t count) {
  pc_carrier_take(pc_carrier_next(NULL), &taken);
  CHECK(taken.count == count);
}

static void *work_for_two(void *argument) {
  (void)argument;
  pc_block *a = showing('a');
  pc_block *b = showing('b');
  sample();
  pc_carrier_mounted(a);
  take(1); /* what was before is nobody's, or not known */
  CHECK(taken.reports[0].time >= last);
  CHECK(!taken.current.between && is(&taken.current.from, 'a'));

  CHECK(!pc_carrier_was_sampled());
  sample();
  CHECK(pc_carrier_was_sampled());
  CHECK(!pc_carrier_was_sampled());
  a->record.span_id[7] = 'A';
  take(1);
  CHECK(taken.reports[0].time == last && is(&taken.reports[0].from, 'a'));
  CHECK(!taken.reports[0].between && taken.current.from.span_id[7] == 'A');
  a->record.trace_flags = 0; /* only the local root span is sampled */
  take(0);
  CHECK(is(&taken.current.from, 'a'));
  a->record.trace_flags = 1;
  a->record.span_id[7] = 'a';

  sample();
  pc_carrier_unmounted();
  take(1);
  CHECK(!taken.reports[0].between && is(&taken.reports[0].from, 'a'));
  CHECK(taken.current.between && is(&taken.current.from, 'a'));
  CHECK(taken.current.to.state == PC_UNKNOWN);

  sample();
  memset(a->record.trace_id, 'x', 16); /* it runs elsewhere by now */
  pc_carrier_mounted(b);
  take(1);
  CHECK(taken.reports[0].between);
  CHECK(is(&taken.reports[0].from, 'a') && is(&taken.reports[0].to, 'b'));
  CHECK(pc_carrier_was_sampled()); /* b might have been */

  pc_carrier_unmounted();
  sample();
  (void)pc_carrier_was_sampled(); /* it runs, although the JVM has reported no mount */
  b->record.span_id[7] = 'B';
  take(1);
  CHECK(taken.reports[0].between && is(&taken.reports[0].from, 'b'));
  CHECK(taken.reports[0].to.state == PC_NO_TRACE);
  CHECK(taken.current.from.state == PC_UNKNOWN);
  pc_carrier_unmounted();
  pc_carrier_mounted(NULL);
  sample();
  pc_carrier_changes();
  pc_carrier_shows(a);
  take(1);
  CHECK(taken.reports[0].from.state == PC_NO_TRACE);
  CHECK(taken.current.from.trace_id[0] == 'x');

  a->record.valid = 0;
  sample();
  pc_carrier_unmounted();
  take(1);
  CHECK(taken.reports[0].from.state == PC_UNKNOWN);
  pc_block_give_back(a);
  pc_block_give_back(b);
  return NULL;
}

static void each_sample_is_that_of_what_was_shown(void) {
  CHECK(pc_carrier_next(NULL) == NULL);
  on_carrier(work_for_two, 0);
  CHECK(taken.count == 0);
}

/* What is no block of a virtual thread is not written to. */
static void *work_while_its_own_record_is_shown(void *argument) {
  (void)argument;
  pc_thread_show_record();
  CHECK(pc_carrier_changes() == NULL && pc_carrier_shown() == NULL);
  return NULL;
}

static void *work_while_its_own_block_is_shown(void *argument) {
  (void)argument;
  CHECK(pc_thread_show_block(0) != NULL);
  CHECK(pc_carrier_changes() == NULL && pc_carrier_shown() == NULL);
  return NULL;
}

static void what_a_carrier_shows_itself_is_no_virtual_thread(void) {
  on_carrier(work_while_its_own_record_is_shown, 0);
  on_carrier(work_while_its_own_block_is_shown, 0);
}

static int is_not_sampled(const pc_work *work, uint64_t number) {
  return work->state == PC_NOT_SAMPLED && work->not_sampled == number;
}

static void *work_for_what_is_not_sampled(void *argument) {
  (void)argument;
  pc_block *a = showing('a');
  pc_carrier_mounted(a);
  CHECK(pc_carrier_changes() == a);
  a->not_sampled = 7;
  take(1);
  CHECK(is_not_sampled(&taken.current.from, 7)); /* although a trace is shown */
  a->record.trace_present = 0;
  take(0);
  CHECK(is_not_sampled(&taken.current.from, 7));

  sample();
  CHECK(pc_carrier_was_sampled());
  a->not_sampled = UINT64_C(1) << 40;
  take(1);
  CHECK(is_not_sampled(&taken.reports[0].from, 7));
  sample();
  pc_carrier_unmounted();
  a->not_sampled = 0; /* it runs elsewhere by now */
  take(1);
  CHECK(is_not_sampled(&taken.reports[0].from, UINT64_C(1) << 40));
  CHECK(is_not_sampled(&taken.current.from, UINT64_C(1) << 40));
  CHECK(pc_carrier_changes() == NULL); /* the JVM has reported no mount */
  take(0);
  CHECK(taken.current.from.state == PC_UNKNOWN);

  pc_carrier_mounted(a);
  take(0);
  CHECK(taken.current.from.state == PC_NO_TRACE);
  a->not_sampled = 7;
  a->record.valid = 0;
  take(0);
  CHECK(taken.current.from.state == PC_UNKNOWN);
  pc_block_hide(a);
  CHECK(a->not_sampled == 0);
  a->not_sampled = 7;
  pc_block_give_back(a);
  pc_block *next = pc_block_take(0);
  CHECK(next == a && a->not_sampled == 0);
  pc_block_give_back(a);
  return NULL;
}

static void what_is_not_sampled_has_its_number(void) { on_carrier(work_for_what_is_not_sampled, 0); }

static void *begin_in_the_middle(void *argument) {
  (void)argument;
  sample();
  pc_carrier_mounted(NULL);
  take(1);
  CHECK(taken.reports[0].from.state == PC_UNKNOWN && taken.reports[0].to.state == PC_UNKNOWN);
  return NULL;
}

static void what_was_before_is_not_known_if_traces_were_shown(void) {
  on_carrier(begin_in_the_middle, 1);
  CHECK(!pc_carriers_are_known());
  on_carrier(work_for_two, 0);
  CHECK(pc_carriers_are_known());
}

static void *report_too_much(void *argument) {
  (void)argument;
  pc_block *a = showing('a');
  pc_carrier_mounted(a);
  for (int i = 0; i < 2 * PC_CARRIER_REPORTS; i++) {
    sample();
    CHECK(pc_carrier_was_sampled());
  }
  take(PC_CARRIER_REPORTS);
  sample();
  CHECK(pc_carrier_was_sampled());
  sample();
  CHECK(pc_carrier_was_sampled());
  take(2);
  CHECK(taken.reports[0].from.state == PC_UNKNOWN); /* also of those for which there was no room */
  CHECK(is(&taken.reports[1].from, 'a'));
  pc_block_give_back(a);
  return NULL;
}

static void what_there_was_no_room_for_is_not_known(void) { on_carrier(report_too_much, 0); }

static void nothing_is_reported_unless_carriers_are_followed(void) {
  pc_carrier_mounted(NULL);
  pc_carrier_changes();
  pc_carrier_unmounted();
  CHECK(!pc_carrier_was_sampled());
  CHECK(pc_carrier_next(NULL) == NULL);
}

enum { SWITCHES = 400000 };
static int carrier_ends;

/* Shows the next letter after each sample. */
static void *switch_often(void *argument) {
  (void)argument;
  pc_block *block = showing('a');
  pc_carrier_mounted(block);
  for (int i = 0; i < SWITCHES; i++) {
    sample();
    if (i % 3 == 0) {
      pc_carrier_unmounted();
      pc_carrier_mounted(block);
    }
    pc_carrier_changes();
    memset(block->record.transaction_id, 'a' + (i + 1) % 26, 8);
  }
  __atomic_store_n(&carrier_ends, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void reports_that_are_taken_meanwhile_are_right(void) {
  pthread_t thread;
  uint64_t first = clock_now + 1;
  pc_carriers_begin(last_sample, NULL, 0);
  CHECK(pthread_create(&thread, NULL, switch_often, NULL) == 0);
  while (pc_carrier_next(NULL) == NULL) {
  }
  uint64_t right = 0;
  for (int ends = 0; !ends;) {
    ends = __atomic_load_n(&carrier_ends, __ATOMIC_ACQUIRE);
    pc_carrier_take(pc_carrier_next(NULL), &taken);
    for (uint64_t i = 0; i < taken.count; i++) {
      const pc_carrier_report *report = &taken.reports[i];
      if (report->from.state == PC_TRACE) {
        CHECK(report->from.transaction_id[0] == 'a' + (report->time - first) % 26);
        right++;
      }
    }
  }
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(right > PC_CARRIER_REPORTS);
  pc_carriers_end();
  pc_carrier_forget(pc_carrier_next(NULL));
}

int main(void) {
  nothing_is_reported_unless_carriers_are_followed();
  each_sample_is_that_of_what_was_shown();
  what_a_carrier_shows_itself_is_no_virtual_thread();
  what_is_not_sampled_has_its_number();
  what_was_before_is_not_known_if_traces_were_shown();
  what_there_was_no_room_for_is_not_known();
  reports_that_are_taken_meanwhile_are_right();
  nothing_is_reported_unless_carriers_are_followed();
  puts("carrier_test: 7 passed");
  return 0;
}
