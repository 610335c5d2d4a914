/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "elf_symbols.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

#if defined(__x86_64__)
#define TLSDESC_RELOCATION 36 /* R_X86_64_TLSDESC */
#define THIS_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define TLSDESC_RELOCATION 1031 /* R_AARCH64_TLSDESC */
#define THIS_MACHINE EM_AARCH64
#else
#error "the protocol is known for x86-64 and arm64 only"
#endif

#define FILE_SIZE_LIMIT (64u << 20)

struct image {
  unsigned char *bytes;
  size_t size;
};

/* Returns a part of the file, or null if it would be outside the file or not aligned. */
static const void *part(const struct image *image, uint64_t offset, uint64_t size) {
  bool inside = offset <= image->size && size <= image->size - offset;
  return inside && offset % 8 == 0 ? image->bytes + offset : NULL;
}

static const Elf64_Shdr *section(const struct image *image, const Elf64_Ehdr *header, size_t i) {
  return i < header->e_shnum
             ? part(image, header->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr))
             : NULL;
}

static const Elf64_Sym *symbol(const struct image *image, const Elf64_Shdr *table, uint64_t i) {
  return i < table->sh_size / sizeof(Elf64_Sym)
             ? part(image, table->sh_offset + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym))
             : NULL;
}

static bool has_name(const struct image *image, const Elf64_Ehdr *header, const Elf64_Shdr *table,
                     const Elf64_Sym *symbol, const char *name) {
  const Elf64_Shdr *strings = section(image, header, table->sh_link);
  if (strings == NULL || symbol->st_name >= strings->sh_size) {
    return false;
  }
  size_t size = strlen(name) + 1;
  uint64_t at = strings->sh_offset + symbol->st_name;
  return at <= image->size && size <= image->size - at &&
         memcmp(image->bytes + at, name, size) == 0;
}

static bool find_process_storage(const struct image *image, const Elf64_Ehdr *header,
                                 struct elf_symbols *symbols, struct reason *reason) {
  for (size_t s = 0; s < header->e_shnum; s++) {
    const Elf64_Shdr *table = section(image, header, s);
    if (table == NULL || table->sh_type != SHT_DYNSYM) {
      continue;
    }
    const Elf64_Sym *found;
    for (uint64_t i = 1; (found = symbol(image, table, i)) != NULL; i++) {
      if (!has_name(image, header, table, found, PROCESS_STORAGE_SYMBOL)) {
        continue;
      }
      if (found->st_size != 8 || found->st_shndx == SHN_UNDEF) {
        return because(reason, "symbol %s is not a defined pointer of 8 bytes",
                       PROCESS_STORAGE_SYMBOL);
      }
      symbols->process_storage = found->st_value;
      return true;
    }
  }
  return because(reason, "symbol %s is not in the dynamic symbols: export it",
                 PROCESS_STORAGE_SYMBOL);
}

static bool find_tls_descriptor(const struct image *image, const Elf64_Ehdr *header,
                                struct elf_symbols *symbols, struct reason *reason) {
  for (size_t s = 0; s < header->e_shnum; s++) {
    const Elf64_Shdr *relocations = section(image, header, s);
    if (relocations == NULL || relocations->sh_type != SHT_RELA) {
      continue;
    }
    const Elf64_Shdr *table = section(image, header, relocations->sh_link);
    for (uint64_t i = 0; table != NULL && i < relocations->sh_size / sizeof(Elf64_Rela); i++) {
      const Elf64_Rela *rela =
          part(image, relocations->sh_offset + i * sizeof(Elf64_Rela), sizeof(Elf64_Rela));
      if (rela == NULL || ELF64_R_TYPE(rela->r_info) != TLSDESC_RELOCATION) {
        continue;
      }
      const Elf64_Sym *named = symbol(image, table, ELF64_R_SYM(rela->r_info));
      if (named != NULL && has_name(image, header, table, named, THREAD_STORAGE_SYMBOL)) {
        symbols->tls_descriptor = rela->r_offset;
        return true;
      }
    }
  }
  return because(reason,
                 "no TLSDESC relocation names %s: compile with -ftls-model=global-dynamic and "
                 "-mtls-dialect=gnu2 (x86-64) or desc (arm64), default visibility",
                 THREAD_STORAGE_SYMBOL);
}

static bool find_code(const struct image *image, const Elf64_Ehdr *header,
                      uint64_t code_file_offset, struct elf_symbols *symbols,
                      struct reason *reason) {
  for (size_t i = 0; i < header->e_phnum; i++) {
    const Elf64_Phdr *segment =
        part(image, header->e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
    if (segment == NULL || segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) {
      continue;
    }
    /* The mapping begins at a page, so possibly before the segment does. */
    if (code_file_offset < segment->p_offset + segment->p_filesz &&
        segment->p_offset < code_file_offset + segment->p_align) {
      symbols->code_offset = segment->p_offset;
      symbols->code_address = segment->p_vaddr;
      return true;
    }
  }
  return because(reason, "no executable segment of the file belongs to the executable mapping");
}

static bool load(int fd, struct image *image, struct reason *reason) {
  struct stat file;
  if (fstat(fd, &file) != 0) {
    return because(reason, "cannot stat the library: %s", strerror(errno));
  }
  if (!S_ISREG(file.st_mode) || file.st_size < (off_t)sizeof(Elf64_Ehdr) ||
      file.st_size > (off_t)FILE_SIZE_LIMIT) {
    return because(reason, "the library is not a regular file of a sane size");
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
    return because(reason, "the library has no section headers: do not strip those");
  }
  return true;
}

bool elf_symbols_read(int fd, uint64_t code_file_offset, struct elf_symbols *symbols,
                      struct reason *reason) {
  struct image image = {0};
  bool done = load(fd, &image, reason);
  if (done) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image.bytes;
    done = check_header(header, reason) &&
           find_process_storage(&image, header, symbols, reason) &&
           find_tls_descriptor(&image, header, symbols, reason) &&
           find_code(&image, header, code_file_offset, symbols, reason);
  }
  free(image.bytes);
  return done;
}

uint64_t elf_load_bias(const struct elf_symbols *symbols, uint64_t mapping_start,
                       uint64_t mapping_file_offset) {
  return mapping_start - mapping_file_offset + symbols->code_offset - symbols->code_address;
}
