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
  HTTP_ANSWER_INCOMPLETE, /* so far; "status" is set once the head has arrived */
  HTTP_ANSWER_COMPLETE,
  HTTP_ANSWER_MALFORMED
};

struct http_answer {
  int status; /* 0: unknown */
  char reason[HTTP_REASON_SIZE];
  unsigned char *body; /* points into the parsed bytes; the part that has arrived */
  size_t body_size;
};

/*
 * Parses the bytes of an HTTP/1.1 answer. The chunks of a complete body are joined in place, so a
 * complete answer can be parsed only once. "ended": no more bytes will arrive.
 */
enum http_answer_state http_answer_parse(unsigned char *bytes, size_t size, bool ended,
                                         struct http_answer *answer);

#endif
