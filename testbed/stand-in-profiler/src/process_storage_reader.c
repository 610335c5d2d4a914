/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_storage_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "process_memory.h"
#include "utf8.h"

struct cursor {
  pid_t pid;
  uint64_t address;
  struct reason *reason;
};

static bool take(struct cursor *cursor, const char *what, void *into, size_t length) {
  if (!read_memory(cursor->pid, cursor->address, into, length)) {
    return because(cursor->reason, "cannot read %s of the process storage at 0x%" PRIx64 ": %s",
                   what, cursor->address, strerror(errno));
  }
  cursor->address += length;
  return true;
}

/* Reads a utf8-str into a buffer for "limit" bytes and a NUL. */
static bool take_string(struct cursor *cursor, const char *what, char *into, uint32_t limit) {
  uint32_t length;
  if (!take(cursor, what, &length, sizeof length)) {
    return false;
  }
  if (length > limit) {
    return because(cursor->reason,
                   "%s has a length of %" PRIu32 " bytes, but the profiler accepts up to %" PRIu32,
                   what, length, limit);
  }
  if (length > 0 && !take(cursor, what, into, length)) {
    return false;
  }
  into[length] = '\0';
  size_t step;
  for (size_t i = 0; i < length; i += step) {
    step = utf8_character((const unsigned char *)into + i, length - i);
    if (step == 0 || into[i] == '\0') {
      return because(cursor->reason, "%s is not UTF-8 text without NUL (byte %zu)", what, i);
    }
  }
  return true;
}

static bool check_socket_path(const char *path, struct reason *reason) {
  if (path[0] != '/') {
    return because(reason, "socket-file-path \"%s\" is not absolute", path);
  }
  for (const char *part = path; part != NULL; part = strchr(part + 1, '/')) {
    if (strncmp(part, "/..", 3) == 0 && (part[3] == '/' || part[3] == '\0')) {
      return because(reason, "socket-file-path \"%s\" contains \"..\"", path);
    }
  }
  return true;
}

bool process_storage_read(pid_t pid, uint64_t address, struct process_storage *storage,
                          struct reason *reason) {
  struct cursor cursor = {.pid = pid, .address = address, .reason = reason};
  if (!take(&cursor, "layout-minor-version", &storage->layout_minor_version, sizeof(uint16_t))) {
    return false;
  }
  /* Later minor versions only add fields at the end. */
  if (storage->layout_minor_version == 0) {
    return because(reason, "layout-minor-version of the process storage is 0, must be 1 or later");
  }
  return take_string(&cursor, "service-name", storage->service_name, SERVICE_NAME_LIMIT) &&
         take_string(&cursor, "service-environment", storage->service_environment,
                     SERVICE_ENVIRONMENT_LIMIT) &&
         take_string(&cursor, "socket-file-path", storage->socket_file_path,
                     SOCKET_FILE_PATH_LIMIT) &&
         check_socket_path(storage->socket_file_path, reason);
}
