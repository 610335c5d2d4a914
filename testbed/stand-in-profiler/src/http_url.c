/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "http_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEME "http://"
#define DEFAULT_PORT "80"

static bool check_characters(const char *text, struct reason *reason) {
  for (const char *at = text; *at != '\0'; at++) {
    /* A line break would begin another header of the request. */
    if (*at <= ' ' || *at > '~' || *at == '#' || *at == '@' || *at == '\\') {
      return because(reason, "has a character that is not supported at index %td", at - text);
    }
  }
  return true;
}

static bool parse_port(const char *text, struct http_url *url, struct reason *reason) {
  char *end;
  unsigned long port = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || port < 1 || port > 65535) {
    return because(reason, "needs a port from 1 to 65535 after the colon");
  }
  snprintf(url->port, sizeof url->port, "%lu", port);
  return true;
}

/* The authority is a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
static bool parse_authority(struct http_url *url, struct reason *reason) {
  const char *host = url->authority, *host_end, *rest;
  if (*host == '[') {
    host++;
    host_end = strchr(host, ']');
    rest = host_end == NULL ? "" : host_end + 1;
  } else {
    host_end = host + strcspn(host, ":");
    rest = host_end;
  }
  if (host_end == NULL || host_end == host || (*rest != '\0' && *rest != ':') ||
      (size_t)(host_end - host) >= sizeof url->host) {
    return because(reason, "has no valid host");
  }
  snprintf(url->host, sizeof url->host, "%.*s", (int)(host_end - host), host);
  return parse_port(*rest == ':' ? rest + 1 : DEFAULT_PORT, url, reason);
}

bool http_url_parse(const char *text, const char *default_path, struct http_url *url,
                    struct reason *reason) {
  if (strncmp(text, SCHEME, strlen(SCHEME)) != 0) {
    return because(reason, "does not begin with " SCHEME
                           " (TLS is not supported: send to a collector on this host)");
  }
  const char *authority = text + strlen(SCHEME);
  size_t authority_length = strcspn(authority, "/?");
  const char *path = authority + authority_length;
  if (!check_characters(text, reason)) {
    return false;
  }
  if (*path == '?' || authority_length >= sizeof url->authority ||
      strlen(path) >= sizeof url->path) {
    return because(reason, "has a query without a path, or is too long");
  }
  snprintf(url->authority, sizeof url->authority, "%.*s", (int)authority_length, authority);
  snprintf(url->path, sizeof url->path, "%s",
           *path == '\0' || strcmp(path, "/") == 0 ? default_path : path);
  return parse_authority(url, reason);
}
