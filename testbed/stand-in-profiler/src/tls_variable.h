/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef TLS_VARIABLE_H
#define TLS_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reason.h"

/* The way in which a relocated library finds its thread-local variable. */
enum tls_relocation { TLS_OFFSET, TLS_DESCRIPTOR, TLS_MODULE };

enum libc { LIBC_UNKNOWN, LIBC_GLIBC, LIBC_MUSL };

struct tls_variable {
  bool dynamic;
  int64_t offset;      /* static: from the thread pointer; dynamic: in the block of the module */
  uint64_t module;     /* this and the next two: dynamic only */
  uint64_t generation; /* glibc: threads with an older table have not used the variable; else 0 */
  enum libc libc;
};

enum tls_result { TLS_FOUND, TLS_NOT_ALLOCATED, TLS_UNREADABLE };

/* Resolves the relocation whose words are at the address in the process. */
bool tls_variable_resolve(pid_t pid, enum tls_relocation relocation, uint64_t address,
                          struct tls_variable *variable, struct reason *reason);

/*
 * Finds the variable of a stopped thread. Dynamic thread-local storage is found through the
 * thread's table of blocks (DTV), and exists only in threads that have used it.
 */
enum tls_result tls_variable_address(pid_t pid, const struct tls_variable *variable,
                                     uint64_t thread_pointer, uint64_t *address);

#endif
