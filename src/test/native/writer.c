/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * A minimal other writer of "Universal profiling integration". With -DLIBRARY, this is its library;
 * otherwise it is a program that loads one. Arguments: LIBRARY [SOCKET]. A library without serve()
 * is only loaded. With the word map instead of the socket, the library is only mapped. Each further
 * -D breaks one rule of the protocol.
 */

#ifndef LIBRARY

static void wait_for_the_end(void) {
  puts("ready");
  fflush(stdout);
  for (;;) {
    pause();
  }
}

/* Maps the library as code without relocating it. */
static void map(const char *path) {
  int file = open(path, O_RDONLY);
  off_t length = lseek(file, 0, SEEK_END);
  if (mmap(NULL, (size_t)length, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED) {
    perror(path);
    exit(1);
  }
}

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[2], "map") == 0) {
    map(arguments[1]);
    wait_for_the_end();
  }
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void (*serve)(const char *, void (*)(void)) =
      (void (*)(const char *, void (*)(void)))dlsym(library, "serve");
  if (serve != NULL && count > 2) {
    serve(arguments[2], wait_for_the_end);
  }
  wait_for_the_end();
}

#else

typedef struct __attribute__((packed)) {
  uint16_t layout_minor_version;
  uint8_t valid;
  uint8_t trace_present;
  uint8_t trace_flags;
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t transaction_id[8];
} record;

#ifdef HIDDEN_SYMBOL
__attribute__((visibility("hidden")))
#endif
void *elastic_apm_profiling_correlation_process_storage_v1;
_Thread_local void *elastic_apm_profiling_correlation_tls_v1;

/* Below all addresses that a process may map. */
enum { NOWHERE = 0x1000 };

static _Thread_local record own;
static pthread_barrier_t shown;

static void show(int number) {
  record *shows = &own;
  shows->layout_minor_version = 1;
  shows->trace_present = 1;
  shows->trace_flags = 1;
  memset(shows->trace_id, 0x11, sizeof(shows->trace_id));
  memset(shows->span_id, 0x20 + number, sizeof(shows->span_id));
  memset(shows->transaction_id, 0x30, sizeof(shows->transaction_id));
#ifdef ZERO_TRACE
  memset(shows->trace_id, 0, sizeof(shows->trace_id));
#endif
#ifdef TWO_ROOTS
  memset(shows->span_id, 0x20, sizeof(shows->span_id));
  memset(shows->transaction_id, 0x30 + number, sizeof(shows->transaction_id));
#endif
  shows->valid = 1;
  elastic_apm_profiling_correlation_tls_v1 = shows;
#ifdef LOST_RECORD
  elastic_apm_profiling_correlation_tls_v1 = (void *)NOWHERE;
#endif
}

static void *worker(void *unused) {
  show(2);
  pthread_barrier_wait(&shown);
  for (;;) {
    pause();
  }
  return unused;
}

static char storage[8192];
static size_t used;

static void append(const void *bytes, size_t length) {
  memcpy(storage + used, bytes, length);
  used += length;
}

static void append_string(const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  append(&length, sizeof(length));
  append(text, length);
}

static void publish(const char *path) {
  uint16_t version = 1;
#ifdef VERSION_0
  version = 0;
#endif
#ifdef RELATIVE_PATH
  path = strrchr(path, '/') + 1;
#endif
  append(&version, sizeof(version));
#if defined(LONG_NAME)
  char name[130] = "";
  memset(name, 'n', 129);
  append_string(name);
#elif defined(BAD_UTF8)
  append_string("sh\xc3(op");
#else
  append_string("other");
#endif
  append_string("test");
  append_string(path);
#ifdef FALSE_LENGTH
  memset(storage + 2, 0x7f, 4);
#endif
#if defined(LOST_STORAGE)
  elastic_apm_profiling_correlation_process_storage_v1 = (void *)NOWHERE;
#elif !defined(NULL_STORAGE)
  elastic_apm_profiling_correlation_process_storage_v1 = storage;
#endif
}

static int open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
#ifdef STREAM
  int opened = socket(AF_UNIX, SOCK_STREAM, 0);
#else
  int opened = socket(AF_UNIX, SOCK_DGRAM, 0);
#endif
#ifndef UNBOUND
  if (bind(opened, (struct sockaddr *)&address, sizeof(address)) != 0) {
    perror(path);
    exit(1);
  }
#endif
#ifdef STREAM
  listen(opened, 1);
#endif
  return opened;
}

static void handle(const uint8_t *message, ssize_t length) {
  uint16_t type = 0, known = 0;
  if (length >= 4) {
    memcpy(&type, message, sizeof(type));
    known = type == 1 || type == 2;
  }
#ifdef CRASH_TRUNCATED
  if (type == 1 && length < 46) {
    raise(SIGKILL); /* does not leave a core file */
  }
#endif
#ifdef CRASH_UNKNOWN
  if (length >= 4 && !known) {
    raise(SIGKILL); /* does not leave a core file */
  }
#endif
  (void)known;
}

static void *receive(void *socket) {
  uint8_t message[512];
  for (;;) {
    ssize_t length = recv((int)(intptr_t)socket, message, sizeof(message), 0);
    if (length < 0) {
      pause();
    }
    handle(message, length);
  }
  return NULL;
}

__attribute__((visibility("default"))) void serve(const char *path, void (*wait)(void)) {
  pthread_t thread;
  intptr_t opened = open_socket(path);
  pthread_barrier_init(&shown, NULL, 2);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_barrier_wait(&shown);
  show(1);
  publish(path);
#if !defined(FULL_QUEUE) && !defined(UNBOUND) && !defined(STREAM)
  pthread_create(&thread, NULL, receive, (void *)opened);
#endif
  (void)opened, (void)receive;
#ifdef LEADER_ENDS
  puts("ready");
  fflush(stdout);
  pthread_exit(NULL); /* as launchers do that start their application in another thread */
#endif
  wait();
}

#endif
