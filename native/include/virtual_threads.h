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
 * Has the JVM tell us of each mount, unmount and end of a virtual thread from now on, so that a
 * carrier shows the record of the virtual thread that runs on it, and none in between. Returns 0, also
 * when it does already, a JVMTI error (positive), or PC_NO_MOUNT_EVENTS. For any thread.
 */
int pc_virtual_threads_follow(JavaVM *vm);

/*
 * The record of a virtual thread, which is the calling one, shown wherever that runs, now and after
 * each mount, with "no trace" in it. It is the same one at each call and ends with the thread. NULL
 * if there is no memory. Only after pc_virtual_threads_follow has succeeded.
 */
pc_thread_record *pc_virtual_thread_record_show(jobject thread);

#endif
