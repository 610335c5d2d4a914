/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mappings.h"
#include "reason.h"

/* The bytes of a 64-bit ELF file for this machine. They are not trusted. */
struct elf_image {
  unsigned char *bytes;
  size_t size;
};

/* Reads the whole file, or returns false with the reason. Must be freed in either case. */
bool elf_image_load(int fd, struct elf_image *image, struct reason *reason);

void elf_image_free(struct elf_image *image);

/* Returns null after the last segment and for a header outside the file. */
const Elf64_Phdr *elf_segment(const struct elf_image *image, size_t i);

/* Returns the dynamic symbol with the name, or null. It may be undefined. */
const Elf64_Sym *elf_dynamic_symbol(const struct elf_image *image, const char *name);

/* Returns the first relocation of the type that names the symbol, or null. */
const Elf64_Rela *elf_relocation_of(const struct elf_image *image, uint32_t type,
                                    const char *name);

/* Derives the load bias, by which the file was moved when loaded, from its executable mapping. */
bool elf_load_bias(const struct elf_image *image, const struct mapping *code, uint64_t *bias,
                   struct reason *reason);

#endif
