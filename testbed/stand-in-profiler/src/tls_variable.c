/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "tls_variable.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "context_protocol.h"
#include "mappings.h"
#include "process_memory.h"

/* A value that fits into 32 bits is an offset, because library data is never below 4 GB. */
#define STATIC_OFFSET_LIMIT ((int64_t)1 << 32)

/* The argument of a dynamic TLS descriptor. In musl, it ends after the offset. */
struct dynamic_argument {
  uint64_t module;
  uint64_t offset;
  uint64_t generation;
};

_Static_assert(offsetof(struct dynamic_argument, generation) == 16, "layout");
_Static_assert(sizeof(struct dynamic_argument) == 24, "layout");

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum libc libc_of(const char *path) {
  const char *name = strrchr(path, '/') + 1;
  if (starts_with(name, "ld-musl-") || strcmp(name, "libc.so") == 0) {
    return LIBC_MUSL;
  }
  return starts_with(name, "libc.so.6") || starts_with(name, "libc-2.") ? LIBC_GLIBC
                                                                          : LIBC_UNKNOWN;
}

static bool is_libc(const struct mapping *mapping) {
  return mapping_is_code(mapping) && libc_of(mapping->path) != LIBC_UNKNOWN;
}

static bool find_libc(pid_t pid, enum libc *libc, struct reason *reason) {
  static struct mapping mapping;
  switch (mappings_find(pid, is_libc, &mapping, reason)) {
    case FIND_FOUND: *libc = libc_of(mapping.path); return true;
    case FIND_FAILED: return false;
    case FIND_NONE: break;
  }
  return because(reason, THREAD_CONTEXT_SYMBOL " is in dynamic thread-local storage, whose layout "
                         "is known only for glibc and musl, and neither is mapped");
}

static bool plausible_static(int64_t offset) {
#if defined(__x86_64__)
  return offset < 0 && offset > -STATIC_OFFSET_LIMIT; /* TLS lies below the thread pointer */
#else
  return offset > 0 && offset < STATIC_OFFSET_LIMIT; /* and above it on arm64 */
#endif
}

static bool resolve_static(int64_t offset, struct tls_variable *variable, struct reason *reason) {
  *variable = (struct tls_variable){.offset = offset};
  return plausible_static(offset) ||
         because(reason, THREAD_CONTEXT_SYMBOL ": 0x%" PRIx64 " is not an offset in static "
                         "thread-local storage",
                 (uint64_t)offset);
}

static bool resolve_dynamic(pid_t pid, const struct dynamic_argument *argument,
                            struct tls_variable *variable, struct reason *reason) {
  *variable = (struct tls_variable){.dynamic = true,
                                    .module = argument->module,
                                    .offset = (int64_t)argument->offset,
                                    .generation = argument->generation};
  if (!find_libc(pid, &variable->libc, reason)) {
    return false;
  }
  return argument->module != 0 ||
         because(reason, THREAD_CONTEXT_SYMBOL " does not have a TLS module yet: the library is "
                         "not relocated, link it with -z now");
}

static bool resolve_descriptor(pid_t pid, const uint64_t *words, struct tls_variable *variable,
                               struct reason *reason) {
  struct dynamic_argument argument = {0};
  if (words[0] == 0) {
    return because(reason, "the TLS descriptor of " THREAD_CONTEXT_SYMBOL " is not resolved: link "
                           "the library with -z now");
  }
  if (plausible_static((int64_t)words[1])) {
    return resolve_static((int64_t)words[1], variable, reason);
  }
  if (!read_memory(pid, words[1], &argument, sizeof argument)) {
    return because(reason, "cannot read the argument of the TLS descriptor at 0x%" PRIx64 ": %s",
                   words[1], strerror(errno));
  }
  if (!resolve_dynamic(pid, &argument, variable, reason)) {
    return false;
  }
  if (variable->libc == LIBC_MUSL) {
    variable->generation = 0;
  }
  return true;
}

bool tls_variable_resolve(pid_t pid, enum tls_relocation relocation, uint64_t address,
                          struct tls_variable *variable, struct reason *reason) {
  uint64_t words[2] = {0};
  size_t size = relocation == TLS_OFFSET ? sizeof words[0] : sizeof words;
  if (!read_memory(pid, address, words, size)) {
    return because(reason, "cannot read the relocation of " THREAD_CONTEXT_SYMBOL " at 0x%" PRIx64
                           ": %s",
                   address, strerror(errno));
  }
  switch (relocation) {
    case TLS_OFFSET: return resolve_static((int64_t)words[0], variable, reason);
    case TLS_DESCRIPTOR: return resolve_descriptor(pid, words, variable, reason);
    case TLS_MODULE: break;
  }
  struct dynamic_argument argument = {.module = words[0], .offset = words[1]};
  return resolve_dynamic(pid, &argument, variable, reason);
}
