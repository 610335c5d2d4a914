/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc_files.h"

/* Adds a thread if it is selected. The line has the form "TID (name) STATE ..." */
static void consider(const char *stat, pid_t tid, const struct thread_choice *choice,
                     struct thread_list *list) {
  const char *name = strchr(stat, '(');
  const char *name_end = strrchr(stat, ')'); /* the name may contain ')' */
  if (name == NULL || name_end == NULL || name_end[1] != ' ') {
    return;
  }
  name++;
  char state = name_end[2];
  if (state == 'Z' || state == 'X' || (choice->on_cpu_only && state != 'R')) {
    return;
  }
  struct thread thread = {.tid = tid};
  snprintf(thread.name, sizeof thread.name, "%.*s", (int)(name_end - name), name);
  if (choice->name_prefix != NULL &&
      strncmp(thread.name, choice->name_prefix,
              strnlen(choice->name_prefix, THREAD_NAME_SIZE - 1)) != 0) {
    return;
  }
  if (list->count == list->capacity) {
    size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
    struct thread *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) {
      return;
    }
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = thread;
}

bool threads_list(pid_t pid, const struct thread_choice *choice, struct thread_list *list) {
  char path[64];
  list->count = 0;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (tasks == NULL) {
    return false;
  }
  struct dirent *entry;
  while ((entry = readdir(tasks)) != NULL) {
    pid_t tid = (pid_t)atoi(entry->d_name);
    char stat[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    if (tid > 0 && read_proc_file(path, stat, sizeof stat)) {
      consider(stat, tid, choice, list);
    }
  }
  closedir(tasks);
  return true;
}
