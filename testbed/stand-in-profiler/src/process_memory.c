/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_memory.h"

#include <errno.h>
#include <sys/uio.h>

bool read_memory(pid_t pid, uint64_t address, void *into, size_t length) {
  struct iovec local = {.iov_base = into, .iov_len = length};
  struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = length};
  ssize_t copied = process_vm_readv(pid, &local, 1, &remote, 1, 0);
  if (copied >= 0 && (size_t)copied != length) {
    errno = EFAULT;
  }
  return copied >= 0 && (size_t)copied == length;
}
