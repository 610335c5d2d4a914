/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef ATTACHMENT_H
#define ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "mappings.h"
#include "process_storage_reader.h"
#include "reason.h"

/* The data of a process that a profiler needs before it can sample. */
struct attachment {
  struct mapping library;
  int64_t tls_offset;
  struct process_storage storage;
};

enum attach_result {
  ATTACH_DONE,
  ATTACH_NO_LIBRARY,
  ATTACH_NOT_LOADED, /* the reason names what is still missing */
  ATTACH_NULL_STORAGE,
  ATTACH_FAILED
};

/* Attempts to attach once. With ATTACH_NULL_STORAGE, everything but the storage is filled. */
enum attach_result attach_to(pid_t pid, struct attachment *attachment, struct reason *reason);

#endif
