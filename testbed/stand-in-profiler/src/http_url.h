/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef HTTP_URL_H
#define HTTP_URL_H

#include <stdbool.h>

#include "reason.h"

#define HTTP_AUTHORITY_SIZE 272
#define HTTP_PATH_SIZE 1024

struct http_url {
  char host[256];                      /* without the brackets of an IPv6 address */
  char port[6];
  char authority[HTTP_AUTHORITY_SIZE]; /* as given: the host and, if any, the port */
  char path[HTTP_PATH_SIZE];
};

/* Parses http://HOST[:PORT][/PATH]; returns false with the reason if it is anything else. */
bool http_url_parse(const char *text, const char *default_path, struct http_url *url,
                    struct reason *reason);

#endif
