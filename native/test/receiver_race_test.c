/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Runs all threads of a receiver at once, again and again: one sends, one is the pump, one takes
 * datagrams, one wakes the taker, and one stops everything. Made for ThreadSanitizer, which reports
 * unordered accesses.
 */

#include "check.h"
#include "numbered_datagrams.h"
#include "receiver.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  ROUNDS = 100,
  DATAGRAMS = 1000,
  SENT_AND_TAKEN = 50000,
  LONGEST = LONGEST_DATAGRAM, /* so that the ring fills up at times and wraps around */
  CAPACITY = 4 * (PC_DATAGRAM_LENGTH_SIZE + PC_DATAGRAM_MAX)
};

static int ends[2];
static pc_receiver *receiver;
static atomic_int taken;
static uint8_t batch[CAPACITY];

static void *pump(void *unused) {
  CHECK(pc_receiver_pump(receiver) == 0);
  return unused;
}

static void *send_all(void *unused) {
  static uint8_t bytes[LONGEST + 4];
  for (uint32_t i = 0; i < DATAGRAMS; i++) {
    size_t length = numbered_datagram(i, LONGEST, bytes);
    CHECK(send(ends[1], bytes, length, 0) == (ssize_t)length);
  }
  return unused;
}

static void *wake(void *unused) {
  while (atomic_load_explicit(&taken, memory_order_relaxed) < DATAGRAMS) {
    pc_receiver_wake(receiver);
    pc_receiver_promise(receiver, 2);
    usleep(100);
  }
  return unused;
}

static void *take_all(void *unused) {
  static uint8_t seen[DATAGRAMS];
  memset(seen, 0, sizeof(seen));
  for (int count = 0; count < DATAGRAMS;) {
    int64_t filled = pc_receiver_take(receiver, batch, sizeof(batch));
    CHECK(filled >= 0);
    count += check_numbered_datagrams(batch, filled, LONGEST, seen, DATAGRAMS);
    if (filled == 0 && count < DATAGRAMS) {
      CHECK(pc_receiver_await(receiver, count % 2 ? -1 : 1000000) == 0);
    }
  }
  atomic_store_explicit(&taken, DATAGRAMS, memory_order_relaxed);
  return unused;
}

/* Stops the receiver as the plug-in does: the pump may be anywhere, and is joined. */
static void round_of_all_threads(int queue_length) {
  pthread_t pumping, sending, taking, waking;
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  atomic_store(&taken, 0);
  receiver = pc_receiver_create(ends[0], queue_length);
  CHECK(receiver != NULL);
  CHECK(pthread_create(&pumping, NULL, pump, NULL) == 0);
  CHECK(pthread_create(&sending, NULL, send_all, NULL) == 0);
  CHECK(pthread_create(&taking, NULL, take_all, NULL) == 0);
  CHECK(pthread_create(&waking, NULL, wake, NULL) == 0);
  CHECK(pthread_join(sending, NULL) == 0);
  CHECK(pthread_join(taking, NULL) == 0);
  CHECK(pthread_join(waking, NULL) == 0);
  /*
   * A datagram that arrives while the pump stops stays in the ring or in the socket; it is not
   * lost.
   */
  CHECK(send(ends[1], "last", 4, 0) == 4);
  pc_receiver_stop(receiver);
  CHECK(pthread_join(pumping, NULL) == 0);
  CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == 8);
  CHECK(memcmp(batch + 4, "last", 4) == 0);
  pc_receiver_free(receiver);
  close(ends[0]);
  close(ends[1]);
}

/*
 * Otherwise a span would be passed on without a message that was sent before its end. The pump may
 * have read the datagram, but not stored it yet.
 */
static void what_was_sent_is_taken(void) {
  pthread_t pumping;
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  receiver = pc_receiver_create(ends[0], 10);
  CHECK(receiver != NULL);
  CHECK(pthread_create(&pumping, NULL, pump, NULL) == 0);
  for (uint32_t i = 0; i < SENT_AND_TAKEN; i++) {
    CHECK(send(ends[1], &i, sizeof(i), 0) == sizeof(i));
    for (volatile uint32_t pause = i % 512; pause > 0; pause--) {
      /* so that the pump is in a different place each time */
    }
    CHECK(pc_receiver_take(receiver, batch, sizeof(batch)) == PC_DATAGRAM_LENGTH_SIZE + sizeof(i));
    CHECK(memcmp(batch + PC_DATAGRAM_LENGTH_SIZE, &i, sizeof(i)) == 0);
  }
  pc_receiver_stop(receiver);
  CHECK(pthread_join(pumping, NULL) == 0);
  pc_receiver_free(receiver);
  close(ends[0]);
  close(ends[1]);
}

int main(void) {
  what_was_sent_is_taken();
  for (int i = 0; i < ROUNDS; i++) {
    round_of_all_threads(i % 2 == 0 ? 10 : 512);
  }
  printf("receiver_race_test: %d rounds of %d datagrams\n", ROUNDS, DATAGRAMS);
  return 0;
}
