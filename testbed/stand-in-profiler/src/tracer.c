/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "tracer.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "waiting.h"

#define STOP_TIMEOUT_NS (500 * NS_PER_MS)

/* A thread on another processor stops within microseconds, so sleeping would take longer. */
#define ATTEMPTS_BEFORE_SLEEP 32

#define PTRACE_EVENT_OF(status) ((status) >> 16)

enum wait_result { WAIT_STOPPED, WAIT_ENDED, WAIT_NOT_YET };

static enum wait_result look(const struct tracer *tracer, pid_t tid, int *status) {
  pid_t changed;
  if (tid == tracer->child) {
    /* Leaves the event in place: the code that waits for COMMAND needs the exit status. */
    siginfo_t event = {0};
    if (waitid(P_PID, (id_t)tid, &event, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) != 0) {
      return WAIT_ENDED;
    }
    if (event.si_pid == 0) {
      return WAIT_NOT_YET;
    }
    if (event.si_code != CLD_TRAPPED && event.si_code != CLD_STOPPED) {
      return WAIT_ENDED;
    }
  }
  changed = waitpid(tid, status, __WALL | WNOHANG);
  if (changed == 0) {
    return WAIT_NOT_YET;
  }
  return changed == tid && WIFSTOPPED(*status) ? WAIT_STOPPED : WAIT_ENDED;
}

/* Returns false if the thread was killed meanwhile; it stays traced until we wait for it. */
static bool detach(pid_t tid, int signal) {
  return ptrace(PTRACE_DETACH, tid, 0, (long)signal) == 0;
}

/*
 * If a signal arrives first, the thread stops to report the signal, not because of our request.
 * That stop serves as well, but the signal must be passed on at the release. After a stop by
 * PTRACE_INTERRUPT or of the whole process (SIGSTOP), there is no signal to pass on.
 */
static int signal_to_pass_on(int status) {
  return PTRACE_EVENT_OF(status) == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
}

static bool is_late(const struct tracer *tracer, pid_t tid) {
  for (size_t i = 0; i < tracer->late_count; i++) {
    if (tracer->late[i] == tid) {
      return true;
    }
  }
  return false;
}

bool tracer_stop(struct tracer *tracer, pid_t tid, struct stopped_thread *stopped) {
  if (is_late(tracer, tid) || tracer->late_count == LATE_THREADS_LIMIT) {
    return false;
  }
  if (ptrace(PTRACE_SEIZE, tid, 0, 0) != 0) {
    return false;
  }
  /* This fails only if the thread is ending, which the wait below detects. */
  ptrace(PTRACE_INTERRUPT, tid, 0, 0);

  uint64_t deadline = now_ns() + STOP_TIMEOUT_NS;
  int status = 0;
  enum wait_result result;
  for (int attempt = 0; (result = look(tracer, tid, &status)) == WAIT_NOT_YET; attempt++) {
    if (attempt < ATTEMPTS_BEFORE_SLEEP) {
      continue;
    }
    if (now_ns() >= deadline) {
      tracer->late[tracer->late_count++] = tid;
      return false;
    }
    wait_for_child_news(deadline);
  }
  *stopped = (struct stopped_thread){
      .tid = tid, .pending_signal = signal_to_pass_on(status), .since_ns = now_ns()};
  return result == WAIT_STOPPED;
}

bool tracer_registers(const struct stopped_thread *stopped, struct thread_registers *registers) {
#if defined(__x86_64__)
  struct user_regs_struct all;
  struct iovec space = {.iov_base = &all, .iov_len = sizeof all};
  if (ptrace(PTRACE_GETREGSET, stopped->tid, NT_PRSTATUS, &space) != 0) {
    return false;
  }
  registers->thread_pointer = all.fs_base;
  registers->program_counter = all.rip;
  return true;
#elif defined(__aarch64__)
  struct user_regs_struct all;
  struct iovec space = {.iov_base = &all, .iov_len = sizeof all};
  if (ptrace(PTRACE_GETREGSET, stopped->tid, NT_PRSTATUS, &space) != 0) {
    return false;
  }
  registers->program_counter = all.pc;
  struct iovec tls = {.iov_base = &registers->thread_pointer, .iov_len = sizeof(uint64_t)};
  return ptrace(PTRACE_GETREGSET, stopped->tid, NT_ARM_TLS, &tls) == 0;
#else
#error "the registers are defined only for x86-64 and arm64"
#endif
}

void tracer_release(struct tracer *tracer, const struct stopped_thread *stopped) {
  if (!detach(stopped->tid, stopped->pending_signal)) {
    tracer->late[tracer->late_count++] = stopped->tid;
  }
  uint64_t pause = now_ns() - stopped->since_ns;
  tracer->pauses++;
  tracer->pause_ns_sum += pause;
  if (pause > tracer->pause_ns_max) {
    tracer->pause_ns_max = pause;
  }
}

void tracer_release_late(struct tracer *tracer) {
  size_t kept = 0;
  for (size_t i = 0; i < tracer->late_count; i++) {
    int status = 0;
    enum wait_result result = look(tracer, tracer->late[i], &status);
    bool remains = result == WAIT_NOT_YET;
    if (result == WAIT_STOPPED) {
      remains = !detach(tracer->late[i], signal_to_pass_on(status));
    }
    if (remains) {
      tracer->late[kept++] = tracer->late[i];
    }
  }
  tracer->late_count = kept;
}
