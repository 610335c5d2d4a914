/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Newer than the headers with which this library may be built. */
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif
#define PC_MFD_CLOEXEC 0x1U
#define PC_MFD_ALLOW_SEALING 0x2U
#define PC_MFD_NOEXEC_SEAL 0x8U

#define PC_NAME "OTEL_CTX"

/*
 * The payload is stored elsewhere, because some readers accept only a mapping of one or two pages.
 */
static pc_process_context_header *shown;
static uint8_t *payload;
/* Kept until the next update, for a reader that has read the header but not yet the payload. */
static uint8_t *previous_payload;
static uint64_t last_published_at;

static int named_file(void) {
  unsigned flags = PC_MFD_CLOEXEC | PC_MFD_ALLOW_SEALING;
  int file = (int)syscall(SYS_memfd_create, PC_NAME, flags | PC_MFD_NOEXEC_SEAL);
  if (file < 0) {
    file = (int)syscall(SYS_memfd_create, PC_NAME, flags);
  }
  if (file >= 0 && ftruncate(file, sizeof(pc_process_context_header)) != 0) {
    close(file);
    file = -1;
  }
  return file;
}

static pc_process_context_header *map(void) {
  int file = named_file();
  int flags = MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0);
  void *memory =
      mmap(NULL, sizeof(pc_process_context_header), PROT_READ | PROT_WRITE, flags, file, 0);
  int error = errno;
  if (file >= 0) {
    close(file);
  }
  if (memory == MAP_FAILED) {
    errno = error;
    return NULL;
  }
  /* A child process must not inherit this context: it publishes another one, or none. */
  madvise(memory, sizeof(pc_process_context_header), MADV_DONTFORK);
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

/* The signature is written last: from then on, readers treat the mapping as a process context. */
static void show(uint32_t length) {
  volatile pc_process_context_header *header = shown;
  header->published_at_ns = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  header->version = PC_PROCESS_CONTEXT_VERSION;
  header->payload_size = length;
  header->payload_address = (uint64_t)(uintptr_t)payload;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  header->published_at_ns = later_than_last();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  memcpy(shown->signature, PC_NAME, sizeof(shown->signature));
  /* Fails on kernels without names for mappings; there the name of the file serves. */
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, shown, sizeof(*shown), PC_NAME);
}

int pc_process_context_publish(const uint8_t *bytes, size_t length) {
  if (length == 0 || length > PC_PROCESS_CONTEXT_PAYLOAD_MAX) {
    return EINVAL;
  }
  uint8_t *copy = malloc(length);
  if (copy == NULL) {
    return ENOMEM;
  }
  if (shown == NULL) {
    shown = map();
    if (shown == NULL) {
      int error = errno;
      free(copy);
      return error;
    }
  }
  memcpy(copy, bytes, length);
  free(previous_payload);
  previous_payload = payload;
  payload = copy;
  show((uint32_t)length);
  return 0;
}

void pc_process_context_announce(void) {
  /* The range is empty, so no mapping gets this name, but profilers watch the call. */
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, 0UL, 0UL, PC_NAME);
}

void pc_process_context_withdraw(void) {
  if (shown != NULL) {
    munmap(shown, sizeof(*shown));
    shown = NULL;
  }
  free(previous_payload);
  previous_payload = NULL;
  free(payload);
  payload = NULL;
}
