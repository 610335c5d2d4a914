/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROCESS_STORAGE_READER_H
#define PROCESS_STORAGE_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"
#include "reason.h"

struct process_storage {
  uint16_t layout_minor_version;
  char service_name[SERVICE_NAME_LIMIT + 1];
  char service_environment[SERVICE_ENVIRONMENT_LIMIT + 1];
  char socket_file_path[SOCKET_FILE_PATH_LIMIT + 1];
};

/* Decodes the storage at an address of the process. Fails on anything that the protocol forbids. */
bool process_storage_read(pid_t pid, uint64_t address, struct process_storage *storage,
                          struct reason *reason);

#endif
