/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "http_answer.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEAD_END "\r\n\r\n"
#define SIZE_DIGITS 15 /* of a length, so it cannot overflow */

struct lengths {
  bool chunked;
  bool known;
  size_t body;
};

static unsigned char *find(unsigned char *from, size_t size, const char *text) {
  return memmem(from, size, text, strlen(text));
}

static bool parse_number(const char *text, int base, size_t *number) {
  char *end;
  *number = (size_t)strtoull(text, &end, base);
  return isxdigit((unsigned char)*text) && end > text && end - text <= SIZE_DIGITS;
}

static bool parse_status_line(const char *line, struct http_answer *answer) {
  int text_at = 0;
  if (sscanf(line, "HTTP/1.%*1d %3d%n", &answer->status, &text_at) != 1 || answer->status < 100) {
    answer->status = 0;
    return false;
  }
  const char *text = line + text_at + strspn(line + text_at, " ");
  size_t length = 0;
  while (length < sizeof answer->reason - 1 && isprint((unsigned char)text[length])) {
    length++;
  }
  snprintf(answer->reason, sizeof answer->reason, "%.*s", (int)length, text);
  return true;
}

/* A NUL has replaced the last line break of the head. */
static bool parse_head(const char *head, struct http_answer *answer, struct lengths *lengths) {
  static const char length_name[] = "Content-Length:", coding_name[] = "Transfer-Encoding:";
  if (!parse_status_line(head, answer)) {
    return false;
  }
  *lengths = (struct lengths){0};
  for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
    line += 2;
    if (strncasecmp(line, length_name, sizeof length_name - 1) == 0) {
      const char *value = line + sizeof length_name - 1;
      lengths->known = parse_number(value + strspn(value, " \t"), 10, &lengths->body);
      if (!lengths->known) {
        return false;
      }
    } else if (strncasecmp(line, coding_name, sizeof coding_name - 1) == 0) {
      lengths->chunked = true;
    }
  }
  return true;
}

/* Joins the chunks. Each is a length in hex, a line break, the bytes, and a line break. */
static enum http_answer_state join_chunks(struct http_answer *answer, size_t size) {
  unsigned char *from = answer->body, *end = answer->body + size;
  enum http_answer_state state = HTTP_ANSWER_INCOMPLETE;
  unsigned char *line_end;
  while (state == HTTP_ANSWER_INCOMPLETE &&
         (line_end = find(from, (size_t)(end - from), "\r\n")) != NULL) {
    size_t length;
    unsigned char *chunk = line_end + 2;
    *line_end = '\0';
    if (!parse_number((const char *)from, 16, &length)) {
      return HTTP_ANSWER_MALFORMED;
    }
    if (length == 0) {
      state = HTTP_ANSWER_COMPLETE;
    } else if ((size_t)(end - chunk) < length + 2) {
      break;
    } else {
      memmove(answer->body + answer->body_size, chunk, length);
      answer->body_size += length;
      from = chunk + length + 2;
    }
  }
  return state;
}

enum http_answer_state http_answer_parse(unsigned char *bytes, size_t size, bool ended,
                                         struct http_answer *answer) {
  *answer = (struct http_answer){0};
  struct lengths lengths;
  unsigned char *head = bytes, *body;
  do {
    unsigned char *head_end = find(head, size - (size_t)(head - bytes), HEAD_END);
    if (head_end == NULL) {
      return ended || (size >= 5 && memcmp(bytes, "HTTP/", 5) != 0) ? HTTP_ANSWER_MALFORMED
                                                                    : HTTP_ANSWER_INCOMPLETE;
    }
    unsigned char replaced = *head_end;
    *head_end = '\0';
    bool sound = parse_head((const char *)head, answer, &lengths);
    *head_end = replaced; /* it may be parsed again when more bytes have arrived */
    if (!sound) {
      return HTTP_ANSWER_MALFORMED;
    }
    body = head_end + strlen(HEAD_END);
    head = body;
  } while (answer->status < 200); /* an interim answer, which the final one follows */
  answer->body = body;
  size_t come = size - (size_t)(body - bytes);
  if (lengths.chunked) {
    /* Joining changes the bytes, so it must wait for the end. */
    return ended ? join_chunks(answer, come) : HTTP_ANSWER_INCOMPLETE;
  }
  answer->body_size = lengths.known && lengths.body < come ? lengths.body : come;
  return (lengths.known && come >= lengths.body) || ended ? HTTP_ANSWER_COMPLETE
                                                          : HTTP_ANSWER_INCOMPLETE;
}
