/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "lock_owner.h"

#include <stdatomic.h>
#include <stddef.h>

static jfieldID find(JNIEnv *env) {
  jclass type =
      (*env)->FindClass(env, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
  jfieldID found =
      type == NULL
          ? NULL
          : (*env)->GetFieldID(env, type, "exclusiveOwnerThread", "Ljava/lang/Thread;");
  if (found == NULL) {
    (*env)->ExceptionClear(env);
  }
  return found;
}

jobject pc_lock_owner(JNIEnv *env, jobject synchronizer) {
  static _Atomic(jfieldID) owner; /* of a class that the JVM never unloads */
  jfieldID found = atomic_load_explicit(&owner, memory_order_relaxed);
  if (found == NULL) {
    found = find(env);
    if (found == NULL) {
      return NULL;
    }
    atomic_store_explicit(&owner, found, memory_order_relaxed);
  }
  return (*env)->GetObjectField(env, synchronizer, found);
}
