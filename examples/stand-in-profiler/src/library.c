/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "library.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

static const char DELETED[] = " (deleted)";

static bool cut_suffix(char *text, const char *suffix) {
  size_t length = strlen(text), suffix_length = strlen(suffix);
  if (length < suffix_length || strcmp(text + length - suffix_length, suffix) != 0) {
    return false;
  }
  text[length - suffix_length] = '\0';
  return true;
}

static bool name_matches(const char *path) {
  const char *name = strrchr(path, '/');
  /* A memfd has no file that could be opened through its path; the real profiler skips it. */
  if (name == NULL || strncmp(path, "/memfd:", 7) == 0) {
    return false;
  }
  name++;
  if (strncmp(name, LIBRARY_PREFIX, strlen(LIBRARY_PREFIX)) != 0) {
    return false;
  }
  name += strlen(LIBRARY_PREFIX);
  while (isalnum((unsigned char)*name) || *name == '_' || *name == '-') {
    name++;
  }
  return strcmp(name, LIBRARY_SUFFIX) == 0;
}

static bool parse_mapping(char *line, struct library *library) {
  char permissions[5];
  int path_at = 0;
  int fields = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n",
                      &library->start, &library->end, permissions, &library->file_offset,
                      &library->inode, &path_at);
  if (fields != 5 || permissions[2] != 'x' || library->inode == 0 || line[path_at] != '/') {
    return false;
  }
  char *path = line + path_at;
  path[strcspn(path, "\n")] = '\0';
  library->deleted = cut_suffix(path, DELETED);
  snprintf(library->path, sizeof library->path, "%s", path);
  return name_matches(library->path);
}

enum find_result library_find(pid_t pid, struct library *library, struct reason *reason) {
  char maps_path[64];
  snprintf(maps_path, sizeof maps_path, "/proc/%d/maps", pid);
  FILE *maps = fopen(maps_path, "re");
  if (maps == NULL) {
    because(reason, "cannot open %s: %s%s", maps_path, strerror(errno),
            errno == ENOENT ? " (no such process)"
                            : "; run as the user of the process or as root");
    return FIND_FAILED;
  }
  static char line[PATH_MAX + 128];
  enum find_result result = FIND_NONE;
  while (result == FIND_NONE && fgets(line, sizeof line, maps) != NULL) {
    if (parse_mapping(line, library)) {
      result = FIND_FOUND;
    }
  }
  /* Without the right to trace, maps can be opened, but reads are empty or fail. */
  if (result == FIND_NONE && ferror(maps)) {
    because(reason, "cannot read %s: %s", maps_path, strerror(errno));
    result = FIND_FAILED;
  }
  fclose(maps);
  return result;
}

int library_open(pid_t pid, const struct library *library, struct reason *reason) {
  char path[PATH_MAX + 64];
  /* This link points to the mapped file itself, even after it was deleted or replaced. */
  snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, library->start,
           library->end);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    return fd;
  }
  int map_files_error = errno;
  if (library->deleted) {
    because(reason,
            "%s was deleted after it was loaded, and %s is not readable (%s): keep the file, or "
            "run as root or with CAP_CHECKPOINT_RESTORE",
            library->path, path, strerror(map_files_error));
    return -1;
  }
  snprintf(path, sizeof path, "/proc/%d/root%s", pid, library->path);
  fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    because(reason, "cannot open %s: %s", path, strerror(errno));
    return -1;
  }
  struct stat file;
  if (fstat(fd, &file) != 0 || file.st_ino != library->inode) {
    because(reason, "%s is no longer the file that process %d has mapped; run as root", path, pid);
    close(fd);
    return -1;
  }
  return fd;
}
