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
 * Has the JVM tell us of each mount and unmount of a virtual thread from now on, so that a carrier
 * shows the record of the virtual thread that runs on it, and none in between. Returns 0, a JVMTI
 * error (positive), or PC_NO_MOUNT_EVENTS. One caller at a time, once.
 */
int pc_virtual_threads_follow(JavaVM *vm);

/*
 * Shows this record wherever a virtual thread runs, which is the calling one, now and after each mount. The memory
 * has to live as long as the virtual thread. Returns 0 or a JVMTI error, JVMTI_ERROR_ILLEGAL_ARGUMENT
 * for a record whose ids are not on 8-byte boundaries; then nothing is shown.
 * Only after pc_virtual_threads_follow has succeeded.
 */
int pc_virtual_thread_record_show(jobject thread, pc_thread_record *record);

#endif
