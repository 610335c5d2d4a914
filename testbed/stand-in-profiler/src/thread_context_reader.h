/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_CONTEXT_READER_H
#define THREAD_CONTEXT_READER_H

#include <stdint.h>
#include <sys/types.h>

#include "thread_sample.h"
#include "tls_variable.h"

/* Reads the thread context of a stopped thread. */
void thread_context_read(pid_t pid, const struct tls_variable *variable, uint64_t thread_pointer,
                         struct context_sample *sample);

#endif
