/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Tests of the URL that profiles are sent to, and of the answers. */
#include <stdlib.h>
#include <string.h>

#include "../src/export_answer.h"
#include "../src/http_answer.h"
#include "../src/http_url.h"
#include "unit_expect.h"

static void expect_url(const char *text, const char *expected) {
  struct http_url url;
  struct reason reason;
  char found[2048];
  if (http_url_parse(text, "/default", &url, &reason)) {
    snprintf(found, sizeof found, "%s %s %s %s", url.host, url.port, url.authority, url.path);
  } else {
    snprintf(found, sizeof found, "%.1000s", reason.text);
  }
  expect(text, found, expected);
}

static void test_urls(void) {
  static const char no_port[] = "needs a port from 1 to 65535 after the colon";
  expect_url("http://localhost:4318/v1/x?a=b", "localhost 4318 localhost:4318 /v1/x?a=b");
  expect_url("http://10.0.0.1", "10.0.0.1 80 10.0.0.1 /default");
  expect_url("http://h:4318/", "h 4318 h:4318 /default");
  expect_url("http://[::1]:4318/p", "::1 4318 [::1]:4318 /p");
  expect_url("http://[::1]", "::1 80 [::1] /default");
  expect_url("http://:80/", "has no valid host");
  expect_url("http://[::1", "has no valid host");
  expect_url("http://[::1]x", "has no valid host");
  expect_url("http:///p", "has no valid host");
  expect_url("http://h:", no_port);
  expect_url("http://h:0", no_port);
  expect_url("http://h:65536", no_port);
  expect_url("http://h:80a", no_port);
  expect_url("http://h:+80", no_port);
  expect_url("http://h?x", "has a query without a path, or is too long");
  expect_url("http://h/\r\nX: y", "has a character that is not supported at index 9");
  expect_url("http://user@h/", "has a character that is not supported at index 11");
  expect_url("https://h/",
             "does not begin with http:// (TLS is not supported: send to a collector on this "
             "host)");
}

/* Parses each prefix of the answer, as if it arrived byte by byte, and then all of it. */
static void expect_answer(const char *what, const char *text, const char *expected) {
  struct http_answer answer;
  size_t size = strlen(text), complete_at = size;
  enum http_answer_state state = HTTP_ANSWER_INCOMPLETE;
  unsigned char *bytes = NULL;
  for (size_t i = 0; i <= size && state == HTTP_ANSWER_INCOMPLETE; i++) {
    free(bytes);
    bytes = malloc(i + 1); /* a sanitizer detects accesses behind the end */
    memcpy(bytes, text, i);
    state = http_answer_parse(bytes, i, i == size, &answer);
    complete_at = i;
  }
  char found[256];
  snprintf(found, sizeof found, "%s after %zu of %zu: %d \"%s\" \"%.*s\"",
           state == HTTP_ANSWER_COMPLETE     ? "complete"
           : state == HTTP_ANSWER_INCOMPLETE ? "cut"
                                             : "malformed",
           complete_at, size, answer.status, answer.reason, (int)answer.body_size,
           answer.body_size == 0 ? "" : (const char *)answer.body);
  expect(what, found, expected);
  free(bytes);
}

static void test_answers(void) {
  expect_answer("a length", "HTTP/1.1 200 OK\r\ncontent-length:  2\r\n\r\nabcd",
                "complete after 41 of 43: 200 \"OK\" \"ab\"");
  expect_answer("no length", "HTTP/1.0 503 Service Unavailable\r\n\r\nabc",
                "complete after 39 of 39: 503 \"Service Unavailable\" \"abc\"");
  expect_answer("no reason", "HTTP/1.1 204\r\n\r\n", "complete after 16 of 16: 204 \"\" \"\"");
  expect_answer("chunks",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
                "complete after 79 of 79: 200 \"OK\" \"abc0123456789\"");
  expect_answer("a cut chunk",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n9\r\n01",
                "cut after 60 of 60: 200 \"OK\" \"abc\"");
  expect_answer("a chunk without a length",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc",
                "malformed after 54 of 54: 200 \"OK\" \"\"");
  expect_answer("an interim answer",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "complete after 63 of 63: 200 \"OK\" \"\"");
  expect_answer("a length that is too large",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "malformed after 57 of 57: 200 \"OK\" \"\"");
  expect_answer("another protocol", "SSH-2.0-server\r\n", "malformed after 5 of 16: 0 \"\" \"\"");
  expect_answer("nothing", "", "malformed after 0 of 0: 0 \"\" \"\"");
}

/* Whatever arrives, only the given bytes may be accessed. */
static void test_random_answers(void) {
  static const char seed[] =
      "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n"
      "Transfer-Encoding: chunked\r\n\r\n3\r\n\x0a\x02\x08\r\n2\r\n\x01x\r\n0\r\n\r\n";
  uint64_t outside = 0;
  srand48(42);
  for (int i = 0; i < 200000; i++) {
    size_t size = (size_t)lrand48() % sizeof seed;
    unsigned char *bytes = malloc(size + 1);
    memcpy(bytes, seed, size);
    for (long changes = lrand48() % 4; changes > 0 && size > 0; changes--) {
      bytes[(size_t)lrand48() % size] = (unsigned char)lrand48();
    }
    struct http_answer answer;
    struct reason reason;
    uint64_t rejected = 0;
    http_answer_parse(bytes, size, lrand48() % 2 == 0, &answer);
    outside += answer.body_size > size;
    export_answer_judge(&answer, &rejected, &reason);
    free(bytes);
  }
  expect_number("bodies outside of 200,000 random answers", outside, 0);
}

static void expect_judgement(int status, const char *body, size_t size, const char *expected) {
  struct http_answer answer = {
      .status = status, .reason = "R", .body = (unsigned char *)body, .body_size = size};
  struct reason reason = {""};
  uint64_t rejected = 0;
  enum export_result result = export_answer_judge(&answer, &rejected, &reason);
  char what[32], found[400];
  snprintf(what, sizeof what, "answer %d", status);
  snprintf(found, sizeof found, "%s, %" PRIu64 " rejected%s%.300s",
           result == EXPORT_DONE    ? "done"
           : result == EXPORT_AGAIN ? "again"
                                    : "refused",
           rejected, result == EXPORT_DONE ? "" : ": ", result == EXPORT_DONE ? "" : reason.text);
  expect(what, found, expected);
}

static void test_judgements(void) {
  expect_judgement(200, "", 0, "done, 0 rejected");
  expect_judgement(202, "\x0a\x00", 2, "done, 0 rejected");
  expect_judgement(200, "\x0a\x06\x08\x01\x12\x02no", 8,
                   "refused, 1 rejected: the receiver rejected 1 profiles: no");
  expect_judgement(200, "\x0a\x7f\x08", 3, "done, 0 rejected");
  expect_judgement(400, "", 0, "refused, 0 rejected: the answer is \"400 R\"");
  expect_judgement(429, "", 0, "again, 0 rejected: the answer is \"429 R\"");
  expect_judgement(500, "", 0, "refused, 0 rejected: the answer is \"500 R\"");
  expect_judgement(503, "", 0, "again, 0 rejected: the answer is \"503 R\"");
}

int main(void) {
  test_urls();
  test_answers();
  test_random_answers();
  test_judgements();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
