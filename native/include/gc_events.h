/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef GC_EVENTS_H
#define GC_EVENTS_H

#include <jni.h>

#include "gc_pauses.h"

#define PC_NO_GC_EVENTS (-1)

/*
 * Makes the JVM report the pauses of garbage collections to gc_pauses.h from now on. The causes are
 * in a direct buffer, at these offsets, with PC_CAUSE_SIZE bytes or more. Who has begun before gets
 * nothing more. Returns 0, a JVMTI error (positive), or PC_NO_GC_EVENTS. All of this is thread-safe.
 */
int pc_gc_events_begin(JNIEnv *env, jobject buffer, jint current_cause, jint last_cause);

/* Takes pauses for the one who has begun with this buffer; another one gets none. */
void pc_gc_events_take(JNIEnv *env, jobject buffer, pc_pauses *taken);

/* Unless another one has begun: the JVM reports nothing from now on, and the buffer is not used. */
void pc_gc_events_end(JNIEnv *env, jobject buffer);

#endif
