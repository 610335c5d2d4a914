/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef BUILD_ID_H
#define BUILD_ID_H

#include <stdbool.h>

#define BUILD_ID_TEXT_SIZE 129 /* 64 bytes in hex and NUL; linkers write 20 bytes at most */

/* Reads the GNU build id of an open ELF file; returns false and an empty text if it has none. */
bool build_id_read(int fd, char text[BUILD_ID_TEXT_SIZE]);

#endif
