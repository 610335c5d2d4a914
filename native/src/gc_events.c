/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "gc_events.h"

#include <jvmti.h>
#include <pthread.h>
#include <string.h>


static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jvmtiEnv *jvmti; /* created once, because the JVM never frees one while it collects */
static jobject causes;

/* Called while all threads stand, so neither may use JNI. */
static void JNICALL on_start(jvmtiEnv *env) {
  (void)env;
  pc_pause_begins();
}

static void JNICALL on_finish(jvmtiEnv *env) {
  (void)env;
  pc_pause_ends();
}

static int create(JavaVM *vm) {
  jvmtiEnv *created;
  if ((*vm)->GetEnv(vm, (void **)&created, JVMTI_VERSION_1_2) != JNI_OK) {
    return PC_NO_GC_EVENTS;
  }
  jvmtiCapabilities capabilities;
  memset(&capabilities, 0, sizeof(capabilities));
  capabilities.can_generate_garbage_collection_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof(callbacks));
  callbacks.GarbageCollectionStart = on_start;
  callbacks.GarbageCollectionFinish = on_finish;
  jvmtiError error = (*created)->AddCapabilities(created, &capabilities);
  if (error == JVMTI_ERROR_NONE) {
    error = (*created)->SetEventCallbacks(created, &callbacks, (jint)sizeof(callbacks));
  }
  if (error != JVMTI_ERROR_NONE) {
    (*created)->DisposeEnvironment(created);
    return (int)error;
  }
  jvmti = created;
  return 0;
}

/* The JVM does not change the mode while a collection has stopped all threads. */
static jvmtiError set_mode(jvmtiEventMode mode) {
  jvmtiError error =
      (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
  jvmtiError other =
      (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
  return error != JVMTI_ERROR_NONE ? error : other;
}

static void end(JNIEnv *env) {
  /* A buffer that may still be read must stay. */
  if (causes != NULL && set_mode(JVMTI_DISABLE) == JVMTI_ERROR_NONE) {
    (*env)->DeleteGlobalRef(env, causes);
  }
  causes = NULL;
}

static int begin(JNIEnv *env, jobject buffer, jint current_cause, jint last_cause) {
  JavaVM *vm;
  if ((*env)->GetJavaVM(env, &vm) != JNI_OK) {
    return PC_NO_GC_EVENTS;
  }
  int error = jvmti == NULL ? create(vm) : 0;
  if (error != 0) {
    return error;
  }
  end(env);
  const char *bytes = (*env)->GetDirectBufferAddress(env, buffer);
  causes = bytes == NULL ? NULL : (*env)->NewGlobalRef(env, buffer);
  if (causes == NULL) {
    return PC_NO_GC_EVENTS;
  }
  pc_pauses_have_causes(bytes + current_cause, bytes + last_cause);
  error = (int)set_mode(JVMTI_ENABLE);
  if (error != 0) {
    end(env);
  }
  return error;
}

int pc_gc_events_begin(JNIEnv *env, jobject buffer, jint current_cause, jint last_cause) {
  pthread_mutex_lock(&lock);
  int error = begin(env, buffer, current_cause, last_cause);
  pthread_mutex_unlock(&lock);
  return error;
}

static int is_current(JNIEnv *env, jobject buffer) {
  return causes != NULL && (*env)->IsSameObject(env, causes, buffer);
}

void pc_gc_events_take(JNIEnv *env, jobject buffer, pc_pauses *taken) {
  pthread_mutex_lock(&lock);
  pc_pauses_take(taken, is_current(env, buffer) ? PC_PAUSES_AT_ONCE : 0);
  pthread_mutex_unlock(&lock);
}

void pc_gc_events_end(JNIEnv *env, jobject buffer) {
  pthread_mutex_lock(&lock);
  if (is_current(env, buffer)) {
    end(env);
  }
  pthread_mutex_unlock(&lock);
}
