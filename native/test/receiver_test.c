/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "../src/receiver.c"
#include "check.h"
#include "numbered_datagrams.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

enum { SMALL_QUEUE = 10, LARGE_QUEUE = 512, DATAGRAMS = 200000, CAPACITY = 4 * (PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX) };

static int ends[2];
static pc_receiver *receiver;
static pthread_t pump_thread;
static uint8_t batch[CAPACITY];

static void *pump(void *unused) {
  CHECK(pc_receiver_pump(receiver) == 0);
  return unused;
}

static void start_with_queue(int with_pump, int queue_length) {
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  receiver = pc_receiver_create(ends[0], queue_length);
  CHECK(receiver != NULL);
  if (with_pump) {
    CHECK(pthread_create(&pump_thread, NULL, pump, NULL) == 0);
  }
}

static void start(int with_pump) { start_with_queue(with_pump, SMALL_QUEUE); }

static void end(int with_pump) {
  if (with_pump) {
    pc_receiver_stop(receiver);
    CHECK(pthread_join(pump_thread, NULL) == 0);
  }
  pc_receiver_free(receiver);
  close(ends[0]);
  close(ends[1]);
}

static void *send_all(void *unused) {
  uint8_t bytes[USUAL_DATAGRAM + 4];
  for (uint32_t i = 0; i < DATAGRAMS; i++) {
    size_t length = numbered_datagram(i, USUAL_DATAGRAM, bytes);
    CHECK(send(ends[1], bytes, length, 0) == (ssize_t)length);
  }
  return unused;
}

static void every_datagram_arrives_whole_and_once(int with_pump, int queue_length) {
  start_with_queue(with_pump, queue_length);
  pthread_t sender;
  CHECK(pthread_create(&sender, NULL, send_all, NULL) == 0);
  uint8_t *seen = calloc(DATAGRAMS, 1);
  for (int count = 0; count < DATAGRAMS;) {
    int64_t filled = pc_receiver_take(receiver, batch, sizeof(batch));
    CHECK(filled >= 0);
    count += check_numbered_datagrams(batch, filled, USUAL_DATAGRAM, seen, DATAGRAMS);
    if (filled == 0 && count < DATAGRAMS) {
      CHECK(pc_receiver_await(receiver, with_pump ? -1 : 1000) == 0);
    }
  }
  CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == 0);
  CHECK(pthread_join(sender, NULL) == 0);
  free(seen);
  end(with_pump);
}

static void datagrams_that_are_empty_or_too_long(void) {
  start(0);
  int room = 1 << 20;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  static uint8_t bytes[PC_DATAGRAM_MAX + 1];
  CHECK(send(ends[1], bytes, 0, 0) == 0);
  CHECK(send(ends[1], bytes, sizeof(bytes), 0) == sizeof(bytes));
  CHECK(send(ends[1], bytes, 1, 0) == 1);
  int64_t filled = pc_receiver_take(receiver, batch, sizeof(batch));
  uint32_t lengths[3];
  memcpy(&lengths[0], batch, 4);
  memcpy(&lengths[1], batch + 4, 4);
  memcpy(&lengths[2], batch + 8, 4);
  CHECK(filled == 13 && lengths[0] == 0 && lengths[1] == PC_DATAGRAM_MAX + 1 && lengths[2] == 1);
  end(0);
}

/* Returns how many pages of the ring are in memory. */
static size_t resident_pages(void) {
  static unsigned char resident[RING_SIZE / SMALLEST_PAGE];
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t begin = ((uintptr_t)receiver->ring + page - 1) & ~(page - 1);
  size_t length = (RING_SIZE - page) & ~(page - 1);
  size_t count = 0;
  CHECK(mincore((void *)begin, length, resident) == 0);
  for (size_t i = 0; i < length / page; i++) {
    count += resident[i] & 1;
  }
  return count * page / SMALLEST_PAGE;
}

/* Otherwise the pump would fault pages in during a burst. */
static void memory_for_a_burst_is_there_from_the_start_and_all_after_the_first(void) {
  start(1);
  CHECK(resident_pages() >= FIRST_BURST / SMALLEST_PAGE - 1);
  CHECK(send(ends[1], batch, 1, 0) == 1);
  while (resident_pages() < RING_SIZE / SMALLEST_PAGE - 2) {
    sched_yield();
  }
  pc_receiver_stop(receiver);
  CHECK(pthread_join(pump_thread, NULL) == 0);
  end(0);
}

static void waking_is_not_lost(void) {
  start(1);
  pc_receiver_wake(receiver);
  CHECK(pc_receiver_await(receiver, -1) == 0);
  CHECK(pc_receiver_await(receiver, 1) == 0);
  end(1);
}

/*
 * After a promise, datagrams do not wake the waiting thread; the thread that made the promise finds
 * them.
 */
static void a_promise_saves_a_wake_up(int queue_length) {
  start_with_queue(1, queue_length);
  pc_receiver_promise(receiver, 3600 * 1000);
  for (uint8_t i = 0; i < 3; i++) {
    CHECK(send(ends[1], &i, 1, 0) == 1);
    CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == PC_DATAGRAM_LENGTH_SIZE + 1);
    CHECK(batch[PC_DATAGRAM_LENGTH_SIZE] == i);
  }
  end(1);
}

/*
 * The taker sleeps before the datagram arrives. With pc_receiver_await that is only so if the call
 * begins before the pump reacts.
 */
static void a_broken_promise_costs_a_quarter_of_a_second(int queue_length) {
  start_with_queue(1, queue_length);
  pc_receiver_promise(receiver, 3600 * 1000);
  atomic_store(&receiver->taker_sleeps, 1);
  int64_t began = now_ms();
  CHECK(send(ends[1], "a", 1, 0) == 1);
  struct pollfd ready = {.fd = receiver->ready, .events = POLLIN};
  CHECK(poll(&ready, 1, -1) == 1);
  CHECK(now_ms() - began > 200);
  CHECK(pc_receiver_await(receiver, -1) == 0);
  CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == PC_DATAGRAM_LENGTH_SIZE + 1);
  end(1);
}

/* If nothing ended a pause, datagrams that arrive during it would stay in the socket. */
static void every_datagram_of_a_stream_is_announced(int queue_length) {
  start_with_queue(1, queue_length);
  for (int i = 0; i < 20; i++) {
    CHECK(send(ends[1], "a", 1, 0) == 1);
    while (pc_receiver_take(receiver, batch, sizeof(batch)) == 0) {
      CHECK(pc_receiver_await(receiver, -1) == 0);
    }
    CHECK(send(ends[1], "b", 1, 0) == 1);
    CHECK(pc_receiver_await(receiver, -1) == 0);
    CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) > 0);
  }
  end(1);
}

/* docs/internals/rare-cases.md names this number. */
static void a_queue_below_128_needs_an_awake_pump(void) {
  for (int queue_length = 127; queue_length <= 128; queue_length++) {
    start_with_queue(0, queue_length);
    CHECK(atomic_load(&receiver->pauses) == (queue_length == 128));
    end(0);
  }
}

static void a_queue_has_a_length(void) { CHECK(pc_receiver_queue_length() > 0); }

static void a_broken_socket_is_reported(void) {
  start(0);
  close(ends[0]);
  CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == -EBADF);
  ends[0] = dup(ends[1]);
  end(0);
}

int main(void) {
  memory_for_a_burst_is_there_from_the_start_and_all_after_the_first();
  every_datagram_arrives_whole_and_once(1, SMALL_QUEUE);
  every_datagram_arrives_whole_and_once(1, LARGE_QUEUE);
  every_datagram_arrives_whole_and_once(0, SMALL_QUEUE);
  datagrams_that_are_empty_or_too_long();
  waking_is_not_lost();
  a_broken_socket_is_reported();
  a_queue_has_a_length();
  a_queue_below_128_needs_an_awake_pump();
  for (int queue_length = SMALL_QUEUE; queue_length <= LARGE_QUEUE; queue_length += LARGE_QUEUE - SMALL_QUEUE) {
    a_promise_saves_a_wake_up(queue_length);
    a_broken_promise_costs_a_quarter_of_a_second(queue_length);
    every_datagram_of_a_stream_is_announced(queue_length);
  }
  puts("receiver_test: 15 passed");
  return 0;
}
