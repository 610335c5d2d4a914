/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "tls_variable.h"

#include "process_memory.h"

/* glibc's value of a DTV entry without a block. */
#define NOT_ALLOCATED UINT64_MAX

/* glibc: dtv[-1] is the number of entries, dtv[0] the generation, dtv[i] the block of module i. */
struct glibc_dtv_entry {
  uint64_t value;
  uint64_t to_free;
};

_Static_assert(sizeof(struct glibc_dtv_entry) == 16, "layout");

/* Returns the place where a thread keeps the address of its DTV. */
static uint64_t table_pointer(const struct tls_variable *variable, uint64_t thread_pointer) {
#if defined(__x86_64__)
  (void)variable;
  return thread_pointer + 8;
#else
  return variable->libc == LIBC_MUSL ? thread_pointer - 8 : thread_pointer;
#endif
}

static enum tls_result glibc_block(pid_t pid, const struct tls_variable *variable, uint64_t table,
                                   uint64_t *block) {
  struct glibc_dtv_entry head[2], entry;
  if (!read_memory(pid, table - sizeof entry, head, sizeof head)) {
    return TLS_UNREADABLE;
  }
  if (variable->module > head[0].value || variable->generation > head[1].value) {
    return TLS_NOT_ALLOCATED;
  }
  if (!read_memory(pid, table + variable->module * sizeof entry, &entry, sizeof entry)) {
    return TLS_UNREADABLE;
  }
  *block = entry.value;
  return entry.value == 0 || entry.value == NOT_ALLOCATED ? TLS_NOT_ALLOCATED : TLS_FOUND;
}

/* musl: dtv[0] is the number of entries, dtv[i] the block of module i. */
static enum tls_result musl_block(pid_t pid, const struct tls_variable *variable, uint64_t table,
                                  uint64_t *block) {
  uint64_t count;
  if (!read_memory(pid, table, &count, sizeof count)) {
    return TLS_UNREADABLE;
  }
  if (variable->module > count) {
    return TLS_NOT_ALLOCATED;
  }
  if (!read_memory(pid, table + variable->module * sizeof *block, block, sizeof *block)) {
    return TLS_UNREADABLE;
  }
  return *block == 0 ? TLS_NOT_ALLOCATED : TLS_FOUND;
}

enum tls_result tls_variable_address(pid_t pid, const struct tls_variable *variable,
                                     uint64_t thread_pointer, uint64_t *address) {
  if (thread_pointer == 0) {
    return TLS_NOT_ALLOCATED;
  }
  if (!variable->dynamic) {
    *address = thread_pointer + (uint64_t)variable->offset;
    return TLS_FOUND;
  }
  uint64_t table, block;
  if (!read_memory(pid, table_pointer(variable, thread_pointer), &table, sizeof table)) {
    return TLS_UNREADABLE;
  }
  if (table == 0) {
    return TLS_NOT_ALLOCATED;
  }
  enum tls_result result = variable->libc == LIBC_MUSL ? musl_block(pid, variable, table, &block)
                                                       : glibc_block(pid, variable, table, &block);
  *address = block + (uint64_t)variable->offset;
  return result;
}
