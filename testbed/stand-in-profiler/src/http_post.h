/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef HTTP_POST_H
#define HTTP_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http_answer.h"
#include "http_url.h"
#include "reason.h"

#define HTTP_ANSWER_SIZE_LIMIT 65536

struct http_body {
  const char *headers; /* each with its line break */
  const void *bytes;
  size_t size;
};

struct http_response {
  struct http_answer answer; /* points into "bytes" */
  unsigned char bytes[HTTP_ANSWER_SIZE_LIMIT];
};

/*
 * Posts a body over a new connection. Returns by the deadline (see now_ns), unless looking up a
 * name takes longer. Returns false with the reason if no HTTP answer arrived.
 */
bool http_post(const struct http_url *url, const struct http_body *body, uint64_t deadline_ns,
               struct http_response *response, struct reason *reason);

#endif
