/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef EXPORT_ANSWER_H
#define EXPORT_ANSWER_H

#include <stdint.h>

#include "http_answer.h"
#include "reason.h"

enum export_result {
  EXPORT_DONE,
  EXPORT_AGAIN,  /* the request may succeed later */
  EXPORT_REFUSED /* it will not succeed */
};

/* Interprets the answer to an export; sets the reason unless the result is EXPORT_DONE. */
enum export_result export_answer_judge(const struct http_answer *answer,
                                       uint64_t *rejected_profiles, struct reason *reason);

#endif
