/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef AGREEMENT_H
#define AGREEMENT_H

#include "thread_sample.h"

/* The agreement of the two records of a thread at one stop. */
enum agreement {
  AGREEMENT_NO_TRACE,  /* neither shows a trace */
  AGREEMENT_SAME,      /* both show the same trace and current span */
  AGREEMENT_DIFFERENT, /* they show different traces or spans */
  AGREEMENT_ONLY_ELASTIC,
  AGREEMENT_ONLY_OTEL_SAMPLED,
  AGREEMENT_ONLY_OTEL_UNSAMPLED, /* expected: Elastic's protocol does not show unsampled spans */
  AGREEMENT_UNKNOWN,             /* a record could not be read or is malformed */
  AGREEMENTS
};

enum agreement agreement_of(const struct thread_sample *sample);

/* Returns the name of the counter. */
const char *agreement_name(enum agreement agreement);

#endif
