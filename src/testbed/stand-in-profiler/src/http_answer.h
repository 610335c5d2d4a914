/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#define HTTP_REASON_SIZE 64

enum http_answer_state {
  HTTP_ANSWER_INCOMPLETE, /* so far; "status" is set if the head has come */
  HTTP_ANSWER_COMPLETE,
  HTTP_ANSWER_MALFORMED
};

struct http_answer {
  int status; /* 0: unknown */
  char reason[HTTP_REASON_SIZE];
  unsigned char *body; /* in the bytes that were parsed; as far as it has come */
  size_t body_size;
};

/*
 * Takes the bytes of an HTTP/1.1 answer apart. Chunks of a body are put together in place, so the
 * bytes can be parsed only once if the answer is complete. "ended": no more will come.
 */
enum http_answer_state http_answer_parse(unsigned char *bytes, size_t size, bool ended,
                                         struct http_answer *answer);

#endif
