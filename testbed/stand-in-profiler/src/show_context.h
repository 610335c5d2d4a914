/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SHOW_CONTEXT_H
#define SHOW_CONTEXT_H

#include "context_attachment.h"
#include "thread_sample.h"

/* Prints the member "otel" of the process. */
void show_contexts(const struct context_attachment *contexts);

/* Prints the member "otel" of a thread. */
void show_context(const struct context_sample *sample, const struct context_keys *keys);

#endif
