/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "attachment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_symbols.h"
#include "library.h"
#include "proc_files.h"
#include "process_memory.h"
#include "thread_storage_reader.h"

static bool check_untraced(pid_t pid, struct reason *reason) {
  char path[64], status[4096], tracer[32];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  if (read_proc_file(path, status, sizeof status) &&
      status_value(status, "TracerPid", tracer, sizeof tracer) != NULL && atoi(tracer) != 0) {
    return because(reason, "process %d is already traced by process %s: end that first", pid,
                   tracer);
  }
  return true;
}

static bool read_symbols(pid_t pid, const struct mapping *library, struct elf_symbols *symbols,
                         struct reason *reason) {
  int fd = mapping_open_file(pid, library, reason);
  if (fd < 0) {
    return false;
  }
  struct reason detail;
  bool done = elf_symbols_read(fd, library, symbols, &detail);
  close(fd);
  return done || because(reason, "%.400s: %.500s", library->path, detail.text);
}

static bool read_pointer(pid_t pid, uint64_t address, uint64_t *pointer, struct reason *reason) {
  if (read_memory(pid, address, pointer, sizeof *pointer)) {
    return true;
  }
  return because(reason, "cannot read the memory of process %d: %s%s", pid, strerror(errno),
                 errno == EPERM || errno == ENOSYS
                     ? ". Tracing it is not permitted here: start the process through this program "
                       "(-- COMMAND), which Yama allows (kernel.yama.ptrace_scope 1), or run as "
                       "root or with CAP_SYS_PTRACE; containers may need --cap-add SYS_PTRACE"
                     : "");
}

enum attach_result attach_to(pid_t pid, struct attachment *attachment, struct reason *reason) {
  struct mapping *library = &attachment->library;
  switch (library_find(pid, library, reason)) {
    case FIND_NONE: return ATTACH_NO_LIBRARY;
    case FIND_FAILED: return ATTACH_FAILED;
    case FIND_FOUND: break;
  }
  struct elf_symbols symbols;
  uint64_t pointer;
  bool data_is_mapped;
  if (!check_untraced(pid, reason) || !read_symbols(pid, library, &symbols, reason) ||
      !mappings_writable_at(pid, symbols.process_storage, &data_is_mapped, reason)) {
    return ATTACH_FAILED;
  }
  if (!data_is_mapped) {
    because(reason, "the data of %.900s is not mapped yet", library->path);
    return ATTACH_NOT_LOADED;
  }
  /* The descriptor comes first: until it is relocated, the pointer may hold bytes of the file. */
  switch (thread_storage_offset(pid, symbols.tls_descriptor, &attachment->tls_offset, reason)) {
    case OFFSET_NOT_RELOCATED:
      because(reason, "%.900s is not relocated yet", library->path);
      return ATTACH_NOT_LOADED;
    case OFFSET_UNUSABLE: return ATTACH_FAILED;
    case OFFSET_FOUND: break;
  }
  if (!read_pointer(pid, symbols.process_storage, &pointer, reason)) {
    return ATTACH_FAILED;
  }
  if (pointer == 0) {
    return ATTACH_NULL_STORAGE;
  }
  return process_storage_read(pid, pointer, &attachment->storage, reason) ? ATTACH_DONE
                                                                          : ATTACH_FAILED;
}
