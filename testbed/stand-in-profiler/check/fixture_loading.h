/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_LOADING_H
#define FIXTURE_LOADING_H

/*
 * Keeps the library in states that occur during dlopen. For LOADING_MS (an environment variable),
 * its code is mapped and its data is not. For LOADING_MAPPED_MS, its data is mapped as in the file:
 * not relocated, and without zeros behind its end.
 */
void fixture_loading(const char *path);

#endif
