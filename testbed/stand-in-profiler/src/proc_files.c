/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "proc_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool read_proc_file(const char *path, char *into, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  size_t length = 0;
  ssize_t n;
  while (length < size - 1 && (n = read(fd, into + length, size - 1 - length)) > 0) {
    length += (size_t)n;
  }
  into[length] = '\0';
  close(fd);
  return length > 0;
}

const char *status_value(const char *status, const char *key, char *into, size_t size) {
  size_t key_length = strlen(key);
  for (const char *line = status; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, key, key_length) == 0 && line[key_length] == ':') {
      const char *value = line + key_length + 1;
      value += strspn(value, " \t");
      snprintf(into, size, "%.*s", (int)strcspn(value, "\n"), value);
      return into;
    }
  }
  return NULL;
}

pid_t inner_pid(pid_t pid, pid_t tid) {
  char path[64], status[4096], ids[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
  if (!read_proc_file(path, status, sizeof status) ||
      status_value(status, "NSpid", ids, sizeof ids) == NULL) {
    return 0;
  }
  /* "NSpid: 4711 12 1": one id per namespace, innermost last. */
  const char *last = strrchr(ids, '\t');
  return (pid_t)atoi(last == NULL ? ids : last + 1);
}

bool same_pid_namespace(pid_t pid) {
  char path[64];
  struct stat ours, theirs;
  snprintf(path, sizeof path, "/proc/%d/ns/pid", pid);
  return stat("/proc/self/ns/pid", &ours) == 0 && stat(path, &theirs) == 0 &&
         ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}
