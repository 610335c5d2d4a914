/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "exporter.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "waiting.h"

#define MAIN_CLASS "io.flamespan.testbed.exporter.ProfilesExporter"

/* Longer than the program needs for its last requests. */
#define CLOSE_NS (15 * NS_PER_SECOND)
#define START_MS 60000 /* for a JVM on a busy machine */
#define LOOK_AGAIN_MS 20
#define MAX_WAITING ((size_t)8 << 20)

/*
 * Its jars are in a folder beside our executable. The standard output is for messages of the JVM,
 * so the program answers on its standard input.
 */
static _Noreturn void become_exporter(int socket, const char *url, double interval) {
  char java[PATH_MAX] = "java", jars[PATH_MAX + 16] = "", seconds[32];
  const char *home = getenv("JAVA_HOME");
  if (home != NULL && *home != '\0') {
    snprintf(java, sizeof java, "%s/bin/java", home);
  }
  if (readlink("/proc/self/exe", jars, PATH_MAX - 1) > 0) {
    strcpy(strrchr(jars, '/'), "/exporter/*");
  }
  snprintf(seconds, sizeof seconds, "%.9f", interval);
  /* These are for COMMAND. */
  unsetenv("JAVA_TOOL_OPTIONS");
  unsetenv("JDK_JAVA_OPTIONS");
  /* Ctrl-C is for us alone. */
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, waiting_original_mask(), NULL);
  dup2(socket, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  execlp(java, java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", jars,
         MAIN_CLASS, url, seconds, (char *)NULL);
  say("cannot start %s: %s", java, strerror(errno));
  _exit(EXIT_FAILURE);
}

bool exporter_start(struct exporter *exporter, const char *url, double interval,
                    struct reason *reason) {
  char ready;
  int sockets[2], status = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return because(reason, "cannot create a socket: %s", strerror(errno));
  }
  pid_t pid = fork();
  if (pid == 0) {
    become_exporter(sockets[1], url, interval);
  }
  close(sockets[1]);
  struct pollfd answer = {.fd = sockets[0], .events = POLLIN};
  if (pid > 0 && poll(&answer, 1, START_MS) == 1 && recv(sockets[0], &ready, 1, 0) == 1) {
    exporter->pid = pid;
    exporter->socket = sockets[0];
    return true;
  }
  close(sockets[0]);
  if (pid > 0 && answer.revents == 0) {
    kill(pid, SIGKILL);
  }
  if (pid > 0 && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == EXIT_USAGE) {
    exit(EXIT_USAGE);
  }
  return because(reason, "the exporter of OTLP profiles did not start: has \"make exporter\" built "
                         "it, and is java in $JAVA_HOME/bin or on the path?");
}

/* Returns whether all lines are sent. */
static bool flush(struct exporter *exporter) {
  while (exporter->sent < exporter->size) {
    ssize_t n = send(exporter->socket, exporter->waiting + exporter->sent,
                     exporter->size - exporter->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n <= 0) {
      return false;
    }
    exporter->sent += (size_t)n;
  }
  exporter->size = exporter->sent = 0;
  return true;
}

FILE *exporter_begin_line(struct exporter *exporter) {
  flush(exporter);
  bool has_room = exporter->size - exporter->sent < MAX_WAITING;
  exporter->stream = has_room ? open_memstream(&exporter->line, &exporter->line_size) : NULL;
  exporter->dropped += exporter->stream == NULL;
  return exporter->stream;
}

/* Appends the line to those that wait. Returns false if there is no memory. */
static bool append(struct exporter *exporter) {
  if (exporter->sent > MAX_WAITING) {
    exporter->size -= exporter->sent;
    memmove(exporter->waiting, exporter->waiting + exporter->sent, exporter->size);
    exporter->sent = 0;
  }
  char *larger = realloc(exporter->waiting, exporter->size + exporter->line_size);
  if (larger == NULL) {
    return false;
  }
  memcpy(larger + exporter->size, exporter->line, exporter->line_size);
  exporter->waiting = larger;
  exporter->size += exporter->line_size;
  return true;
}

void exporter_end_line(struct exporter *exporter) {
  putc('\n', exporter->stream);
  fclose(exporter->stream);
  exporter->dropped += !append(exporter);
  free(exporter->line);
  flush(exporter);
}

/* Waits until the socket can be written to or has data, for a short time. */
static void wait_for(struct exporter *exporter, short events, struct tracer *tracer) {
  struct pollfd ready = {.fd = exporter->socket, .events = events};
  poll(&ready, 1, LOOK_AGAIN_MS);
  tracer_release_late(tracer);
}

static void drain(struct exporter *exporter, uint64_t deadline_ns, struct tracer *tracer) {
  while (!flush(exporter) && errno == EAGAIN && now_ns() < deadline_ns) {
    wait_for(exporter, POLLOUT, tracer);
  }
}

/* Reads its counters. Returns whether the program has ended. */
static bool read_summary(struct exporter *exporter, uint64_t deadline_ns, struct tracer *tracer) {
  size_t size = 0;
  while (now_ns() < deadline_ns) {
    wait_for(exporter, POLLIN, tracer);
    ssize_t n = recv(exporter->socket, exporter->summary + size,
                     sizeof exporter->summary - 1 - size, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN)) {
      return true;
    }
    size += n < 0 ? 0 : (size_t)n;
  }
  return false;
}

void exporter_close(struct exporter *exporter, uint64_t moved_on, struct tracer *tracer) {
  if (exporter->pid == 0) {
    return;
  }
  uint64_t deadline = now_ns() + CLOSE_NS;
  drain(exporter, deadline, tracer); /* so that there is room for the last line */
  FILE *line = exporter_begin_line(exporter);
  if (line != NULL) {
    fprintf(line, "{\"end\":{\"dropped\":%" PRIu64 ",\"movedOn\":%" PRIu64 "}}",
            exporter->dropped, moved_on);
    exporter_end_line(exporter);
  }
  drain(exporter, deadline, tracer);
  shutdown(exporter->socket, SHUT_WR);
  if (!read_summary(exporter, deadline, tracer)) {
    kill(exporter->pid, SIGKILL);
  }
  int status = 0;
  if (waitpid(exporter->pid, &status, 0) != exporter->pid || status != 0) {
    say("the exporter of OTLP profiles has failed, or did not end in time");
  }
  close(exporter->socket);
  free(exporter->waiting);
}
