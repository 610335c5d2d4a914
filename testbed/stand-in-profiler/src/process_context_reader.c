/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_context_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "mappings.h"
#include "process_memory.h"
#include "waiting.h"

#define ATTEMPTS 3
#define BETWEEN_ATTEMPTS_NS NS_PER_MS

/* The kernel's names for the mapping, depending on its kind. */
static bool is_process_context(const struct mapping *mapping) {
  return !mapping->executable &&
         (strcmp(mapping->path, "[anon_shmem:" PROCESS_CONTEXT_NAME "]") == 0 ||
          strcmp(mapping->path, "[anon:" PROCESS_CONTEXT_NAME "]") == 0 ||
          strcmp(mapping->path, "/memfd:" PROCESS_CONTEXT_NAME) == 0);
}

static bool find(pid_t pid, uint64_t *address, struct reason *reason) {
  static struct mapping mapping;
  enum find_result result = mappings_find(pid, is_process_context, &mapping, reason);
  *address = mapping.start;
  return result == FIND_FOUND ||
         (result == FIND_NONE && because(reason, "no mapping is named " PROCESS_CONTEXT_NAME
                                                 ", so there is no process context"));
}

static bool check(const struct process_context_header *header, struct reason *reason) {
  if (memcmp(header->signature, PROCESS_CONTEXT_NAME, sizeof header->signature) != 0) {
    return because(reason, "the process context does not begin with " PROCESS_CONTEXT_NAME);
  }
  if (header->version != PROCESS_CONTEXT_VERSION) {
    return because(reason, "the process context has version %" PRIu32 ", must be %d",
                   header->version, PROCESS_CONTEXT_VERSION);
  }
  if (header->published_at_ns == 0) {
    return because(reason, "the process context is being changed");
  }
  if (header->payload_size == 0 || header->payload_size > PROCESS_CONTEXT_PAYLOAD_LIMIT) {
    return because(reason, "the process context has %" PRIu32 " bytes, must be 1 to %d",
                   header->payload_size, PROCESS_CONTEXT_PAYLOAD_LIMIT);
  }
  return true;
}

static bool copy(pid_t pid, uint64_t address, struct process_context *context,
                 struct reason *reason) {
  struct process_context_header header, after;
  if (!read_memory(pid, address, &header, sizeof header)) {
    return because(reason, "cannot read the process context at 0x%" PRIx64 ": %s", address,
                   strerror(errno));
  }
  if (!check(&header, reason)) {
    return false;
  }
  if (!read_memory(pid, header.payload_address, context->payload, header.payload_size)) {
    return because(reason, "cannot read the process context's %" PRIu32 " bytes at 0x%" PRIx64
                           ": %s",
                   header.payload_size, header.payload_address, strerror(errno));
  }
  if (!read_memory(pid, address, &after, sizeof after) ||
      after.published_at_ns != header.published_at_ns) {
    return because(reason, "the process context changed while it was read");
  }
  context->published_at_ns = header.published_at_ns;
  context->size = header.payload_size;
  return true;
}

bool process_context_read(pid_t pid, struct process_context *context, struct reason *reason) {
  uint64_t address;
  bool done = false;
  for (int attempt = 0; attempt < ATTEMPTS && !done; attempt++) {
    if (attempt > 0) {
      wait_until(now_ns() + BETWEEN_ATTEMPTS_NS);
    }
    if (!find(pid, &address, reason)) {
      return false;
    }
    done = copy(pid, address, context, reason);
  }
  return done;
}
