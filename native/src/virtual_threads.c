/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "virtual_threads.h"

#include <jvmti.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "carrier_samples.h"
#include "thread_storage.h"
#include "waits.h"

#define PC_MOUNT_EVENT "com.sun.hotspot.events.VirtualThreadMount"
#define PC_UNMOUNT_EVENT "com.sun.hotspot.events.VirtualThreadUnmount"

/* Events by number, because headers before JDK 21 lack the last one. */
enum { FIRST_EVENT = 50, THREAD_END = 53, VIRTUAL_THREAD_END = 88 };

/* Has the layout of jvmtiEventCallbacks, which contains a function for each number. */
typedef struct {
  void *functions[VIRTUAL_THREAD_END - FIRST_EVENT + 1];
} pc_event_callbacks;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jvmtiEnv *jvmti;
static int is_followed;

static void show(pc_block *block) {
  pc_thread_point_to(block == NULL ? NULL : &block->record);
  pc_thread_context_point_to(
      block == NULL ? NULL : pc_block_context(block, block->second_is_shown));
}

static pc_block *block_of(jvmtiEnv *env, jthread thread) {
  void *block = NULL;
  return (*env)->GetThreadLocalStorage(env, thread, &block) == JVMTI_ERROR_NONE ? block : NULL;
}

_Static_assert(sizeof(pc_frame) == sizeof(jvmtiFrameInfo), "frame");
_Static_assert(offsetof(pc_frame, location) == offsetof(jvmtiFrameInfo, location), "frame");

/*
 * A mount is reported when it is complete. Given NULL for the current thread, JDK 21 would stop the
 * mounts of all virtual threads meanwhile.
 */
static void add(jvmtiEnv *env, jthread thread, pc_block *block, const pc_wait *wait) {
  void *frames = pc_waits_have_room() ? pc_carrier_frames() : NULL;
  jint count = 0;
  if (frames == NULL ||
      (*env)->GetStackTrace(env, thread, 0, PC_FRAMES_MAX, frames, &count) != JVMTI_ERROR_NONE) {
    pc_wait_lose();
    return;
  }
  pc_wait_add(block, wait, frames, (uint64_t)count);
}

/*
 * The events arrive on the carrier: a mount when the virtual thread is about to continue, an
 * unmount while it still runs. The JVM stores the block of each virtual thread, so the library does
 * not need a list to search or lock.
 *
 * A wait lies within the time in which no virtual thread is mounted, as far as reports of samples
 * tell, so no sample of the carrier is one of the wait.
 */
static void JNICALL on_mount(jvmtiEnv *env, ...) {
  pc_block *block = block_of(env, NULL);
  pc_wait wait;
  if (pc_wait_ends(block, &wait)) {
    va_list arguments;
    va_start(arguments, env);
    (void)va_arg(arguments, JNIEnv *);
    add(env, va_arg(arguments, jthread), block, &wait);
    va_end(arguments);
  }
  pc_carrier_mounted(block);
  show(block);
}

static void JNICALL on_unmount(jvmtiEnv *env, ...) {
  pc_carrier_unmounted();
  if (pc_waits_are_wanted()) {
    pc_block *shown = pc_carrier_shown();
    /* None is shown if the JVM has reported no mount. */
    pc_wait_begins(shown != NULL ? shown : block_of(env, NULL));
  }
  show(NULL);
}

/*
 * From here on, no application code runs on the virtual thread, so nothing writes to its block: a
 * scope closed elsewhere writes to the block of the thread that closes it.
 */
static void JNICALL on_virtual_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  (void)jni;
  show(NULL);
  pc_block *block = block_of(env, thread);
  if (block != NULL && (*env)->SetThreadLocalStorage(env, thread, NULL) == JVMTI_ERROR_NONE) {
    pc_block_hide(block);
    pc_block_give_back(block);
  }
}

/* Called for platform threads. A thread attached by JNI may continue and still show its record. */
static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  (void)env, (void)jni, (void)thread;
  pc_thread_hide();
}

/* Headers before JDK 21 do not name this bit, which is the 45th in all of them. */
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

static jvmtiError enable(jint event) {
  return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, (jvmtiEvent)event, NULL);
}

static jvmtiError enable_extension(jint event, jvmtiExtensionEvent callback) {
  jvmtiError error = (*jvmti)->SetExtensionEventCallback(jvmti, event, callback);
  return error != JVMTI_ERROR_NONE ? error : enable(event);
}

static jvmtiError enable_ends(void) {
  pc_event_callbacks callbacks;
  memset(&callbacks, 0, sizeof(callbacks));
  callbacks.functions[THREAD_END - FIRST_EVENT] = (void *)on_thread_end;
  callbacks.functions[VIRTUAL_THREAD_END - FIRST_EVENT] = (void *)on_virtual_thread_end;
  jvmtiError error = (*jvmti)->SetEventCallbacks(jvmti, (const jvmtiEventCallbacks *)&callbacks,
                                                 (jint)sizeof(callbacks));
  if (error == JVMTI_ERROR_NONE) {
    error = enable(THREAD_END);
  }
  return error != JVMTI_ERROR_NONE ? error : enable(VIRTUAL_THREAD_END);
}

/* Mounts are enabled last, because a record must not be shown before its removal is guaranteed. */
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
  error = enable_ends();
  if (error == JVMTI_ERROR_NONE) {
    error = enable_extension(unmount, on_unmount);
  }
  return (int)(error != JVMTI_ERROR_NONE ? error : enable_extension(mount, on_mount));
}

static int follow(JavaVM *vm) {
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
  }
  return error;
}

int pc_virtual_threads_are_followed(void) {
  pthread_mutex_lock(&lock);
  int result = is_followed;
  pthread_mutex_unlock(&lock);
  return result;
}

int pc_virtual_threads_follow(JavaVM *vm) {
  pthread_mutex_lock(&lock);
  int error = is_followed ? 0 : follow(vm);
  is_followed = error == 0;
  pthread_mutex_unlock(&lock);
  return error;
}

pc_block *pc_virtual_thread_show(jobject thread, int with_attributes) {
  pc_carrier_changes();
  /* Given NULL for the current thread, the JVM would use the carrier. */
  pc_block *block = block_of(jvmti, thread);
  if (block != NULL) {
    pc_block_reset(block);
  } else {
    block = pc_block_take(with_attributes);
    if (block != NULL &&
        (*jvmti)->SetThreadLocalStorage(jvmti, thread, block) != JVMTI_ERROR_NONE) {
      pc_block_give_back(block);
      block = NULL;
    }
  }
  pc_carrier_shows(block);
  show(block);
  return block;
}

void pc_virtual_thread_turn(pc_block *block, int to_second, uint64_t local_root_span_id) {
  pc_thread_record *record = &block->record;
  pc_thread_context *context = pc_block_context(block, to_second);
  *(volatile uint8_t *)&record->valid = 0;
  /* A profiler interrupts this thread, so only the compiler could reorder the stores. */
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  block->second_is_shown = to_second != 0;
  pc_thread_context_point_to(context);
  record->trace_flags = context->trace_flags;
  memcpy(record->trace_id, context->trace_id, sizeof(record->trace_id));
  memcpy(record->span_id, context->span_id, sizeof(record->span_id));
  for (int i = 0; i < 8; i++) {
    record->transaction_id[i] = (uint8_t)(local_root_span_id >> (56 - 8 * i));
  }
  record->trace_present = local_root_span_id != 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *(volatile uint8_t *)&record->valid = 1;
}

void pc_virtual_thread_note(jobject thread, uint64_t not_sampled) {
  pc_block *block = pc_carrier_changes();
  if (block == NULL) {
    block = block_of(jvmti, thread);
  }
  if (block == NULL && not_sampled != 0) {
    block = pc_virtual_thread_show(thread, 0);
  }
  if (block != NULL) {
    __atomic_store_n(&block->not_sampled, not_sampled, __ATOMIC_RELAXED);
  }
}
