/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char DELETED[] = " (deleted)";

static bool cut_suffix(char *text, const char *suffix) {
  size_t length = strlen(text), suffix_length = strlen(suffix);
  if (length < suffix_length || strcmp(text + length - suffix_length, suffix) != 0) {
    return false;
  }
  text[length - suffix_length] = '\0';
  return true;
}

static bool parse(char *line, struct mapping *mapping) {
  char permissions[5];
  int path_at = 0;
  int fields = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n",
                      &mapping->start, &mapping->end, permissions, &mapping->file_offset,
                      &mapping->inode, &path_at);
  if (fields != 5 || path_at == 0) {
    return false;
  }
  mapping->executable = permissions[2] == 'x';
  mapping->writable = permissions[1] == 'w';
  char *path = line + path_at;
  path[strcspn(path, "\n")] = '\0';
  mapping->deleted = cut_suffix(path, DELETED);
  snprintf(mapping->path, sizeof mapping->path, "%s", path);
  return true;
}

bool mappings_open(struct mappings *mappings, pid_t pid, struct reason *reason) {
  snprintf(mappings->path, sizeof mappings->path, "/proc/%d/maps", pid);
  mappings->maps = fopen(mappings->path, "re");
  return mappings->maps != NULL ||
         because(reason, "cannot open %s: %s%s", mappings->path, strerror(errno),
                 errno == ENOENT ? " (no such process)"
                                 : "; run as the user of the process or as root");
}

bool mappings_next(struct mappings *mappings, struct mapping *mapping) {
  while (fgets(mappings->line, sizeof mappings->line, mappings->maps) != NULL) {
    if (parse(mappings->line, mapping)) {
      return true;
    }
  }
  return false;
}

bool mappings_close(struct mappings *mappings, struct reason *reason) {
  /* Without the right to trace, maps can be opened, but reading it returns nothing or fails. */
  bool failed = ferror(mappings->maps) != 0;
  if (failed) {
    because(reason, "cannot read %s: %s", mappings->path, strerror(errno));
  }
  fclose(mappings->maps);
  return !failed;
}

enum find_result mappings_find(pid_t pid, bool (*matches)(const struct mapping *mapping),
                               struct mapping *found, struct reason *reason) {
  static struct mappings mappings;
  if (!mappings_open(&mappings, pid, reason)) {
    return FIND_FAILED;
  }
  bool is_found = false;
  while (!is_found && mappings_next(&mappings, found)) {
    is_found = matches(found);
  }
  bool complete = mappings_close(&mappings, reason);
  return is_found ? FIND_FOUND : complete ? FIND_NONE : FIND_FAILED;
}

bool mapping_is_code(const struct mapping *mapping) {
  /* A memfd cannot be opened through its path; the real profiler also skips it. */
  return mapping->executable && mapping->inode != 0 && mapping->path[0] == '/' &&
         strncmp(mapping->path, "/memfd:", 7) != 0;
}

bool mappings_writable_at(pid_t pid, uint64_t address, bool *writable, struct reason *reason) {
  static struct mappings mappings;
  static struct mapping mapping;
  *writable = false;
  if (!mappings_open(&mappings, pid, reason)) {
    return false;
  }
  while (mappings_next(&mappings, &mapping)) {
    *writable |= address >= mapping.start && address < mapping.end && mapping.writable;
  }
  return mappings_close(&mappings, reason);
}

int mapping_open_file(pid_t pid, const struct mapping *mapping, struct reason *reason) {
  char path[PATH_MAX + 64];
  /* This link leads to the mapped file even after the file was deleted or replaced. */
  snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, mapping->start,
           mapping->end);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    return fd;
  }
  int map_files_error = errno;
  if (mapping->deleted) {
    because(reason,
            "%s was deleted after it was loaded, and %s is not readable (%s): keep the file, or "
            "run as root or with CAP_CHECKPOINT_RESTORE",
            mapping->path, path, strerror(map_files_error));
    return -1;
  }
  snprintf(path, sizeof path, "/proc/%d/root%s", pid, mapping->path);
  fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    because(reason, "cannot open %s: %s", path, strerror(errno));
    return -1;
  }
  struct stat file;
  if (fstat(fd, &file) != 0 || file.st_ino != mapping->inode) {
    because(reason, "%s is no longer the file that process %d has mapped; run as root", path, pid);
    close(fd);
    return -1;
  }
  return fd;
}
