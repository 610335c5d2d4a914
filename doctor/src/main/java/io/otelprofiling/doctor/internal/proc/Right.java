/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.util.ArrayList;
import java.util.List;

/** The capabilities that are required to look at a process of another user. */
public enum Right {
  TRACE("CAP_SYS_PTRACE", 19),
  READ_FILES("CAP_DAC_READ_SEARCH", 2),
  WRITE_FILES("CAP_DAC_OVERRIDE", 1),
  OPEN_DELETED_FILES("CAP_CHECKPOINT_RESTORE", 40),
  ENTER_NAMESPACES("CAP_SYS_ADMIN", 21);

  private static final TargetProcess SELF = new TargetProcess(TargetProcess.self());

  private final String capability;
  private final int bit;

  Right(String capability, int bit) {
    this.capability = capability;
    this.bit = bit;
  }

  /** Returns whether the doctor has this capability. If so, a refusal has another cause. */
  private boolean isHeld() {
    return SELF.hasCapability(bit)
        || (this == READ_FILES && WRITE_FILES.isHeld())
        || (this == OPEN_DELETED_FILES && ENTER_NAMESPACES.isHeld());
  }

  /** Returns the remedy after the kernel has refused access that needs these rights. */
  public static String remedy(TargetProcess process, Right... needed) {
    List<String> missing = new ArrayList<>();
    for (Right right : needed) {
      if (!right.isHeld()) {
        missing.add(right.capability);
      }
    }
    String names = String.join(" and ", missing);
    if (missing.isEmpty()) {
      return "Run the doctor on the host: its capabilities are enough, but the process is in"
          + " another user namespace, or a security module or kernel.yama.ptrace_scope 3 forbids"
          + " access.";
    }
    if (SELF.user() == 0) {
      return "Run the doctor with "
          + names
          + ", which root lacks in this container: add it with docker run --cap-add or"
          + " securityContext.capabilities.add.";
    }
    return "Run the doctor as root"
        + (SELF.user() == process.user() ? "" : ", as the user of the process")
        + ", or with "
        + names
        + ".";
  }
}
