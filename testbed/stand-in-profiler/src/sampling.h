/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SAMPLING_H
#define SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"
#include "thread_reader.h"

/* Returns a reader for the records of this session that have been found so far. */
struct thread_reader session_reader(struct session *session);

/* Returns the time at which the sampling ends. */
uint64_t sampling_deadline(const struct options *options);

/* Sleeps until the moment, or until the target ends. Returns false if we are asked to stop. */
bool sampling_wait(struct session *session, uint64_t moment);

/* Sampling fails in many ways while a process is being killed: returns the real cause. */
enum ending sampling_failed(struct session *session);

/* Samples until the session ends. */
enum ending sampling_run(struct session *session);

#endif
