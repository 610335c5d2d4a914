/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "for x86-64 and arm64"
#endif

#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define UNLESS_EQUAL_SKIP(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)

/*
 * Runs a command and pretends to it that raising RLIMIT_MEMLOCK succeeds. The profiler exits if it
 * cannot raise the limit, although BPF has not needed that since Linux 5.11.
 */
int main(int argc, char **argv) {
  struct sock_filter instructions[] = {
      LOAD(arch),
      UNLESS_EQUAL_SKIP(ARCHITECTURE, 5),
      LOAD(nr),
      UNLESS_EQUAL_SKIP(__NR_prlimit64, 3),
      LOAD(args[1]),
      UNLESS_EQUAL_SKIP(RLIMIT_MEMLOCK, 1),
      ANSWER(SECCOMP_RET_ERRNO | 0), /* reports success without raising the limit */
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {
      .len = sizeof instructions / sizeof *instructions,
      .filter = instructions,
  };
  if (argc < 2) {
    fprintf(stderr, "usage: %s COMMAND [ARGUMENT]...\n", argv[0]);
    return 2;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    fprintf(stderr, "%s: cannot install the seccomp filter: %s\n", argv[0], strerror(errno));
    return 1;
  }
  execvp(argv[1], argv + 1);
  fprintf(stderr, "%s: cannot run %s: %s\n", argv[0], argv[1], strerror(errno));
  return 1;
}
