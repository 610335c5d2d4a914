/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_context.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Newer than the headers that this library may be built with. */
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif
#define PC_MFD_CLOEXEC 0x1U
#define PC_MFD_ALLOW_SEALING 0x2U
#define PC_MFD_NOEXEC_SEAL 0x8U

#define PC_NAME "OTEL_CTX"

/* An update fills the slot that is not shown, so that a reader never sees a payload change. */
typedef struct {
  pc_process_context_header header;
  uint8_t payload[2][PC_PROCESS_CONTEXT_PAYLOAD_MAX];
} pc_process_context;

static pc_process_context *shown;
static unsigned slot;
static uint64_t last_published_at;

static int named_file(void) {
  unsigned flags = PC_MFD_CLOEXEC | PC_MFD_ALLOW_SEALING;
  int file = (int)syscall(SYS_memfd_create, PC_NAME, flags | PC_MFD_NOEXEC_SEAL);
  if (file < 0) {
    file = (int)syscall(SYS_memfd_create, PC_NAME, flags);
  }
  if (file >= 0 && ftruncate(file, sizeof(pc_process_context)) != 0) {
    close(file);
    file = -1;
  }
  return file;
}

static pc_process_context *map(void) {
  int file = named_file();
  int flags = MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0);
  void *memory = mmap(NULL, sizeof(pc_process_context), PROT_READ | PROT_WRITE, flags, file, 0);
  int error = errno;
  if (file >= 0) {
    close(file);
  }
  if (memory == MAP_FAILED) {
    errno = error;
    return NULL;
  }
  /* A child process must not inherit this context: it has one of its own, or none. */
  madvise(memory, sizeof(pc_process_context), MADV_DONTFORK);
  return memory;
}

static uint64_t later_than_last(void) {
  struct timespec now;
  uint64_t time = 0;
  if (clock_gettime(CLOCK_BOOTTIME, &now) == 0) {
    time = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
  }
  last_published_at = time > last_published_at ? time : last_published_at + 1;
  return last_published_at;
}

int pc_process_context_publish(const uint8_t *payload, size_t length) {
  if (length == 0 || length > PC_PROCESS_CONTEXT_PAYLOAD_MAX) {
    return EINVAL;
  }
  if (shown == NULL) {
    shown = map();
    if (shown == NULL) {
      return errno;
    }
    memcpy(shown->header.signature, PC_NAME, sizeof(shown->header.signature));
    shown->header.version = PC_PROCESS_CONTEXT_VERSION;
  }
  slot = 1 - slot;
  memcpy(shown->payload[slot], payload, length);
  volatile pc_process_context_header *header = &shown->header;
  header->published_at_ns = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  header->payload_size = (uint32_t)length;
  header->payload_address = (uint64_t)(uintptr_t)shown->payload[slot];
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  header->published_at_ns = later_than_last();
  /* Fails on kernels without names; there the name of the file serves. */
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, shown, sizeof(pc_process_context), PC_NAME);
  return 0;
}

void pc_process_context_withdraw(void) {
  if (shown != NULL) {
    munmap(shown, sizeof(pc_process_context));
    shown = NULL;
  }
}
