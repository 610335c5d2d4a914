/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "build_id.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NOTES_SIZE_LIMIT 65536
#define SEGMENTS_LIMIT 64

static bool read_at(int fd, uint64_t offset, void *into, size_t size) {
  return offset <= INT64_MAX && pread(fd, into, size, (off_t)offset) == (ssize_t)size;
}

static size_t aligned(uint64_t size, uint64_t alignment) {
  return (size_t)((size + alignment - 1) / alignment * alignment);
}

/* The notes are not trusted: sizes are checked before they are used. */
static bool find_note(const uint8_t *notes, size_t size, size_t alignment,
                      char text[BUILD_ID_TEXT_SIZE]) {
  for (size_t at = 0; size - at >= sizeof(Elf64_Nhdr);) {
    Elf64_Nhdr note;
    memcpy(&note, notes + at, sizeof note);
    at += sizeof note;
    size_t name_size = aligned(note.n_namesz, alignment);
    size_t id_size = note.n_descsz;
    if (name_size > size - at || id_size > size - at - name_size) {
      return false;
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        memcmp(notes + at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      if (id_size == 0 || 2 * id_size >= BUILD_ID_TEXT_SIZE) {
        return false;
      }
      for (size_t i = 0; i < id_size; i++) {
        snprintf(text + 2 * i, 3, "%02x", notes[at + name_size + i]);
      }
      return true;
    }
    size_t rest = aligned(id_size, alignment);
    at = rest > size - at - name_size ? size : at + name_size + rest;
  }
  return false;
}

bool build_id_read(int fd, char text[BUILD_ID_TEXT_SIZE]) {
  static uint8_t notes[NOTES_SIZE_LIMIT];
  Elf64_Ehdr header;
  text[0] = '\0';
  if (!read_at(fd, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return false;
  }
  for (size_t i = 0; i < header.e_phnum && i < SEGMENTS_LIMIT; i++) {
    Elf64_Phdr segment;
    if (!read_at(fd, header.e_phoff + i * sizeof segment, &segment, sizeof segment)) {
      return false;
    }
    size_t alignment = segment.p_align == 8 ? 8 : 4;
    if (segment.p_type == PT_NOTE && segment.p_filesz <= sizeof notes &&
        read_at(fd, segment.p_offset, notes, (size_t)segment.p_filesz) &&
        find_note(notes, (size_t)segment.p_filesz, alignment, text)) {
      return true;
    }
  }
  return false;
}
