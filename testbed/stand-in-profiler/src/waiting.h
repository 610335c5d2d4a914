/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef WAITING_H
#define WAITING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS 1000000ull
#define NS_PER_SECOND 1000000000ull

static inline uint64_t seconds_to_ns(double seconds) { return (uint64_t)(seconds * 1e9); }

uint64_t now_ns(void);
uint64_t unix_now_ns(void);

/*
 * The program waits only in the two functions below, both of which have a deadline. SIGCHLD, SIGINT
 * and SIGTERM stay blocked and are dequeued here, so no signal handlers are needed.
 */
void waiting_init(void);

/* The signal mask with which the program was started; COMMAND gets the same. */
const sigset_t *waiting_original_mask(void);

/* Sleeps until the deadline. Returns false, also later, once SIGINT or SIGTERM has arrived. */
bool wait_until(uint64_t deadline_ns);

/* Waits for SIGCHLD, about a child or a traced thread, until the deadline at most. */
void wait_for_child_news(uint64_t deadline_ns);

#endif
