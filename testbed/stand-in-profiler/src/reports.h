/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef REPORTS_H
#define REPORTS_H

#include <stdbool.h>

#include "reason.h"
#include "sampler.h"

/* Reports the samples of one tick: takes the stacks, sends the messages, exports the samples. */
bool reports_send(struct sampler *sampler, struct reason *reason);

#endif
