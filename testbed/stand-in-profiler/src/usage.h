/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef USAGE_H
#define USAGE_H

/* The output of --help. */
extern const char usage[];

#endif
