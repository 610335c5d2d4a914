/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef ELF_SYMBOLS_H
#define ELF_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "mappings.h"
#include "reason.h"

/* Addresses in the process. */
struct elf_symbols {
  uint64_t process_storage;
  uint64_t tls_descriptor;
};

/* Finds the two symbols of Elastic's protocol in an open library with the executable mapping. */
bool elf_symbols_read(int fd, const struct mapping *code, struct elf_symbols *symbols,
                      struct reason *reason);

#endif
