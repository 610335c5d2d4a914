/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_STORAGE_READER_H
#define THREAD_STORAGE_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reason.h"
#include "thread_sample.h"

enum offset_result { OFFSET_FOUND, OFFSET_NOT_RELOCATED, OFFSET_UNUSABLE };

/*
 * Reads the offset from the thread pointer to the variable in the resolved TLS descriptor. Sets the
 * reason if the offset is unusable.
 */
enum offset_result thread_storage_offset(pid_t pid, uint64_t tls_descriptor, int64_t *offset,
                                         struct reason *reason);

/* Reads the record of a stopped thread. */
void thread_storage_read(pid_t pid, int64_t offset, uint64_t thread_pointer,
                         struct thread_sample *sample);

#endif
