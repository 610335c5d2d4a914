/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef VIRTUAL_THREADS_H
#define VIRTUAL_THREADS_H

#include <jni.h>

#include "record_pool.h"

#define PC_NO_MOUNT_EVENTS (-1)

/*
 * Makes the JVM report each mount, unmount and end of a virtual thread from now on, so that a
 * carrier shows the block of the virtual thread that it runs, and none in between. Returns 0,
 * including on further calls, a JVMTI error (positive), or PC_NO_MOUNT_EVENTS. Thread-safe.
 */
int pc_virtual_threads_follow(JavaVM *vm);

/* Returns whether pc_virtual_threads_follow has succeeded. Thread-safe. */
int pc_virtual_threads_are_followed(void);

/*
 * Returns the block of the calling thread, which must be virtual. Its record shows no trace and its
 * thread contexts are invalid. From now on, the record and the first context are shown wherever the
 * thread is mounted. Every call returns the same block, which is freed with the thread, so the
 * first call decides about attributes. Returns NULL if out of memory. pc_virtual_threads_follow
 * must have succeeded.
 */
pc_block *pc_virtual_thread_show(jobject thread, int with_attributes);

/*
 * Shows another trace on the calling thread, which must be virtual and own this block. Turns the
 * pointer of its carrier to the first or second thread context, which must be written and not be
 * shown yet, and copies the ids of that context to the record, with this local root (a big-endian
 * number). If the local root is 0, the record shows no trace. The thread cannot leave its carrier
 * while it runs native code.
 */
void pc_virtual_thread_turn(pc_block *block, int to_second, uint64_t local_root_span_id);

/*
 * Says which local root span that the sampler dropped, by the number of pc_work, the calling thread
 * works for while it shows no trace. The thread must be virtual. Profilers of the host see none of
 * it. pc_virtual_threads_follow must have succeeded.
 */
void pc_virtual_thread_note(jobject thread, uint64_t not_sampled);

#endif
