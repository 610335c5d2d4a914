/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECEIVER_H
#define RECEIVER_H

#include <stddef.h>
#include <stdint.h>

/* The length of the longest datagram that is received completely. */
#define PC_DATAGRAM_MAX 65536
/* The maximum number of bytes that wait in memory, including the lengths of the datagrams. */
#define PC_RING_SIZE 1048576
/*
 * The size of the length that precedes each datagram taken: PC_DATAGRAM_MAX + 1 means it was cut.
 */
#define PC_DATAGRAM_LENGTH_SIZE 4

/*
 * Moves datagrams from a socket to memory of the process as soon as they arrive. Profilers send in
 * bursts and never block, the kernel's queue may hold only ten datagrams, and a thread that also
 * runs Java code does not always return in time.
 */
typedef struct pc_receiver pc_receiver;

/*
 * Creates a receiver for a socket of the caller. The kernel's queue of that socket holds this many
 * datagrams. Returns NULL and sets errno on failure.
 */
pc_receiver *pc_receiver_create(int socket, int queue_length);

/* Returns how many datagrams the kernel queues for a new socket, or 0 if that is unknown. */
int pc_receiver_queue_length(void);

/* Moves datagrams until pc_receiver_stop. Runs on a dedicated thread. Returns 0 or -errno. */
int pc_receiver_pump(pc_receiver *receiver);

/*
 * Takes datagrams, each preceded by its length, including those that still wait in the socket.
 * Called by one thread at a time. Returns the number of bytes filled, 0 if there are no datagrams,
 * or -errno.
 */
int64_t pc_receiver_take(pc_receiver *receiver, uint8_t *batch, size_t capacity);

/*
 * Sleeps until there is a datagram, pc_receiver_wake is called, or the time has elapsed. A negative
 * time means no limit. Called by one thread. Returns 0 or -errno.
 */
int pc_receiver_await(pc_receiver *receiver, int64_t wait_ns);

/*
 * Announces that a thread will take datagrams within this time. Until then no thread is woken for
 * them. If that thread does not take them in time, the thread that awaits datagrams is woken a
 * quarter of a second late.
 */
void pc_receiver_promise(pc_receiver *receiver, int64_t within_ms);

void pc_receiver_wake(pc_receiver *receiver);

/* Ends the pump soon. */
void pc_receiver_stop(pc_receiver *receiver);

/* Must be called after the pump has ended. */
void pc_receiver_free(pc_receiver *receiver);

#endif
