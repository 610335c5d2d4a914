/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECEIVE_H
#define RECEIVE_H

#include <stddef.h>
#include <stdint.h>

/* The longest datagram that is received whole. */
#define PC_DATAGRAM_MAX 65536
/* In front of each datagram in a batch: its length, at most PC_DATAGRAM_MAX, or 1 more if cut. */
#define PC_DATAGRAM_LENGTH_SIZE 4

/*
 * Receives all datagrams that wait, and those that follow closely: profilers send bursts, never
 * block, and the kernel's queue may hold ten. Stops when no room is left for a datagram of
 * PC_DATAGRAM_MAX. Returns the bytes filled, or -errno if there was an error before any datagram.
 */
int64_t pc_receive(int socket, uint8_t *batch, size_t capacity);

/*
 * Sleeps until a datagram waits, the wake event is set, or the time is over; without limit if it is
 * negative. Resets the event. Then does as pc_receive.
 */
int64_t pc_await(int socket, int wake_event, int64_t wait_ns, uint8_t *batch, size_t capacity);

/* A new wake event, a file descriptor, or -errno. */
int pc_wake_event_create(void);

/* Sets a wake event. Returns 0 or -errno. */
int pc_wake_event_set(int wake_event);

#endif
