/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "fixture_loading.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int protection(const ElfW(Phdr) *segment) {
  return PROT_READ | ((segment->p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((segment->p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

static void map_segments(uint8_t *image, const ElfW(Ehdr) *header, uint32_t with_flag, int fd) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const ElfW(Phdr) *segment = (const void *)(image + header->e_phoff);
  for (size_t i = 0; i < header->e_phnum; i++, segment++) {
    uintptr_t in_page = segment->p_vaddr % page;
    if (segment->p_type == PT_LOAD && (segment->p_flags & with_flag) != 0) {
      mmap(image + segment->p_vaddr - in_page, segment->p_filesz + in_page, protection(segment),
           MAP_PRIVATE | MAP_FIXED, fd, (off_t)(segment->p_offset - in_page));
    }
  }
}

static void sleep_ms(const char *ms) {
  if (ms != NULL) {
    usleep((useconds_t)atol(ms) * 1000);
  }
}

void fixture_loading(const char *path) {
  const char *loading_ms = getenv("LOADING_MS"), *mapped_ms = getenv("LOADING_MAPPED_MS");
  if (loading_ms == NULL && mapped_ms == NULL) {
    return;
  }
  int fd = open(path, O_RDONLY);
  off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
  uint8_t *image = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (image == MAP_FAILED) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  ElfW(Ehdr) header = *(const ElfW(Ehdr) *)image;
  map_segments(image, &header, PF_X, fd);
  sleep_ms(loading_ms);
  map_segments(image, &header, PF_W, fd);
  sleep_ms(mapped_ms);
  close(fd);
  munmap(image, (size_t)size);
}
