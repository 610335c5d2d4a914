/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "java_stacks.h"

#include <stdlib.h>
#include <string.h>

/* Finds the last occurrence, because a thread's name may contain any text. */
static const char *find_last(const char *from, const char *end, const char *text) {
  size_t length = strlen(text);
  for (const char *at = end - length; at >= from; at--) {
    if (memcmp(at, text, length) == 0) {
      return at + length;
    }
  }
  return NULL;
}

/*
 * The native thread id in the first line of a thread:
 *   "main" #1 prio=5 ... nid=0x1a2b runnable ...      (to JDK 20, hexadecimal)
 *   "main" #1 [6699] prio=5 ... nid=6699 runnable ... (from JDK 21, decimal)
 * The number in brackets is a fallback in case a later JDK drops the other one.
 */
static long native_id(const char *line, const char *end) {
  const char *number = find_last(line, end, " nid=");
  if (number == NULL) {
    const char *name_end = find_last(line, end, "\" #");
    number = name_end == NULL ? NULL : memchr(name_end, '[', (size_t)(end - name_end));
    if (number == NULL) {
      return -1;
    }
    number++;
  }
  return strtol(number, NULL, 0);
}

static void add_frame(struct java_stack *stack, const char *name, const char *end) {
  const char *bracket = memchr(name, '(', (size_t)(end - name));
  if (bracket != NULL && stack->count < JAVA_FRAMES_LIMIT) {
    stack->frames[stack->count].name = name;
    stack->frames[stack->count].length = (size_t)(bracket - name);
    stack->count++;
  }
}

bool java_stack_find(const struct thread_dump *dump, pid_t tid, struct java_stack *stack) {
  static const char frame_mark[] = "\tat ";
  bool found = false;
  stack->count = 0;
  for (const char *line = dump->text, *end; line != NULL && *line != '\0'; line = end + 1) {
    end = strchr(line, '\n');
    if (end == NULL) {
      break;
    }
    if (*line == '"') {
      if (found) {
        break;
      }
      found = native_id(line, end) == tid;
    } else if (found && strncmp(line, frame_mark, sizeof frame_mark - 1) == 0) {
      add_frame(stack, line + sizeof frame_mark - 1, end);
    } else if (found && line == end) {
      break;
    }
  }
  return stack->count > 0;
}

struct stack_id java_stack_id(const struct java_stack *stack) {
  struct stack_hash hash;
  stack_hash_begin(&hash);
  for (size_t i = 0; i < stack->count; i++) {
    stack_hash_add(&hash, stack->frames[i].name, stack->frames[i].length);
    stack_hash_add(&hash, "\n", 1);
  }
  return stack_hash_end(&hash);
}
