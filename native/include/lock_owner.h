/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef LOCK_OWNER_H
#define LOCK_OWNER_H

#include <jni.h>

/*
 * Returns the thread that owns this java.util.concurrent.locks.AbstractOwnableSynchronizer
 * exclusively. Returns NULL if none does, or if this JVM keeps the owner elsewhere. On any thread.
 */
jobject pc_lock_owner(JNIEnv *env, jobject synchronizer);

#endif
