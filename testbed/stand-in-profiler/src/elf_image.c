/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "elf_image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE EM_AARCH64
#else
#error "the protocols are defined only for x86-64 and arm64"
#endif

#define FILE_SIZE_LIMIT (64u << 20)

/* Returns a part of the file, or null if it is outside the file or not aligned. */
static const void *part(const struct elf_image *image, uint64_t offset, uint64_t size) {
  bool inside = offset <= image->size && size <= image->size - offset;
  return inside && offset % 8 == 0 ? image->bytes + offset : NULL;
}

static const Elf64_Ehdr *header_of(const struct elf_image *image) {
  return (const Elf64_Ehdr *)image->bytes;
}

static bool read_all(int fd, struct elf_image *image, struct reason *reason) {
  struct stat file;
  if (fstat(fd, &file) != 0) {
    return because(reason, "cannot stat the library: %s", strerror(errno));
  }
  if (!S_ISREG(file.st_mode) || file.st_size < (off_t)sizeof(Elf64_Ehdr) ||
      file.st_size > (off_t)FILE_SIZE_LIMIT) {
    return because(reason, "the library is not a regular file of a plausible size");
  }
  image->bytes = malloc((size_t)file.st_size);
  if (image->bytes == NULL) {
    return because(reason, "no memory for the library's %lld bytes", (long long)file.st_size);
  }
  ssize_t n;
  while (image->size < (size_t)file.st_size &&
         (n = pread(fd, image->bytes + image->size, (size_t)file.st_size - image->size,
                    (off_t)image->size)) > 0) {
    image->size += (size_t)n;
  }
  return image->size == (size_t)file.st_size || because(reason, "cannot read the whole library");
}

static bool check_header(const Elf64_Ehdr *header, struct reason *reason) {
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != THIS_MACHINE) {
    return because(reason, "the library is not a 64-bit ELF file for this machine");
  }
  if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr) ||
      header->e_phentsize != sizeof(Elf64_Phdr)) {
    return because(reason, "the library has no section headers: do not strip them");
  }
  return true;
}

bool elf_image_load(int fd, struct elf_image *image, struct reason *reason) {
  *image = (struct elf_image){0};
  return read_all(fd, image, reason) && check_header(header_of(image), reason);
}

void elf_image_free(struct elf_image *image) { free(image->bytes); }

/* Returns an entry of a table, or null after the last one and for one outside the file. */
static const void *entry(const struct elf_image *image, uint64_t table, uint64_t count, size_t size,
                         uint64_t i) {
  return i < count ? part(image, table + i * size, size) : NULL;
}

const Elf64_Phdr *elf_segment(const struct elf_image *image, size_t i) {
  const Elf64_Ehdr *header = header_of(image);
  return entry(image, header->e_phoff, header->e_phnum, sizeof(Elf64_Phdr), i);
}

static const Elf64_Shdr *section(const struct elf_image *image, size_t i) {
  const Elf64_Ehdr *header = header_of(image);
  return entry(image, header->e_shoff, header->e_shnum, sizeof(Elf64_Shdr), i);
}

static const Elf64_Sym *symbol_at(const struct elf_image *image, const Elf64_Shdr *table,
                                  uint64_t i) {
  return entry(image, table->sh_offset, table->sh_size / sizeof(Elf64_Sym), sizeof(Elf64_Sym), i);
}

static const Elf64_Rela *relocation_at(const struct elf_image *image, const Elf64_Shdr *table,
                                       uint64_t i) {
  return entry(image, table->sh_offset, table->sh_size / sizeof(Elf64_Rela), sizeof(Elf64_Rela), i);
}

/* Returns whether a symbol of the table has the name. */
static bool has_name(const struct elf_image *image, const Elf64_Shdr *table,
                     const Elf64_Sym *symbol, const char *name) {
  const Elf64_Shdr *strings = section(image, table->sh_link);
  if (strings == NULL || symbol->st_name >= strings->sh_size) {
    return false;
  }
  size_t size = strlen(name) + 1;
  uint64_t at = strings->sh_offset + symbol->st_name;
  return at <= image->size && size <= image->size - at &&
         memcmp(image->bytes + at, name, size) == 0;
}

const Elf64_Sym *elf_dynamic_symbol(const struct elf_image *image, const char *name) {
  for (size_t s = 0; s < header_of(image)->e_shnum; s++) {
    const Elf64_Shdr *table = section(image, s);
    if (table == NULL || table->sh_type != SHT_DYNSYM) {
      continue;
    }
    const Elf64_Sym *found;
    for (uint64_t i = 1; (found = symbol_at(image, table, i)) != NULL; i++) {
      if (has_name(image, table, found, name)) {
        return found;
      }
    }
  }
  return NULL;
}

const Elf64_Rela *elf_relocation_of(const struct elf_image *image, uint32_t type,
                                    const char *name) {
  for (size_t s = 0; s < header_of(image)->e_shnum; s++) {
    const Elf64_Shdr *relocations = section(image, s);
    if (relocations == NULL || relocations->sh_type != SHT_RELA) {
      continue;
    }
    const Elf64_Shdr *table = section(image, relocations->sh_link);
    const Elf64_Rela *rela;
    for (uint64_t i = 0;
         table != NULL && (rela = relocation_at(image, relocations, i)) != NULL; i++) {
      if (ELF64_R_TYPE(rela->r_info) != type) {
        continue;
      }
      const Elf64_Sym *named = symbol_at(image, table, ELF64_R_SYM(rela->r_info));
      if (named != NULL && has_name(image, table, named, name)) {
        return rela;
      }
    }
  }
  return NULL;
}

bool elf_load_bias(const struct elf_image *image, const struct mapping *code, uint64_t *bias,
                   struct reason *reason) {
  const Elf64_Phdr *segment;
  for (size_t i = 0; (segment = elf_segment(image, i)) != NULL; i++) {
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) {
      continue;
    }
    /* The mapping begins at a page boundary, possibly before the segment. */
    if (code->file_offset < segment->p_offset + segment->p_filesz &&
        segment->p_offset < code->file_offset + segment->p_align) {
      *bias = code->start - code->file_offset + segment->p_offset - segment->p_vaddr;
      return true;
    }
  }
  return because(reason, "no executable segment of the file belongs to the executable mapping");
}
