/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "jvm_attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "proc_files.h"
#include "waiting.h"

#define LISTEN_TIMEOUT_NS (10 * NS_PER_SECOND)
#define DUMP_TIMEOUT_NS (5 * NS_PER_SECOND)
#define LOOK_AGAIN_MS 10

/* The protocol version, the command and three empty arguments; each ends with a NUL. */
static const char REQUEST[] = "1\0threaddump\0\0\0";

/* SIGQUIT kills a process that does not catch it. */
static bool check_is_jvm(pid_t pid, uid_t *effective_uid, struct reason *reason) {
  char path[64], status[4096], value[256];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  if (!read_proc_file(path, status, sizeof status)) {
    return because(reason, "process %d is gone", pid);
  }
  const char *caught = status_value(status, "SigCgt", value, sizeof value);
  if (caught == NULL || !(strtoull(caught, NULL, 16) >> (SIGQUIT - 1) & 1)) {
    return because(reason,
                   "process %d does not catch SIGQUIT: it is not a JVM, or runs with -Xrs; "
                   "use --no-stacks",
                   pid);
  }
  unsigned real = 0, effective = 0;
  if (status_value(status, "Uid", value, sizeof value) != NULL) {
    sscanf(value, "%u %u", &real, &effective);
  }
  *effective_uid = effective;
  return true;
}

static int connect_to(const char *path) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) {
    return -1;
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    int connect_error = errno;
    close(fd);
    errno = connect_error;
    return -1;
  }
  return fd;
}

/* Creates the file that makes a JVM listen at SIGQUIT instead of printing its stacks. */
static bool create_request_file(pid_t pid, pid_t jvm_pid, uid_t owner, char *path, size_t size,
                                struct reason *reason) {
  static const char *const folders[] = {"cwd", "root/tmp"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    snprintf(path, size, "/proc/%d/%s/.attach_pid%d", pid, folders[i], jvm_pid);
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0660);
    if (fd >= 0) {
      /* Older JVMs accept only files of their user, which we are unless we are root. */
      bool owned = owner == geteuid() || fchown(fd, owner, (gid_t)-1) == 0;
      close(fd);
      if (owned) {
        return true;
      }
      unlink(path);
    }
  }
  return because(reason, "cannot create %s: %s", path, strerror(errno));
}

/* Makes the JVM listen, and returns the connected socket, or -1 with the reason. */
static int wake_up(pid_t pid, pid_t jvm_pid, const char *socket_path, struct tracer *tracer,
                   struct reason *reason) {
  uid_t owner;
  char request_path[64];
  if (!check_is_jvm(pid, &owner, reason) ||
      !create_request_file(pid, jvm_pid, owner, request_path, sizeof request_path, reason)) {
    return -1;
  }
  int fd = -1;
  uint64_t deadline = now_ns() + LISTEN_TIMEOUT_NS;
  bool going_on = kill(pid, SIGQUIT) == 0;
  while (fd < 0 && going_on && now_ns() < deadline) {
    going_on = wait_until(now_ns() + LOOK_AGAIN_MS * NS_PER_MS);
    tracer_release_late(tracer);
    fd = connect_to(socket_path);
  }
  unlink(request_path);
  if (fd < 0) {
    because(reason,
            "the JVM did not open its attach socket %s (-XX:+DisableAttachMechanism?); use "
            "--no-stacks",
            socket_path);
  }
  return fd;
}

static bool receive_all(int fd, struct tracer *tracer, FILE *dump, struct reason *reason) {
  static char part[64 * 1024];
  uint64_t deadline = now_ns() + DUMP_TIMEOUT_NS;
  while (now_ns() < deadline) {
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    if (poll(&readable, 1, LOOK_AGAIN_MS) <= 0) {
      tracer_release_late(tracer);
      continue;
    }
    ssize_t n = recv(fd, part, sizeof part, 0);
    if (n < 0) {
      return because(reason, "cannot read the thread dump: %s", strerror(errno));
    }
    if (n == 0) {
      return true;
    }
    fwrite(part, 1, (size_t)n, dump);
  }
  return because(reason, "the JVM did not finish its thread dump within five seconds");
}

static bool request_dump(int fd, struct tracer *tracer, struct thread_dump *dump,
                         struct reason *reason) {
  if (send(fd, REQUEST, sizeof REQUEST, MSG_NOSIGNAL) != (ssize_t)sizeof REQUEST) {
    return because(reason, "cannot ask for a thread dump: %s", strerror(errno));
  }
  free(dump->text);
  *dump = (struct thread_dump){0};
  FILE *text = open_memstream(&dump->text, &dump->length);
  bool received = text != NULL && receive_all(fd, tracer, text, reason);
  if (text == NULL || fclose(text) != 0) {
    return because(reason, "no memory for a thread dump");
  }
  if (!received) {
    return false;
  }
  /* The first line of the answer is the result, 0 for success. */
  return (dump->length >= 2 && strncmp(dump->text, "0\n", 2) == 0) ||
         because(reason, "the JVM refused the thread dump: %.80s",
                 dump->length > 0 ? dump->text : "no answer");
}

enum dump_result jvm_thread_dump(pid_t pid, struct tracer *tracer, struct thread_dump *dump,
                                 struct reason *reason) {
  char socket_path[64];
  pid_t jvm_pid = inner_pid(pid, pid);
  snprintf(socket_path, sizeof socket_path, "/proc/%d/root/tmp/.java_pid%d", pid, jvm_pid);
  int fd = connect_to(socket_path);
  if (fd < 0) {
    /* Missing, or left behind by a dead process: this JVM has not been asked to listen yet. */
    if (errno != ENOENT && errno != ECONNREFUSED) {
      because(reason, "cannot connect to %s: %s", socket_path, strerror(errno));
      return DUMP_FAILED;
    }
    fd = wake_up(pid, jvm_pid, socket_path, tracer, reason);
    if (fd < 0) {
      return DUMP_IMPOSSIBLE;
    }
  }
  bool done = request_dump(fd, tracer, dump, reason);
  close(fd);
  return done ? DUMP_DONE : DUMP_FAILED;
}
