/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SAMPLING_H
#define SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"
#include "thread_reader.h"

/* Returns the records that are read in this session, as far as they are known. */
struct thread_reader session_reader(struct session *session);

/* Returns the time at which the sampling ends. */
uint64_t sampling_deadline(const struct options *options);

/* Sleeps until the moment; returns false if the target ends or we are asked to stop. */
bool sampling_wait(struct session *session, uint64_t moment);

/* A process that is being killed fails in many ways before it has ended: tells which it was. */
enum ending sampling_failed(struct session *session);

/* Samples until there is a reason to end. */
enum ending sampling_run(struct session *session);

#endif
