/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "reason.h"
#include "tracer.h"

/* The sampled process: COMMAND as our child, or an existing process. */
struct target {
  pid_t pid;
  bool is_child;
  int pidfd; /* readable once the process has ended, even if its id is reused */
};

bool target_start(struct target *target, char **command, struct reason *reason);
bool target_open(struct target *target, pid_t pid, struct reason *reason);

bool target_ended(const struct target *target);

/* Ends COMMAND with SIGTERM, and with SIGKILL after 20 seconds. Leaves any other process alone. */
void target_stop(const struct target *target, struct tracer *tracer);

/* Returns COMMAND's exit status as a shell reports it, or 0 if the process is not our child. */
int target_exit_status(const struct target *target);

#endif
