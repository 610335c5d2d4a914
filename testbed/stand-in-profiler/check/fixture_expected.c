/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "fixture_expected.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's PID_MAX_LIMIT: all thread ids are smaller. */
#define THREAD_IDS (4 << 20)

static volatile uint64_t *slots;
static __thread volatile uint64_t unseen;

bool fixture_expected_create(const char *path) {
  size_t size = THREAD_IDS * sizeof *slots;
  int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)size) != 0) {
    return false;
  }
  void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) {
    return false;
  }
  slots = mapped;
  return true;
}

volatile uint64_t *fixture_expected_slot(void) {
  return slots == NULL ? &unseen : &slots[syscall(SYS_gettid)];
}
