/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECEIVER_H
#define RECEIVER_H

#include <stddef.h>
#include <stdint.h>

/* The longest datagram that is received whole. */
#define PC_DATAGRAM_MAX 65536
/* Precedes each datagram that is taken: its length, or PC_DATAGRAM_MAX + 1 if it was cut. */
#define PC_DATAGRAM_LENGTH_SIZE 4

/*
 * Moves datagrams from a socket to memory of the process as soon as they arrive. Profilers send in
 * bursts and never block, the kernel's queue may hold only ten datagrams, and a thread that also
 * runs Java code is not always back in time.
 */
typedef struct pc_receiver pc_receiver;

/* Creates a receiver for a socket of the caller. Returns NULL and sets errno on failure. */
pc_receiver *pc_receiver_create(int socket);

/* Moves datagrams until pc_receiver_stop, on a thread of its own. Returns 0 or -errno. */
int pc_receiver_pump(pc_receiver *receiver);

/*
 * Takes datagrams, each preceded by its length, including those that still wait in the socket.
 * Called by one thread. Returns the bytes filled, 0 if there are no datagrams, or -errno.
 */
int64_t pc_receiver_take(pc_receiver *receiver, uint8_t *batch, size_t capacity);

/*
 * Sleeps until there is a datagram, pc_receiver_wake is called, or the time is over. A negative
 * time has no limit. Called by the thread that takes datagrams. Returns 0 or -errno.
 */
int pc_receiver_await(pc_receiver *receiver, int64_t wait_ns);

void pc_receiver_wake(pc_receiver *receiver);

/* Ends the pump soon. */
void pc_receiver_stop(pc_receiver *receiver);

/* To be called after the pump has ended. */
void pc_receiver_free(pc_receiver *receiver);

#endif
