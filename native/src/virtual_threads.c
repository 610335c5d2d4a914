/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "virtual_threads.h"

#include <jvmti.h>
#include <string.h>

#define PC_MOUNT_EVENT "com.sun.hotspot.events.VirtualThreadMount"
#define PC_UNMOUNT_EVENT "com.sun.hotspot.events.VirtualThreadUnmount"

static jvmtiEnv *jvmti;

/*
 * The events arrive on the carrier: a mount when the virtual thread is about to go on, an unmount
 * while it still runs. The record is kept by the JVM for each virtual thread, so no list of ours
 * has to be searched, locked or cleaned.
 */
static void JNICALL on_mount(jvmtiEnv *env, ...) {
  void *record = NULL;
  if ((*env)->GetThreadLocalStorage(env, NULL, &record) != JVMTI_ERROR_NONE) {
    record = NULL;
  }
  pc_thread_record_replace(record);
}

static void JNICALL on_unmount(jvmtiEnv *env, ...) {
  (void)env;
  pc_thread_record_replace(NULL);
}

/* Headers before JDK 21 have no name for this bit, which is the 45th in all of them. */
static void add_virtual_thread_support(jvmtiCapabilities *capabilities) {
#ifdef JVMTI_VERSION_21
  capabilities->can_support_virtual_threads = 1;
#else
  ((unsigned char *)capabilities)[44 / 8] |= 1 << (44 % 8);
#endif
}

static void free_events(jvmtiExtensionEventInfo *events, jint count) {
  for (jint i = 0; i < count; i++) {
    for (jint j = 0; j < events[i].param_count; j++) {
      (*jvmti)->Deallocate(jvmti, (unsigned char *)events[i].params[j].name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)events[i].params);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)events[i].id);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)events[i].short_description);
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)events);
}

static jint find_event(const jvmtiExtensionEventInfo *events, jint count, const char *id) {
  for (jint i = 0; i < count; i++) {
    if (strcmp(events[i].id, id) == 0) {
      return events[i].extension_event_index;
    }
  }
  return PC_NO_MOUNT_EVENTS;
}

static jvmtiError enable(jint event, jvmtiExtensionEvent callback) {
  jvmtiError error = (*jvmti)->SetExtensionEventCallback(jvmti, event, callback);
  return error != JVMTI_ERROR_NONE
             ? error
             : (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, (jvmtiEvent)event, NULL);
}

/* Unmounts first: a record must not be shown before it is sure to be taken away again. */
static int enable_events(void) {
  jvmtiExtensionEventInfo *events;
  jint count;
  jvmtiError error = (*jvmti)->GetExtensionEvents(jvmti, &count, &events);
  if (error != JVMTI_ERROR_NONE) {
    return (int)error;
  }
  jint mount = find_event(events, count, PC_MOUNT_EVENT);
  jint unmount = find_event(events, count, PC_UNMOUNT_EVENT);
  free_events(events, count);
  if (mount < 0 || unmount < 0) {
    return PC_NO_MOUNT_EVENTS;
  }
  error = enable(unmount, on_unmount);
  return (int)(error != JVMTI_ERROR_NONE ? error : enable(mount, on_mount));
}

int pc_virtual_threads_follow(JavaVM *vm) {
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
    return PC_NO_MOUNT_EVENTS;
  }
  jvmtiCapabilities capabilities;
  memset(&capabilities, 0, sizeof(capabilities));
  add_virtual_thread_support(&capabilities);
  int error = (int)(*jvmti)->AddCapabilities(jvmti, &capabilities);
  if (error == 0) {
    error = enable_events();
  }
  if (error != 0) {
    (*jvmti)->DisposeEnvironment(jvmti);
    jvmti = NULL;
  }
  return error;
}

int pc_virtual_thread_record_show(jobject thread, pc_thread_record *record) {
  /* Misaligned ids could be seen half written. */
  if (record == NULL || ((uintptr_t)record->trace_id) % sizeof(uint64_t) != 0) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  pc_thread_record_clear(record);
  /* With NULL for the current thread, the JVM would take the carrier. */
  jvmtiError error = (*jvmti)->SetThreadLocalStorage(jvmti, thread, record);
  if (error == JVMTI_ERROR_NONE) {
    pc_thread_record_replace(record);
  }
  return (int)error;
}
