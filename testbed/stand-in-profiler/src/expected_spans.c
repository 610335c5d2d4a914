/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "expected_spans.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc_files.h"
#include "reason.h"

#define TOLD_LIMIT 10

static void unmap(struct expected_spans *spans) {
  if (spans->slots != NULL) {
    munmap((void *)(uintptr_t)spans->slots, spans->size);
    spans->slots = NULL;
  }
}

static bool is_mapped(const struct expected_spans *spans, const struct stat *file) {
  return spans->slots != NULL && spans->inode == file->st_ino &&
         spans->size == (size_t)file->st_size;
}

void expected_spans_refresh(struct expected_spans *spans) {
  struct stat file;
  if (spans->path == NULL || stat(spans->path, &file) != 0 || is_mapped(spans, &file)) {
    return;
  }
  int fd = open(spans->path, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  unmap(spans);
  if (fstat(fd, &file) == 0 && file.st_size > 0) {
    void *slots = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (slots != MAP_FAILED) {
      spans->slots = slots;
      spans->size = (size_t)file.st_size;
      spans->inode = file.st_ino;
      spans->same_ids = same_pid_namespace(spans->pid);
    }
  }
  close(fd);
}

const volatile uint64_t *expected_spans_slot(const struct expected_spans *spans, pid_t tid) {
  if (spans->slots == NULL) {
    return NULL;
  }
  pid_t inner_tid = spans->same_ids ? tid : inner_pid(spans->pid, tid);
  return inner_tid > 0 && (size_t)inner_tid < spans->size / sizeof *spans->slots
             ? &spans->slots[inner_tid]
             : NULL;
}

void expected_spans_compare(pid_t tid, const char *protocol, uint64_t expected,
                            enum record_state state, const uint8_t *span_id,
                            struct expected_counters *counters) {
  uint64_t shown;
  if (expected == 0) {
    return;
  }
  counters->all++;
  if (state != RECORD_TRACED) {
    if (expected == EXPECTED_NO_TRACE) {
      counters->none++;
    } else {
      counters->missing++;
    }
    return;
  }
  memcpy(&shown, span_id, sizeof shown);
  if (shown == expected) {
    counters->shown++;
    return;
  }
  counters->other++;
  if (counters->other <= TOLD_LIMIT) {
    say("thread %d should show span %016" PRIx64 ", but its %s record shows %016" PRIx64, tid,
        be64toh(expected), protocol, be64toh(shown));
  }
}

void expected_spans_report(const struct expected_spans *spans, uint64_t shown) {
  if (spans->slots != NULL && spans->size >= sizeof *spans->slots) {
    spans->slots[0] = htobe64(shown);
  }
}

void expected_spans_close(struct expected_spans *spans) {
  if (spans->path != NULL && spans->slots == NULL) {
    say("no expected spans in %s: %s", spans->path,
        access(spans->path, R_OK | W_OK) != 0 ? strerror(errno) : "it cannot be mapped");
  }
  unmap(spans);
}
