/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "context_library.h"

#include <string.h>
#include <unistd.h>

#include "context_protocol.h"
#include "elf_image.h"
#include "relocations.h"

/* In the readers' order of preference. */
static const struct {
  uint32_t type;
  enum tls_relocation meaning;
} relocations[] = {{TPOFF_RELOCATION, TLS_OFFSET},
                   {TLSDESC_RELOCATION, TLS_DESCRIPTOR},
                   {DTPMOD_RELOCATION, TLS_MODULE}};

/* The relocation through which the variable is found. */
struct place {
  enum tls_relocation relocation;
  uint64_t address;
};

static bool has_tls_segment(const struct elf_image *image) {
  const Elf64_Phdr *segment;
  for (size_t i = 0; (segment = elf_segment(image, i)) != NULL; i++) {
    if (segment->p_type == PT_TLS) {
      return true;
    }
  }
  return false;
}

static bool defines_symbol(const struct elf_image *image, const Elf64_Sym **symbol) {
  *symbol = elf_dynamic_symbol(image, THREAD_CONTEXT_SYMBOL);
  return *symbol != NULL && (*symbol)->st_shndx != SHN_UNDEF;
}

static bool find_place(const struct elf_image *image, const Elf64_Sym *symbol,
                       const struct mapping *code, struct place *place, struct reason *reason) {
  uint64_t bias;
  if (ELF64_ST_TYPE(symbol->st_info) != STT_TLS || symbol->st_size != 8) {
    return because(reason, THREAD_CONTEXT_SYMBOL " is not a thread-local variable of 8 bytes");
  }
  if (!has_tls_segment(image)) {
    return because(reason, "the library has no TLS segment");
  }
  for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++) {
    const Elf64_Rela *found =
        elf_relocation_of(image, relocations[i].type, THREAD_CONTEXT_SYMBOL);
    if (found != NULL) {
      place->relocation = relocations[i].meaning;
      place->address = found->r_offset;
      if (!elf_load_bias(image, code, &bias, reason)) {
        return false;
      }
      place->address += bias;
      return true;
    }
  }
  return because(reason,
                 "no TPOFF64, TLSDESC or DTPMOD64 relocation names " THREAD_CONTEXT_SYMBOL
                 ": export it with default visibility, and compile with -fPIC");
}

enum search { SEARCH_NOT_THERE, SEARCH_REFUSED, SEARCH_FOUND };

static enum search search_file(pid_t pid, const struct mapping *code, struct place *place,
                               struct reason *reason) {
  struct elf_image image;
  const Elf64_Sym *symbol;
  struct reason detail;
  int fd = mapping_open_file(pid, code, &detail);
  if (fd < 0) {
    /* This may be the library, so the reason matters if no other library is found. */
    if (code->deleted) {
      *reason = detail;
    }
    return SEARCH_NOT_THERE;
  }
  enum search result = SEARCH_NOT_THERE;
  if (elf_image_load(fd, &image, &detail) && defines_symbol(&image, &symbol)) {
    result = SEARCH_FOUND;
    if (code->deleted) {
      because(&detail, "was deleted after it was loaded, and not all readers find deleted files: "
                       "keep the file");
      result = SEARCH_REFUSED;
    } else if (!find_place(&image, symbol, code, place, &detail)) {
      result = SEARCH_REFUSED;
    }
    if (result == SEARCH_REFUSED) {
      because(reason, "%.400s: %.500s", code->path, detail.text);
    }
  }
  elf_image_free(&image);
  close(fd);
  return result;
}

static bool same_file(const struct mapping *one, const struct mapping *other) {
  return one->inode == other->inode && strcmp(one->path, other->path) == 0;
}

bool context_library_find(pid_t pid, struct mapping *library, struct tls_variable *variable,
                          struct reason *reason) {
  static struct mappings mappings;
  static struct mapping code;
  struct place place = {0}, candidate;
  bool found = false, refused = false;
  if (!mappings_open(&mappings, pid, reason)) {
    return false;
  }
  because(reason, "no library defines " THREAD_CONTEXT_SYMBOL);
  while (!refused && mappings_next(&mappings, &code)) {
    if (!mapping_is_code(&code) || (found && same_file(library, &code))) {
      continue;
    }
    enum search result = search_file(pid, &code, &candidate, reason);
    if (result == SEARCH_FOUND && found) {
      because(reason, "both %.300s and %.300s define " THREAD_CONTEXT_SYMBOL, library->path,
              code.path);
    }
    refused = result == SEARCH_REFUSED || (result == SEARCH_FOUND && found);
    if (result == SEARCH_FOUND && !found) {
      found = true;
      *library = code;
      place = candidate;
    }
  }
  bool complete = mappings_close(&mappings, reason);
  return complete && found && !refused &&
         tls_variable_resolve(pid, place.relocation, place.address, variable, reason);
}
