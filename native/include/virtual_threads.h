/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef VIRTUAL_THREADS_H
#define VIRTUAL_THREADS_H

#include <jni.h>

#include "profiling_correlation.h"

#define PC_NO_MOUNT_EVENTS (-1)

/*
 * Makes the JVM report each mount, unmount and end of a virtual thread from now on, so that a
 * carrier shows the record of the virtual thread that it runs, and none in between. Returns 0, also
 * on further calls, a JVMTI error (positive), or PC_NO_MOUNT_EVENTS. Thread-safe.
 */
int pc_virtual_threads_follow(JavaVM *vm);

/*
 * Returns the record of the calling thread, which is virtual. It shows no trace, and is shown from
 * now on wherever the thread is mounted. Each call returns the same record, which ends with the
 * thread. NULL if out of memory. Only after pc_virtual_threads_follow has succeeded.
 */
pc_thread_record *pc_virtual_thread_record_show(jobject thread);

#endif
