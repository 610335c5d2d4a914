/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_storage_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "process_memory.h"

/* The maximum distance of static thread-local storage from the thread pointer. */
#define STATIC_TLS_LIMIT (16 << 20)

enum offset_result thread_storage_offset(pid_t pid, uint64_t tls_descriptor, int64_t *offset,
                                         struct reason *reason) {
  /* Two words: the function that returns the offset to the library, and its argument. */
  uint64_t descriptor[2];
  if (!read_memory(pid, tls_descriptor, descriptor, sizeof descriptor)) {
    because(reason, "cannot read the TLS descriptor at 0x%" PRIx64 ": %s", tls_descriptor,
            strerror(errno));
    return OFFSET_UNUSABLE;
  }
  if (descriptor[0] == 0) {
    return OFFSET_NOT_RELOCATED;
  }
  *offset = (int64_t)descriptor[1];
#if defined(__x86_64__)
  bool plausible = *offset < 0 && *offset > -STATIC_TLS_LIMIT; /* TLS lies below the pointer */
#else
  bool plausible = *offset > 0 && *offset < STATIC_TLS_LIMIT; /* and above it on arm64 */
#endif
  if (plausible) {
    return OFFSET_FOUND;
  }
  because(reason,
          "the TLS descriptor holds 0x%" PRIx64 ", which is not an offset: link the library with "
          "-z now, and keep its thread-local data small enough for the static reserve of "
          "libc",
          descriptor[1]);
  return OFFSET_UNUSABLE;
}

static enum record_state state_of(const struct thread_record *record) {
  if (record->valid == 0) {
    return RECORD_INVALID;
  }
  return record->trace_present == 0 ? RECORD_NO_TRACE : RECORD_TRACED;
}

void thread_storage_read(pid_t pid, int64_t offset, uint64_t thread_pointer,
                         struct thread_sample *sample) {
  if (thread_pointer == 0) {
    sample->state = RECORD_NO_POINTER;
    return;
  }
  uint64_t variable = thread_pointer + (uint64_t)offset;
  if (!read_memory(pid, variable, &sample->pointer, sizeof sample->pointer)) {
    return;
  }
  if (sample->pointer == 0) {
    sample->state = RECORD_NO_POINTER;
  } else if (read_memory(pid, sample->pointer, &sample->record, sizeof sample->record)) {
    sample->state = state_of(&sample->record);
  }
}
