/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A process that makes it hard for a profiler: its threads rewrite their records without pause,
 * come and go, and raise signals. Receives messages until SIGTERM, then writes its counters to a
 * file.
 *
 *   fixture LIBRARY SOCKET RESULT [SERVICE_NAME [PUBLISH_AFTER_MS [EXPECTED [lie]]]]
 *
 * EXPECTED is a file for the option --expected. fixture_context.h describes how the threads can
 * also show their spans in OpenTelemetry thread contexts.
 */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fixture_context.h"
#include "fixture_expected.h"
#include "fixture_loading.h"
#include "fixture_threads.h"
#include "related_ids.h"

#define NEVER_PUBLISH (-1)

static atomic_bool ending;
static long registrations, correlations, malformed;

static void fail(const char *what) {
  perror(what);
  exit(EXIT_FAILURE);
}

static void receive_all(int fd) {
  uint8_t message[2048];
  ssize_t length;
  while ((length = recv(fd, message, sizeof message, MSG_DONTWAIT)) >= 0) {
    uint16_t type = 0;
    memcpy(&type, message, sizeof type);
    struct related_ids ids;
    memcpy(&ids.trace_id, message + 4, 16);
    memcpy(&ids.transaction_id, message + 20, 8);
    ids.span_id = related_ids(ids.trace_id[0]).span_id;
    if (type == 1 && length == 46 && are_related(&ids)) {
      correlations++;
    } else if (type == 2 && length == 12 + 7 && memcmp(message + 12, "host-42", 7) == 0) {
      registrations++;
    } else {
      malformed++;
    }
  }
}

static void *receive_until_end(void *socket) {
  struct pollfd readable = {.fd = (int)(intptr_t)socket, .events = POLLIN};
  while (!ending) {
    poll(&readable, 1, 10);
    receive_all(readable.fd);
  }
  receive_all(readable.fd);
  return NULL;
}

static int bind_socket(const char *path) {
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  unlink(path);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    fail("bind");
  }
  return fd;
}

static uint8_t *put_string(uint8_t *at, const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  memcpy(at, &length, sizeof length);
  memcpy(at + sizeof length, text, length);
  return at + sizeof length + length;
}

static void publish_storage(void *library, const char *service_name, const char *socket_path) {
  static uint8_t storage[4096];
  uint16_t minor_version = 1;
  memcpy(storage, &minor_version, sizeof minor_version);
  uint8_t *at = put_string(storage + sizeof minor_version, service_name);
  at = put_string(at, "check \"environment\"");
  put_string(at, socket_path);
  void (*publish_process)(void *);
  *(void **)&publish_process = dlsym(library, "fixture_publish_process");
  publish_process(storage);
}

static void *load_library(const char *path) {
  fixture_loading(path);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(EXIT_FAILURE);
  }
  return library;
}

static void write_result(const char *path) {
  FILE *result = fopen(path, "w");
  if (result == NULL) {
    fail(path);
  }
  fprintf(result, "registrations=%ld\ncorrelations=%ld\nmalformed=%ld\n", registrations,
          correlations, malformed);
  fprintf(result, "threads_started=%ld\n", fixture_counts.threads_started);
  fprintf(result, "faults_raised=%ld\nfaults_handled=%ld\n", fixture_counts.faults_raised,
          fixture_counts.faults_handled);
  fprintf(result, "signals_raised=%ld\nsignals_handled=%ld\n", fixture_counts.signals_raised,
          fixture_counts.signals_handled);
  fclose(result);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr,
            "usage: %s LIBRARY SOCKET RESULT [SERVICE_NAME [PUBLISH_AFTER_MS [EXPECTED [lie]]]]\n",
            argv[0]);
    return 2;
  }
  const char *service_name = argc > 4 ? argv[4] : "check-service";
  long publish_after_ms = argc > 5 ? atol(argv[5]) : 0;
  if (argc > 6 && !fixture_expected_create(argv[6])) {
    fail(argv[6]);
  }
  bool one_lies = argc > 7 && strcmp(argv[7], "lie") == 0;

  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, NULL);
  int socket = bind_socket(argv[2]);
  void *library = load_library(argv[1]);
  void (*publish_thread)(void *);
  *(void **)&publish_thread = dlsym(library, "fixture_publish_thread");
  fixture_context_start();
  fixture_threads_start(publish_thread, one_lies);
  pthread_t receiver;
  pthread_create(&receiver, NULL, receive_until_end, (void *)(intptr_t)socket);
  if (publish_after_ms != NEVER_PUBLISH) {
    usleep((useconds_t)publish_after_ms * 1000);
    publish_storage(library, service_name, argv[2]);
  }

  int signal;
  sigwait(&term, &signal);
  fixture_threads_end();
  ending = true;
  pthread_join(receiver, NULL);
  write_result(argv[3]);
  unlink(argv[2]);
  return EXIT_SUCCESS;
}
