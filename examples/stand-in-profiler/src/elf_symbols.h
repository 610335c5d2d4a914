/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef ELF_SYMBOLS_H
#define ELF_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "reason.h"

/* Addresses in the file: add the load bias to get those of the process. */
struct elf_symbols {
  uint64_t process_storage;
  uint64_t tls_descriptor;
  /* The executable segment, from which the load bias follows. */
  uint64_t code_offset;
  uint64_t code_address;
};

/*
 * Finds the two symbols in an open library. "code_file_offset" is the file offset of the executable
 * mapping, as /proc/PID/maps has it.
 */
bool elf_symbols_read(int fd, uint64_t code_file_offset, struct elf_symbols *symbols,
                      struct reason *reason);

/* Returns the offset by which the library was moved when it was loaded. */
uint64_t elf_load_bias(const struct elf_symbols *symbols, uint64_t mapping_start,
                       uint64_t mapping_file_offset);

#endif
