/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "mappings.h"
#include "reason.h"

/*
 * Searches for the first executable mapping of a library that matches
 * .*\/elastic-jvmti-linux-([\w-]*)\.so
 */
enum find_result library_find(pid_t pid, struct mapping *library, struct reason *reason);

#endif
