/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "waiting.h"

#define TERM_TIMEOUT_NS (20 * NS_PER_SECOND)
#define KILL_TIMEOUT_NS (5 * NS_PER_SECOND)
#define LOOK_AGAIN_MS 20

static _Noreturn void become(char **command, int error_pipe) {
  /* COMMAND must not outlive the stand-in, even if the stand-in is killed. */
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigprocmask(SIG_SETMASK, waiting_original_mask(), NULL);
  execvp(command[0], command);
  int exec_error = errno;
  if (write(error_pipe, &exec_error, sizeof exec_error) < 0) {
    _exit(126);
  }
  _exit(127);
}

bool target_start(struct target *target, char **command, struct reason *reason) {
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) {
    return because(reason, "cannot create a pipe: %s", strerror(errno));
  }
  pid_t pid = fork();
  if (pid == 0) {
    become(command, error_pipe[1]);
  }
  close(error_pipe[1]);
  int start_error = pid < 0 ? errno : 0;
  /* A successful exec closes the other end, so an empty read means success. */
  if (pid > 0 && read(error_pipe[0], &start_error, sizeof start_error) > 0) {
    waitpid(pid, NULL, 0);
  }
  close(error_pipe[0]);
  if (start_error != 0) {
    return because(reason, "cannot start %s: %s", command[0], strerror(start_error));
  }
  target->is_child = true;
  return target_open(target, pid, reason);
}

bool target_open(struct target *target, pid_t pid, struct reason *reason) {
  target->pid = pid;
  target->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  if (target->pidfd >= 0) {
    return true;
  }
  switch (errno) {
    case ESRCH: return because(reason, "there is no process %d", pid);
    case EINVAL: return because(reason, "%d is the id of a thread, not of a process", pid);
    default: return because(reason, "cannot watch process %d: %s", pid, strerror(errno));
  }
}

static bool ended_within(const struct target *target, int timeout_ms) {
  struct pollfd ended = {.fd = target->pidfd, .events = POLLIN};
  return poll(&ended, 1, timeout_ms) > 0;
}

bool target_ended(const struct target *target) { return ended_within(target, 0); }

static bool wait_for_end(const struct target *target, struct tracer *tracer, uint64_t timeout_ns) {
  uint64_t deadline = now_ns() + timeout_ns;
  while (!ended_within(target, LOOK_AGAIN_MS)) {
    if (now_ns() >= deadline) {
      return false;
    }
    /* A process does not end while one of its threads is traced and has not been waited for. */
    tracer_release_late(tracer);
  }
  return true;
}

void target_stop(const struct target *target, struct tracer *tracer) {
  if (!target->is_child || target_ended(target)) {
    return;
  }
  kill(target->pid, SIGTERM);
  if (!wait_for_end(target, tracer, TERM_TIMEOUT_NS)) {
    say("process %d did not end within 20 seconds of SIGTERM, killing it", target->pid);
    kill(target->pid, SIGKILL);
    wait_for_end(target, tracer, KILL_TIMEOUT_NS);
  }
}

int target_exit_status(const struct target *target) {
  int status = 0;
  if (!target->is_child || waitpid(target->pid, &status, WNOHANG) != target->pid) {
    return 0;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
