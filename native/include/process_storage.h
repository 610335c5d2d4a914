/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROCESS_STORAGE_H
#define PROCESS_STORAGE_H

#include <stddef.h>
#include <stdint.h>

#define PC_SERVICE_NAME_MAX 128
#define PC_SERVICE_ENVIRONMENT_MAX 128
#define PC_SOCKET_PATH_MAX 1024
/* layout-minor-version, and three strings, each preceded by its 32-bit length */
#define PC_PROCESS_STORAGE_MAX \
  (2 + 4 + PC_SERVICE_NAME_MAX + 4 + PC_SERVICE_ENVIRONMENT_MAX + 4 + PC_SOCKET_PATH_MAX)

#define PC_PUBLISHED_BY_ANOTHER 1

/*
 * Shows a copy of these bytes (encoded process storage) to profilers, always at the same address.
 * Returns 0, -1 if length exceeds PC_PROCESS_STORAGE_MAX, or PC_PUBLISHED_BY_ANOTHER if another
 * caller has published and not withdrawn yet. Thread-safe.
 */
int pc_process_storage_publish(const uint8_t *bytes, size_t length);

/* Returns whether a caller has published and not withdrawn yet. */
int pc_process_storage_is_published(void);

/*
 * Sets the process storage pointer to null. Must only be called by the caller that has published.
 */
void pc_process_storage_withdraw(void);

#endif
