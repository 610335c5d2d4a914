/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
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

/*
 * Every wait of this program is one of the two below, and both have a deadline. SIGCHLD, SIGINT and
 * SIGTERM stay blocked and are taken out of the queue here, so there are no signal handlers.
 */
void waiting_init(void);

/* The signal mask the program was started with: COMMAND shall have it, too. */
const sigset_t *waiting_original_mask(void);

/* Sleeps until the deadline, or until SIGINT or SIGTERM came: then false, from then on for ever. */
bool wait_until(uint64_t deadline_ns);

/* Waits for news of a child or traced thread (SIGCHLD), at most until the deadline. */
void wait_for_child_news(uint64_t deadline_ns);

#endif
