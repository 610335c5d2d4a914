/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_LIBRARY_H
#define CONTEXT_LIBRARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "mappings.h"
#include "reason.h"
#include "tls_variable.h"

/*
 * Finds the library that defines the thread-local pointer of the thread contexts, and the location
 * of the pointer. Returns false with the reason unless exactly one library defines it.
 */
bool context_library_find(pid_t pid, struct mapping *library, struct tls_variable *variable,
                          struct reason *reason);

#endif
