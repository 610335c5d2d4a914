/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <jni.h>
#include <stddef.h>

#include "carrier_samples.h"
#include "deferred_signal.h"
#include "gc_events.h"
#include "gc_pauses.h"
#include "loaded_symbol.h"
#include "lock_owner.h"
#include "methods.h"
#include "process_context.h"
#include "process_storage.h"
#include "profiling_correlation.h"
#include "receiver.h"
#include "status_block.h"
#include "thread_storage.h"
#include "thread_times.h"
#include "tls_descriptor.h"
#include "virtual_threads.h"
#include "waits.h"

#define PC_BRIDGE_CLASS "io/flamespan/correlation/internal/nativelib/NativeBridge"

/*
 * The native method attach0 of NativeBridge in class loaders after the first, which find it by this
 * name. It publishes the process storage and binds the other methods of the class. Returns false if
 * another class loader has published.
 */
PC_EXPORT jboolean JNICALL pc_bridge_attach(JNIEnv *env, jclass bridge, jbyteArray encoded);

static void throw_illegal_argument(JNIEnv *env, const char *message) {
  jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
  if (type != NULL) {
    (*env)->ThrowNew(env, type, message);
  }
}

/* Returns the result of pc_process_storage_publish, or -1 with a pending exception. */
static int publish(JNIEnv *env, jbyteArray encoded) {
  jbyte bytes[PC_PROCESS_STORAGE_MAX];
  if (encoded == NULL) {
    throw_illegal_argument(env, "process storage is null");
    return -1;
  }
  jsize length = (*env)->GetArrayLength(env, encoded);
  if (length > (jsize)sizeof(bytes)) {
    throw_illegal_argument(env, "process storage is longer than its fields may be");
    return -1;
  }
  (*env)->GetByteArrayRegion(env, encoded, 0, length, bytes);
  if ((*env)->ExceptionCheck(env)) {
    return -1;
  }
  return pc_process_storage_publish((const uint8_t *)bytes, (size_t)length);
}

static jobject JNICALL thread_record(JNIEnv *env, jclass type) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, pc_thread_show_record(), sizeof(pc_thread_record));
}

static jint JNICALL follow_virtual_threads(JNIEnv *env, jclass type) {
  (void)type;
  JavaVM *vm;
  if ((*env)->GetJavaVM(env, &vm) != JNI_OK) {
    return PC_NO_MOUNT_EVENTS;
  }
  return pc_virtual_threads_follow(vm);
}

/* Blocks are passed as the addresses of their records. */
static jlong address_of_record(pc_block *block) {
  return block == NULL ? 0 : (jlong)(intptr_t)&block->record;
}

static pc_block *block_of_record(jlong address) {
  return (pc_block *)(intptr_t)(address - (jlong)offsetof(pc_block, record));
}

static jlong JNICALL virtual_thread_records(JNIEnv *env, jclass type, jobject thread,
                                            jboolean with_attributes) {
  (void)env, (void)type;
  return address_of_record(pc_virtual_thread_show(thread, with_attributes));
}

static void JNICALL turn_virtual_thread_context(JNIEnv *env, jclass type, jlong record,
                                                jboolean to_second, jlong local_root_span_id) {
  (void)env, (void)type;
  pc_virtual_thread_turn(block_of_record(record), to_second, (uint64_t)local_root_span_id);
}

static void JNICALL note_not_sampled(JNIEnv *env, jclass type, jobject thread, jlong number) {
  (void)env, (void)type;
  pc_virtual_thread_note(thread, (uint64_t)number);
}

/* There may be several copies of the profiler; the one that is meant uses this memory. */
static int uses(void *function, void *memory) { return ((pc_last_sample *)function)() == memory; }

typedef void JNICALL filter_thread(JNIEnv *env, jobject unused, jobject thread, jboolean sampled);

static filter_thread *filter;

/* async-profiler needs no environment for the calling thread. */
static void sample_waits(void) { filter(NULL, NULL, NULL, JNI_TRUE); }

static jboolean JNICALL follow_carriers(JNIEnv *env, jclass type, jobject last_sample,
                                        jboolean with_waits) {
  (void)type;
  void *function = pc_loaded_function_that("asprof_get_thread_local_data", uses,
                                           (*env)->GetDirectBufferAddress(env, last_sample));
  if (function == NULL) {
    return JNI_FALSE;
  }
  filter = (filter_thread *)pc_loaded_function_beside(
      "Java_one_profiler_AsyncProfiler_filterThread0", function);
  pc_carriers_begin((pc_last_sample *)function, with_waits && filter != NULL ? sample_waits : NULL,
                    pc_virtual_threads_are_followed());
  if (with_waits) {
    pc_waits_begin();
  }
  return JNI_TRUE;
}

static void JNICALL forget_carriers(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  pc_waits_end();
  pc_carriers_end();
}

static void JNICALL defer_to_handlers(JNIEnv *env, jclass type, jint signal) {
  (void)env, (void)type;
  (void)pc_defer_to_handlers(signal);
}

static jint JNICALL begin_gc_events(JNIEnv *env, jclass type, jobject causes, jint current,
                                    jint last) {
  (void)type;
  return pc_gc_events_begin(env, causes, current, last);
}

static void JNICALL end_gc_events(JNIEnv *env, jclass type, jobject causes) {
  (void)type;
  pc_gc_events_end(env, causes);
}

static void JNICALL take_gc_pauses(JNIEnv *env, jclass type, jobject causes, jobject taken) {
  (void)type;
  if ((*env)->GetDirectBufferCapacity(env, taken) != (jlong)sizeof(pc_pauses)) {
    throw_illegal_argument(env, "not a direct buffer of the right size");
    return;
  }
  pc_gc_events_take(env, causes, (*env)->GetDirectBufferAddress(env, taken));
}

static jboolean JNICALL carriers_are_known(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return pc_carriers_are_known() ? JNI_TRUE : JNI_FALSE;
}

static jboolean JNICALL was_virtual_thread_sampled(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return pc_carrier_was_sampled() ? JNI_TRUE : JNI_FALSE;
}

static pc_carrier *carrier_of(jlong handle) { return (pc_carrier *)(intptr_t)handle; }

static jlong JNICALL next_carrier(JNIEnv *env, jclass type, jlong carrier) {
  (void)env, (void)type;
  return (jlong)(intptr_t)pc_carrier_next(carrier_of(carrier));
}

static void JNICALL take_reports(JNIEnv *env, jclass type, jlong carrier, jobject taken) {
  (void)type;
  if ((*env)->GetDirectBufferCapacity(env, taken) != (jlong)sizeof(pc_carrier_reports)) {
    throw_illegal_argument(env, "not a direct buffer of the right size");
    return;
  }
  pc_carrier_take(carrier_of(carrier), (*env)->GetDirectBufferAddress(env, taken));
}

static void JNICALL forget_carrier(JNIEnv *env, jclass type, jlong carrier) {
  (void)env, (void)type;
  pc_carrier_forget(carrier_of(carrier));
}

/* Java knows these, see NativeWaits.java. */
enum { WAITS_TAKEN = PC_WAITS_WORDS / 16 };
_Static_assert((int)WAITS_TAKEN >= (int)PC_WAIT_MAX_WORDS, "room for any wait");
_Static_assert(offsetof(pc_wait_header, begin) == 8, "begin");
_Static_assert(offsetof(pc_wait_header, duration) == 16, "duration");
_Static_assert(offsetof(pc_wait_header, trace_id) == 24, "trace id");
_Static_assert(offsetof(pc_wait_header, span_id) == 40, "span id");
_Static_assert(offsetof(pc_wait_header, transaction_id) == 48, "transaction id");
_Static_assert(offsetof(pc_wait_header, frames) == 56 && sizeof(pc_wait_header) == 64, "frames");

static jint JNICALL take_waits(JNIEnv *env, jclass type, jobject taken) {
  (void)type;
  if ((*env)->GetDirectBufferCapacity(env, taken) != (jlong)(WAITS_TAKEN * sizeof(uint64_t))) {
    throw_illegal_argument(env, "not a direct buffer of the right size");
    return 0;
  }
  uint64_t *to = (*env)->GetDirectBufferAddress(env, taken);
  return (jint)(pc_waits_take(to, WAITS_TAKEN) * sizeof(uint64_t));
}

static jlong JNICALL lost_waits(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return (jlong)pc_waits_lost();
}

static jstring JNICALL method_name(JNIEnv *env, jclass type, jlong method) {
  (void)type;
  return pc_method_name(env, method);
}

static jintArray JNICALL method_lines(JNIEnv *env, jclass type, jlong method) {
  (void)type;
  return pc_method_lines(env, method);
}

static jobject JNICALL lock_owner(JNIEnv *env, jclass type, jobject synchronizer) {
  (void)type;
  return pc_lock_owner(env, synchronizer);
}

static jlong JNICALL address_of(JNIEnv *env, jclass type, jobject buffer) {
  (void)type;
  return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

static jlong JNICALL thread_records(JNIEnv *env, jclass type, jboolean with_attributes) {
  (void)env, (void)type;
  return address_of_record(pc_thread_show_block(with_attributes));
}

static jobject JNICALL record_at(JNIEnv *env, jclass type, jlong record) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)record, sizeof(pc_thread_record));
}

static jobject JNICALL records_around(JNIEnv *env, jclass type, jlong record) {
  (void)type;
  size_t size;
  void *first = pc_block_neighbours(block_of_record(record), &size);
  return (*env)->NewDirectByteBuffer(env, first, (jlong)size);
}

static jint JNICALL thread_context_size(JNIEnv *env, jclass type, jlong record) {
  (void)env, (void)type;
  return (jint)pc_block_stride(block_of_record(record));
}

static jobject JNICALL thread_context_pointer(JNIEnv *env, jclass type) {
  (void)type;
  void **pointer = pc_thread_context_pointer();
  return pointer == NULL ? NULL : (*env)->NewDirectByteBuffer(env, pointer, sizeof(*pointer));
}

static jboolean JNICALL defines_thread_context(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return pc_thread_local_symbol_is_defined("otel_thread_ctx_v1") ? JNI_TRUE : JNI_FALSE;
}

static jboolean JNICALL has_thread_context(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return pc_thread_context_is_used() ? JNI_TRUE : JNI_FALSE;
}

static void JNICALL use_thread_context(JNIEnv *env, jclass type, jlong slot) {
  (void)env, (void)type;
  pc_thread_context_use((pc_thread_context_slot *)(intptr_t)slot);
}

static void JNICALL hide_thread(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  pc_thread_hide();
}

static void JNICALL hide_all_threads(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  pc_thread_hide_all();
  pc_block_hide_all();
}

static jboolean JNICALL tls_descriptor_is_static(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return pc_tls_descriptor_is_static() ? JNI_TRUE : JNI_FALSE;
}

static jboolean JNICALL publish_process_storage(JNIEnv *env, jclass type, jbyteArray encoded) {
  (void)type;
  return publish(env, encoded) == 0 ? JNI_TRUE : JNI_FALSE;
}

static void JNICALL withdraw_process_storage(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  pc_process_storage_withdraw();
}

static jint JNICALL publish_process_context(JNIEnv *env, jclass type, jbyteArray payload) {
  (void)type;
  if (payload == NULL) {
    throw_illegal_argument(env, "process context is null");
    return 0;
  }
  jbyte *bytes = (*env)->GetByteArrayElements(env, payload, NULL);
  if (bytes == NULL) {
    return 0;
  }
  jsize length = (*env)->GetArrayLength(env, payload);
  int error = pc_process_context_publish((const uint8_t *)bytes, (size_t)length);
  (*env)->ReleaseByteArrayElements(env, payload, bytes, JNI_ABORT);
  return error;
}

static void JNICALL announce_process(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  pc_process_context_announce();
}

static void JNICALL withdraw_process_context(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  pc_process_context_withdraw();
}

static jobject JNICALL status_block(JNIEnv *env, jclass type) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, pc_status(), PC_STATUS_SIZE);
}

static jint JNICALL publish_status(JNIEnv *env, jclass type, jboolean has_published,
                                   jlongArray counters, jbyteArray text) {
  (void)type;
  if (counters == NULL || text == NULL) {
    throw_illegal_argument(env, "status is null");
    return -1;
  }
  jlong *numbers = (*env)->GetLongArrayElements(env, counters, NULL);
  if (numbers == NULL) {
    return -1;
  }
  jbyte *bytes = (*env)->GetByteArrayElements(env, text, NULL);
  int result = -1;
  if (bytes != NULL) {
    result = pc_status_publish(has_published, (const int64_t *)numbers,
                               (size_t)(*env)->GetArrayLength(env, counters), (const uint8_t *)bytes,
                               (size_t)(*env)->GetArrayLength(env, text));
    (*env)->ReleaseByteArrayElements(env, text, bytes, JNI_ABORT);
  }
  (*env)->ReleaseLongArrayElements(env, counters, numbers, JNI_ABORT);
  return result;
}

static pc_receiver *receiver_of(jlong handle) { return (pc_receiver *)(intptr_t)handle; }

static jlong JNICALL create_receiver(JNIEnv *env, jclass type, jint socket) {
  (void)env;
  (void)type;
  pc_receiver *receiver = pc_receiver_create(socket, pc_receiver_queue_length());
  return receiver == NULL ? -(jlong)errno : (jlong)(intptr_t)receiver;
}

static jint JNICALL pump(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  return pc_receiver_pump(receiver_of(handle));
}

static jlong JNICALL take(JNIEnv *env, jclass type, jlong handle, jobject batch) {
  (void)type;
  uint8_t *bytes = (*env)->GetDirectBufferAddress(env, batch);
  if (bytes == NULL) {
    throw_illegal_argument(env, "not a direct buffer");
    return 0;
  }
  size_t capacity = (size_t)(*env)->GetDirectBufferCapacity(env, batch);
  return pc_receiver_take(receiver_of(handle), bytes, capacity);
}

static jint JNICALL await(JNIEnv *env, jclass type, jlong handle, jlong wait_ns) {
  (void)env;
  (void)type;
  return pc_receiver_await(receiver_of(handle), wait_ns);
}

static void JNICALL promise(JNIEnv *env, jclass type, jlong handle, jlong within_ms) {
  (void)env;
  (void)type;
  pc_receiver_promise(receiver_of(handle), within_ms);
}

static void JNICALL wake(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  pc_receiver_wake(receiver_of(handle));
}

static void JNICALL stop_receiver(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  pc_receiver_stop(receiver_of(handle));
}

static void JNICALL free_receiver(JNIEnv *env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  pc_receiver_free(receiver_of(handle));
}

static jint JNICALL thread_times_since(JNIEnv *env, jclass type, jlongArray times) {
  (void)type;
  int64_t now[PC_THREAD_TIMES] = {0};
  int known = pc_thread_times(now);
  jlong before[PC_THREAD_TIMES] = {0};
  (*env)->GetLongArrayRegion(env, times, 0, PC_THREAD_TIMES, before);
  for (int i = 0; i < PC_THREAD_TIMES; i++) {
    before[i] = now[i] - before[i];
  }
  (*env)->SetLongArrayRegion(env, times, 0, PC_THREAD_TIMES, before);
  return known;
}

/* The bootstrap class loader outlives all others, and refers to none of them. */
static jclass JNICALL define_in_boot_loader(JNIEnv *env, jclass type, jbyteArray content) {
  (void)type;
  jsize length = (*env)->GetArrayLength(env, content);
  jbyte *bytes = (*env)->GetByteArrayElements(env, content, NULL);
  if (bytes == NULL) {
    return NULL; /* with an OutOfMemoryError */
  }
  jclass defined = (*env)->DefineClass(env, NULL, NULL, bytes, length);
  (*env)->ReleaseByteArrayElements(env, content, bytes, JNI_ABORT);
  return defined;
}

static const JNINativeMethod methods[] = {
    {"threadRecord0", "()Ljava/nio/ByteBuffer;", (void *)thread_record},
    {"followVirtualThreads0", "()I", (void *)follow_virtual_threads},
    {"virtualThreadRecords0", "(Ljava/lang/Thread;Z)J", (void *)virtual_thread_records},
    {"turnVirtualThreadContext0", "(JZJ)V", (void *)turn_virtual_thread_context},
    {"noteNotSampled0", "(Ljava/lang/Thread;J)V", (void *)note_not_sampled},
    {"followCarriers0", "(Ljava/nio/ByteBuffer;Z)Z", (void *)follow_carriers},
    {"forgetCarriers0", "()V", (void *)forget_carriers},
    {"carriersAreKnown0", "()Z", (void *)carriers_are_known},
    {"deferToHandlers0", "(I)V", (void *)defer_to_handlers},
    {"beginGcEvents0", "(Ljava/nio/ByteBuffer;II)I", (void *)begin_gc_events},
    {"endGcEvents0", "(Ljava/nio/ByteBuffer;)V", (void *)end_gc_events},
    {"takeGcPauses0", "(Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;)V", (void *)take_gc_pauses},
    {"defineInBootLoader0", "([B)Ljava/lang/Class;", (void *)define_in_boot_loader},
    {"wasVirtualThreadSampled0", "()Z", (void *)was_virtual_thread_sampled},
    {"nextCarrier0", "(J)J", (void *)next_carrier},
    {"takeReports0", "(JLjava/nio/ByteBuffer;)V", (void *)take_reports},
    {"forgetCarrier0", "(J)V", (void *)forget_carrier},
    {"takeWaits0", "(Ljava/nio/ByteBuffer;)I", (void *)take_waits},
    {"lostWaits0", "()J", (void *)lost_waits},
    {"methodName0", "(J)Ljava/lang/String;", (void *)method_name},
    {"methodLines0", "(J)[I", (void *)method_lines},
    {"lockOwner0",
     "(Ljava/util/concurrent/locks/AbstractOwnableSynchronizer;)Ljava/lang/Thread;",
     (void *)lock_owner},
    {"addressOf0", "(Ljava/nio/ByteBuffer;)J", (void *)address_of},
    {"threadRecords0", "(Z)J", (void *)thread_records},
    {"recordAt0", "(J)Ljava/nio/ByteBuffer;", (void *)record_at},
    {"recordsAround0", "(J)Ljava/nio/ByteBuffer;", (void *)records_around},
    {"threadContextSize0", "(J)I", (void *)thread_context_size},
    {"threadContextPointer0", "()Ljava/nio/ByteBuffer;", (void *)thread_context_pointer},
    {"definesThreadContext0", "()Z", (void *)defines_thread_context},
    {"hasThreadContext0", "()Z", (void *)has_thread_context},
    {"useThreadContext0", "(J)V", (void *)use_thread_context},
    {"hideThread0", "()V", (void *)hide_thread},
    {"hideAllThreads0", "()V", (void *)hide_all_threads},
    {"tlsDescriptorIsStatic0", "()Z", (void *)tls_descriptor_is_static},
    {"publishProcessStorage0", "([B)Z", (void *)publish_process_storage},
    {"withdrawProcessStorage0", "()V", (void *)withdraw_process_storage},
    {"publishProcessContext0", "([B)I", (void *)publish_process_context},
    {"announceProcess0", "()V", (void *)announce_process},
    {"withdrawProcessContext0", "()V", (void *)withdraw_process_context},
    {"statusBlock0", "()Ljava/nio/ByteBuffer;", (void *)status_block},
    {"publishStatus0", "(Z[J[B)I", (void *)publish_status},
    {"createReceiver0", "(I)J", (void *)create_receiver},
    {"pump0", "(J)I", (void *)pump},
    {"take0", "(JLjava/nio/ByteBuffer;)J", (void *)take},
    {"await0", "(JJ)I", (void *)await},
    {"promise0", "(JJ)V", (void *)promise},
    {"wake0", "(J)V", (void *)wake},
    {"stopReceiver0", "(J)V", (void *)stop_receiver},
    {"freeReceiver0", "(J)V", (void *)free_receiver},
    {"threadTimesSince0", "([J)I", (void *)thread_times_since},
};

/*
 * The process storage is published before anything else, because a profiler that looks at the
 * mapping while the pointer is null gives up on this process forever.
 */
jboolean JNICALL pc_bridge_attach(JNIEnv *env, jclass bridge, jbyteArray encoded) {
  if (publish(env, encoded) != 0) {
    return JNI_FALSE;
  }
  jint count = (jint)(sizeof(methods) / sizeof(methods[0]));
  if ((*env)->RegisterNatives(env, bridge, methods, count) != 0) {
    pc_process_storage_withdraw();
    return JNI_FALSE;
  }
  return JNI_TRUE;
}

/* Called for the first class loader: the JVM loads a library for only one. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)reserved;
  JNIEnv *env;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
    return JNI_ERR;
  }
  jclass bridge = (*env)->FindClass(env, PC_BRIDGE_CLASS);
  if (bridge == NULL) {
    return JNI_ERR;
  }
  jfieldID field = (*env)->GetStaticFieldID(env, bridge, "initialProcessStorage", "[B");
  if (field == NULL) {
    return JNI_ERR;
  }
  jbyteArray encoded = (jbyteArray)(*env)->GetStaticObjectField(env, bridge, field);
  return pc_bridge_attach(env, bridge, encoded) ? JNI_VERSION_1_8 : JNI_ERR;
}
