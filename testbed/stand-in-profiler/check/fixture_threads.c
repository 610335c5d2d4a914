/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "fixture_threads.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fixture_context.h"
#include "fixture_expected.h"
#include "related_ids.h"

struct fixture_counts fixture_counts;

static void (*publish_thread)(void *);
static atomic_bool ending;
static pthread_t threads[FIXTURE_THREADS];
static bool one_lies;

static void pause_ms(long ms) {
  struct timespec time = {.tv_nsec = ms * 1000000};
  nanosleep(&time, NULL);
}

static void start(pthread_t *thread, void *(*body)(void *), uintptr_t number) {
  if (pthread_create(thread, NULL, body, (void *)number) != 0) {
    fprintf(stderr, "fixture: cannot start a thread\n");
    exit(EXIT_FAILURE);
  }
}

struct writer {
  uint8_t *record; /* 37 bytes: minor version, valid, trace present, flags, ids */
  uint8_t *context; /* null if the OpenTelemetry half is off */
  volatile uint64_t *slot;
  bool lies;
};

/* The thread withdraws its expected span before it changes its record. */
static void say_nothing(const struct writer *writer) {
  *writer->slot = 0;
  atomic_signal_fence(memory_order_seq_cst);
}

static void say_span(const struct writer *writer, uint64_t span_id) {
  atomic_signal_fence(memory_order_seq_cst);
  *writer->slot = writer->lies ? ~span_id : span_id;
}

static void write_record(const struct writer *writer, uint64_t number, bool traced) {
  uint8_t *record = writer->record;
  volatile uint8_t *valid = record + 2;
  struct related_ids ids = related_ids(number);
  say_nothing(writer);
  fixture_context_hide(writer->context);
  *valid = 0;
  atomic_signal_fence(memory_order_seq_cst);
  record[3] = traced;
  record[4] = 1;
  memcpy(record + 5, &ids, sizeof ids);
  atomic_signal_fence(memory_order_seq_cst);
  *valid = 1;
  fixture_context_show(writer->context, number, traced);
  if (traced) {
    say_span(writer, ids.span_id);
  }
}

/* Publishes the pointer, which must happen before the thread reports that it shows a span. */
static struct writer begin_writing(bool lies) {
  struct writer writer = {
      .record = calloc(1, 37), .context = fixture_context_begin(), .slot = fixture_expected_slot(), .lies = lies};
  uint16_t minor_version = 1;
  memcpy(writer.record, &minor_version, sizeof minor_version);
  publish_thread(writer.record);
  return writer;
}

static void end_writing(const struct writer *writer) {
  say_nothing(writer);
  fixture_context_hide(writer->context);
  publish_thread(NULL);
  fixture_context_end(writer->context);
  free(writer->record);
}

/* Works between two writes; otherwise, nearly every sample would hit a record being written. */
static void work(int steps) {
  for (volatile int i = 0; i < steps; i++) {
  }
}

static void *write_without_pause(void *number_of_thread) {
  struct writer writer = begin_writing(one_lies && (uintptr_t)number_of_thread == 2);
  uint64_t number = (uint64_t)(uintptr_t)number_of_thread << 48;
  prctl(PR_SET_NAME, "writer");
  while (!ending) {
    number++;
    write_record(&writer, number, number % 8 != 0);
    work((int)(number % 64));
  }
  end_writing(&writer);
  return NULL;
}

static void *live_shortly(void *number_of_thread) {
  struct writer writer = begin_writing(false);
  prctl(PR_SET_NAME, "short-lived");
  write_record(&writer, (uint64_t)(uintptr_t)number_of_thread, true);
  work(20000);
  end_writing(&writer);
  return NULL;
}

static void *start_threads(void *unused) {
  (void)unused;
  while (!ending) {
    pthread_t short_lived[4];
    for (size_t i = 0; i < 4; i++) {
      start(&short_lived[i], live_shortly, (uintptr_t)++fixture_counts.threads_started);
    }
    for (size_t i = 0; i < 4; i++) {
      pthread_join(short_lived[i], NULL);
    }
    pause_ms(1);
  }
  return NULL;
}

static __thread sigjmp_buf after_fault;
static char *forbidden_page;

static void on_fault(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  if (info->si_addr == forbidden_page + 123) {
    fixture_counts.faults_handled++;
  }
  siglongjmp(after_fault, 1);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  fixture_counts.signals_handled += info->si_value.sival_int == 42;
}

/* Replaces pthread_sigqueue, which musl lacks. */
static bool queue_to_this_thread(int number) {
  siginfo_t info = {.si_signo = SIGRTMIN, .si_code = SI_QUEUE};
  info.si_pid = getpid();
  info.si_value.sival_int = number;
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGRTMIN, &info) == 0;
}

/* Raises signals like a JVM at safepoints and null checks, but more often. */
static void *raise_signals(void *unused) {
  (void)unused;
  prctl(PR_SET_NAME, "signals");
  while (!ending) {
    if (sigsetjmp(after_fault, 1) == 0) {
      fixture_counts.faults_raised++;
      *(volatile char *)(forbidden_page + 123) = 1;
    }
    fixture_counts.signals_raised++;
    if (!queue_to_this_thread(42)) {
      fixture_counts.signals_raised--;
    }
    if (fixture_counts.signals_raised % 64 == 0) {
      pause_ms(1);
    }
  }
  return NULL;
}

void fixture_threads_start(void (*publish)(void *), bool one_shall_lie) {
  publish_thread = publish;
  one_lies = one_shall_lie;
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  struct sigaction queued = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &fault, NULL);
  sigaction(SIGRTMIN, &queued, NULL);
  forbidden_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  start(&threads[0], write_without_pause, 1);
  start(&threads[1], write_without_pause, 2);
  start(&threads[2], start_threads, 0);
  start(&threads[3], raise_signals, 0);
}

void fixture_threads_end(void) {
  ending = true;
  for (size_t i = 0; i < FIXTURE_THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}
