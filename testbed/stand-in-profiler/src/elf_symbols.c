/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "elf_symbols.h"

#include "elf_image.h"
#include "protocol.h"
#include "relocations.h"

static bool find_process_storage(const struct elf_image *image, struct elf_symbols *symbols,
                                 struct reason *reason) {
  const Elf64_Sym *found = elf_dynamic_symbol(image, PROCESS_STORAGE_SYMBOL);
  if (found == NULL) {
    return because(reason, "symbol %s is not in the dynamic symbols: export it",
                   PROCESS_STORAGE_SYMBOL);
  }
  if (found->st_size != 8 || found->st_shndx == SHN_UNDEF) {
    return because(reason, "symbol %s is not a defined pointer of 8 bytes",
                   PROCESS_STORAGE_SYMBOL);
  }
  symbols->process_storage = found->st_value;
  return true;
}

static bool find_tls_descriptor(const struct elf_image *image, struct elf_symbols *symbols,
                                struct reason *reason) {
  const Elf64_Rela *found = elf_relocation_of(image, TLSDESC_RELOCATION, THREAD_STORAGE_SYMBOL);
  if (found == NULL) {
    return because(reason,
                   "no TLSDESC relocation names %s: compile with -ftls-model=global-dynamic and "
                   "-mtls-dialect=gnu2 (x86-64) or desc (arm64), default visibility",
                   THREAD_STORAGE_SYMBOL);
  }
  symbols->tls_descriptor = found->r_offset;
  return true;
}

bool elf_symbols_read(int fd, const struct mapping *code, struct elf_symbols *symbols,
                      struct reason *reason) {
  struct elf_image image;
  uint64_t bias;
  bool done = elf_image_load(fd, &image, reason) &&
              find_process_storage(&image, symbols, reason) &&
              find_tls_descriptor(&image, symbols, reason) &&
              elf_load_bias(&image, code, &bias, reason);
  if (done) {
    symbols->process_storage += bias;
    symbols->tls_descriptor += bias;
  }
  elf_image_free(&image);
  return done;
}
