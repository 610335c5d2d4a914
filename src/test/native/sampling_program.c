/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loads a BPF program of the type that eBPF profilers run at perf events, prints a line, and waits. Exits
 * with status 1 if the kernel refuses. The program does nothing, and is attached to nothing.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  struct bpf_insn code[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT},
  };
  union bpf_attr attributes = {
      .prog_type = BPF_PROG_TYPE_PERF_EVENT,
      .insns = (uintptr_t)code,
      .insn_cnt = 2,
      .license = (uintptr_t)"Apache-2.0",
  };
  if (syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes) < 0) {
    perror("bpf");
    return 1;
  }
  puts("loaded");
  fflush(stdout);
  pause();
  return 0;
}
