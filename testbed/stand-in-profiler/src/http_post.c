/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "http_post.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "waiting.h"

#define HEAD_SIZE (HTTP_PATH_SIZE + HTTP_AUTHORITY_SIZE + 256)

/* Waits until the socket is ready; returns false with errno after the deadline. */
static bool wait_for(int fd, short events, uint64_t deadline_ns) {
  struct pollfd socket = {.fd = fd, .events = events};
  int ready;
  do {
    uint64_t now = now_ns();
    uint64_t left_ms = now < deadline_ns ? (deadline_ns - now) / NS_PER_MS + 1 : 0;
    ready = poll(&socket, 1, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    errno = ETIMEDOUT;
  }
  return ready > 0;
}

static int connect_to(const struct addrinfo *address, uint64_t deadline_ns) {
  int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) {
    return -1;
  }
  int failure = 0;
  socklen_t size = sizeof failure;
  if (connect(fd, address->ai_addr, address->ai_addrlen) != 0 &&
      (errno != EINPROGRESS || !wait_for(fd, POLLOUT, deadline_ns))) {
    failure = errno;
  } else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size) != 0) {
    failure = errno;
  }
  if (failure != 0) {
    close(fd);
    errno = failure;
    return -1;
  }
  return fd;
}

/* Tries the addresses of the host in order. */
static int open_connection(const struct http_url *url, uint64_t deadline_ns,
                           struct reason *reason) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *addresses;
  int error = getaddrinfo(url->host, url->port, &hints, &addresses);
  if (error != 0) {
    because(reason, "cannot look up %s: %s", url->host,
            error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    return -1;
  }
  int fd = -1;
  for (const struct addrinfo *at = addresses; at != NULL && fd < 0; at = at->ai_next) {
    fd = connect_to(at, deadline_ns);
  }
  if (fd < 0) {
    because(reason, "cannot connect: %s", strerror(errno));
  }
  freeaddrinfo(addresses);
  return fd;
}

/* The answer may arrive before all bytes are sent, so it is read even if sending fails. */
static bool send_all(int fd, const void *bytes, size_t size, uint64_t deadline_ns) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
    if (sent > 0) {
      at += sent;
      size -= (size_t)sent;
    } else if ((errno != EAGAIN && errno != EINTR) || !wait_for(fd, POLLOUT, deadline_ns)) {
      return false;
    }
  }
  return true;
}

static bool send_request(int fd, const struct http_url *url, const struct http_body *body,
                         uint64_t deadline_ns) {
  char head[HEAD_SIZE];
  int size = snprintf(head, sizeof head,
                      "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: stand-in-profiler\r\n"
                      "%sContent-Length: %zu\r\nConnection: close\r\n\r\n",
                      url->path, url->authority, body->headers, body->size);
  return send_all(fd, head, (size_t)size, deadline_ns) &&
         send_all(fd, body->bytes, body->size, deadline_ns);
}

static bool receive(int fd, uint64_t deadline_ns, struct http_response *response,
                    struct reason *reason) {
  size_t size = 0;
  bool ended = false;
  const char *why = "the connection was closed";
  enum http_answer_state state;
  do {
    ssize_t n = recv(fd, response->bytes + size, sizeof response->bytes - size, 0);
    if (n > 0) {
      size += (size_t)n;
      ended = size == sizeof response->bytes; /* the rest of a longer answer is not needed */
    } else if (n == 0) {
      ended = true;
    } else if ((errno != EAGAIN && errno != EINTR) || !wait_for(fd, POLLIN, deadline_ns)) {
      ended = true;
      why = strerror(errno);
    }
    state = http_answer_parse(response->bytes, size, ended, &response->answer);
  } while (state == HTTP_ANSWER_INCOMPLETE && !ended);
  if (response->answer.status != 0) {
    return true;
  }
  return size == 0 ? because(reason, "no answer: %s", why)
                   : because(reason, "the answer is not HTTP/1.1, or ends within its headers");
}

bool http_post(const struct http_url *url, const struct http_body *body, uint64_t deadline_ns,
               struct http_response *response, struct reason *reason) {
  int fd = open_connection(url, deadline_ns, reason);
  if (fd < 0) {
    return false;
  }
  bool sent = send_request(fd, url, body, deadline_ns);
  int send_error = errno;
  bool answered = receive(fd, sent ? deadline_ns : now_ns(), response, reason);
  close(fd);
  if (!sent && !answered) {
    return because(reason, "cannot send %zu bytes: %s", body->size, strerror(send_error));
  }
  return answered;
}
