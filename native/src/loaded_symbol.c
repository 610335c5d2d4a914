/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "loaded_symbol.h"

#include <elf.h>
#include <link.h>
#include <string.h>

typedef struct {
  const char *name;
  unsigned char type;          /* STT_TLS or STT_FUNC */
  const Elf64_Sym *definition; /* set once it is found */
  void *address;               /* of the function */
  pc_function_test *passes;    /* NULL if any function will do */
  void *argument;
  const void *beside; /* what the object also has, or NULL */
} pc_search;

/*
 * The tables of a loaded object by which the dynamic linker finds symbols, or NULL where missing.
 */
typedef struct {
  const struct dl_phdr_info *info;
  const Elf64_Sym *symbols;
  const char *names;
  size_t names_size;
  const uint32_t *gnu_hash;
  const uint32_t *hash;
} pc_object;

/* The objects were made by others, so each read is checked to lie within a mapped segment. */
static int is_readable(const struct dl_phdr_info *info, uintptr_t address, size_t size) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const Elf64_Phdr *segment = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) != 0 && address >= start &&
        size <= segment->p_memsz && address - start <= segment->p_memsz - size) {
      return 1;
    }
  }
  return 0;
}

static const Elf64_Phdr *segment_of(const struct dl_phdr_info *info, uint32_t type) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type == type) {
      return &info->dlpi_phdr[i];
    }
  }
  return NULL;
}

/*
 * glibc relocates the addresses of most dynamic sections in place, musl leaves file offsets.
 * Returns NULL if nothing is mapped there, or if it cannot be the table because it is not aligned.
 */
static const void *table_at(const struct dl_phdr_info *info, Elf64_Addr value, size_t alignment) {
  uintptr_t address = is_readable(info, value, 1) ? value : info->dlpi_addr + value;
  return is_readable(info, address, 1) && address % alignment == 0 ? (const void *)address : NULL;
}

static void find_tables(pc_object *object, const Elf64_Phdr *segment) {
  const struct dl_phdr_info *info = object->info;
  const Elf64_Dyn *entry = (const Elf64_Dyn *)(info->dlpi_addr + segment->p_vaddr);
  for (; is_readable(info, (uintptr_t)entry, sizeof(*entry)) && entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        object->symbols = table_at(info, entry->d_un.d_ptr, _Alignof(Elf64_Sym));
        break;
      case DT_STRTAB:
        object->names = table_at(info, entry->d_un.d_ptr, 1);
        break;
      case DT_STRSZ:
        object->names_size = entry->d_un.d_val;
        break;
      case DT_GNU_HASH:
        object->gnu_hash = table_at(info, entry->d_un.d_ptr, _Alignof(uint32_t));
        break;
      case DT_HASH:
        object->hash = table_at(info, entry->d_un.d_ptr, _Alignof(uint32_t));
        break;
      default:
        break;
    }
  }
}

/* Returns a word of a table, or 0, which means "no symbol", if the object does not contain it. */
static uint32_t word(const pc_object *object, const uint32_t *table, size_t index) {
  return is_readable(object->info, (uintptr_t)(table + index), sizeof(*table)) ? table[index] : 0;
}

static int is_definition(const pc_object *object, uint32_t index, pc_search *search) {
  const Elf64_Sym *symbol = object->symbols + index;
  size_t length = strlen(search->name) + 1;
  if (!is_readable(object->info, (uintptr_t)symbol, sizeof(*symbol)) ||
      ELF64_ST_TYPE(symbol->st_info) != search->type || symbol->st_shndx == SHN_UNDEF ||
      symbol->st_name >= object->names_size || length > object->names_size - symbol->st_name ||
      !is_readable(object->info, (uintptr_t)object->names + symbol->st_name, length) ||
      memcmp(object->names + symbol->st_name, search->name, length) != 0) {
    return 0;
  }
  search->definition = symbol;
  return 1;
}

static uint32_t gnu_hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; name++) {
    hash = hash * 33 + (uint8_t)*name;
  }
  return hash;
}

/* The section's layout: four words, a Bloom filter of 64-bit words, buckets, hash values. */
static int gnu_hash_has(const pc_object *object, pc_search *search) {
  const uint32_t *table = object->gnu_hash;
  uint32_t bucket_count = word(object, table, 0);
  uint32_t first = word(object, table, 1);
  if (bucket_count == 0) {
    return 0;
  }
  uint32_t hash = gnu_hash_of(search->name);
  size_t buckets = 4 + 2 * (size_t)word(object, table, 2);
  uint32_t index = word(object, table, buckets + hash % bucket_count);
  if (index == 0 || index < first) {
    return 0;
  }
  const uint32_t *value = table + buckets + bucket_count + (index - first);
  for (; is_readable(object->info, (uintptr_t)value, sizeof(*value)); value++, index++) {
    if ((*value | 1) == (hash | 1) && is_definition(object, index, search)) {
      return 1;
    }
    if ((*value & 1) != 0) {
      return 0;
    }
  }
  return 0;
}

static uint32_t hash_of(const char *name) {
  uint32_t hash = 0;
  for (; *name != '\0'; name++) {
    hash = (hash << 4) + (uint8_t)*name;
    hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
  }
  return hash;
}

/* The section's layout: two counts, buckets, chains. */
static int hash_has(const pc_object *object, pc_search *search) {
  const uint32_t *table = object->hash;
  uint32_t bucket_count = word(object, table, 0);
  uint32_t left = word(object, table, 1); /* the number of symbols: no chain is longer */
  size_t size = (2 + (size_t)bucket_count + left) * sizeof(*table);
  /* Chains may be circular, so the count is trusted only if the memory for it exists. */
  if (bucket_count == 0 || !is_readable(object->info, (uintptr_t)table, size)) {
    return 0;
  }
  uint32_t index = word(object, table, 2 + hash_of(search->name) % bucket_count);
  for (; index != 0 && left > 0; left--) {
    if (is_definition(object, index, search)) {
      return 1;
    }
    index = word(object, table, 2 + (size_t)bucket_count + index);
  }
  return 0;
}

/* Ends the iteration with 1 at the first object that defines the symbol. */
static int defines(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  pc_search *search = argument;
  pc_object object = {.info = info};
  const Elf64_Phdr *dynamic = segment_of(info, PT_DYNAMIC);
  if (dynamic == NULL || (search->type == STT_TLS && segment_of(info, PT_TLS) == NULL)) {
    return 0;
  }
  find_tables(&object, dynamic);
  if (object.symbols == NULL || object.names == NULL) {
    return 0;
  }
  return (object.gnu_hash != NULL && gnu_hash_has(&object, search)) ||
         (object.hash != NULL && hash_has(&object, search));
}

int pc_thread_local_symbol_is_defined(const char *name) {
  pc_search search = {.name = name, .type = STT_TLS};
  return dl_iterate_phdr(defines, &search);
}

/* Ends the iteration with 1 at the first object that has code for the function. */
static int has_code(struct dl_phdr_info *info, size_t size, void *argument) {
  pc_search *search = argument;
  if ((search->beside != NULL && !is_readable(info, (uintptr_t)search->beside, 1)) ||
      !defines(info, size, search)) {
    return 0;
  }
  uintptr_t address = info->dlpi_addr + search->definition->st_value;
  if (!is_readable(info, address, 1) ||
      (search->passes != NULL && !search->passes((void *)address, search->argument))) {
    return 0;
  }
  search->address = (void *)address;
  return 1;
}

void *pc_loaded_function(const char *name) { return pc_loaded_function_that(name, NULL, NULL); }

void *pc_loaded_function_that(const char *name, pc_function_test *passes, void *argument) {
  pc_search search = {.name = name, .type = STT_FUNC, .passes = passes, .argument = argument};
  dl_iterate_phdr(has_code, &search);
  return search.address;
}

void *pc_loaded_function_beside(const char *name, const void *other) {
  pc_search search = {.name = name, .type = STT_FUNC, .beside = other};
  dl_iterate_phdr(has_code, &search);
  return search.address;
}
