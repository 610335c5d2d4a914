/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <jni.h>
#include <unistd.h>

#include "process_context.h"
#include "profiling_correlation.h"
#include "receive.h"
#include "scheduling.h"

#define PC_BRIDGE_CLASS "io/otelprofiling/correlation/internal/nativelib/NativeBridge"

static void throw_illegal_argument(JNIEnv *env, const char *message) {
  jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
  if (type != NULL) {
    (*env)->ThrowNew(env, type, message);
  }
}

static void publish(JNIEnv *env, jbyteArray encoded) {
  jbyte bytes[PC_PROCESS_STORAGE_MAX];
  jsize length = (*env)->GetArrayLength(env, encoded);
  if (length > (jsize)sizeof(bytes)) {
    throw_illegal_argument(env, "process storage is longer than its fields may be");
    return;
  }
  (*env)->GetByteArrayRegion(env, encoded, 0, length, bytes);
  if (!(*env)->ExceptionCheck(env)) {
    pc_process_storage_publish((const uint8_t *)bytes, (size_t)length);
  }
}

static jobject JNICALL thread_record(JNIEnv *env, jclass type) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, pc_thread_record_show(), sizeof(pc_thread_record));
}

static jboolean JNICALL tls_descriptor_is_static(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return pc_tls_descriptor_is_static() ? JNI_TRUE : JNI_FALSE;
}

static void JNICALL publish_process_storage(JNIEnv *env, jclass type, jbyteArray encoded) {
  (void)type;
  if (encoded == NULL) {
    throw_illegal_argument(env, "process storage is null");
    return;
  }
  publish(env, encoded);
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

static void JNICALL withdraw_process_context(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  pc_process_context_withdraw();
}

static jint JNICALL prefer_short_slices(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return pc_prefer_short_slices();
}

static uint8_t *batch_bytes(JNIEnv *env, jobject batch, size_t *capacity) {
  uint8_t *bytes = (*env)->GetDirectBufferAddress(env, batch);
  if (bytes == NULL) {
    throw_illegal_argument(env, "not a direct buffer");
    return NULL;
  }
  *capacity = (size_t)(*env)->GetDirectBufferCapacity(env, batch);
  return bytes;
}

static jlong JNICALL receive(JNIEnv *env, jclass type, jint socket, jobject batch) {
  (void)type;
  size_t capacity;
  uint8_t *bytes = batch_bytes(env, batch, &capacity);
  return bytes == NULL ? 0 : pc_receive(socket, bytes, capacity);
}

static jlong JNICALL await(JNIEnv *env, jclass type, jint socket, jint wake_event, jlong wait_ns,
                           jobject batch) {
  (void)type;
  size_t capacity;
  uint8_t *bytes = batch_bytes(env, batch, &capacity);
  return bytes == NULL ? 0 : pc_await(socket, wake_event, wait_ns, bytes, capacity);
}

static jint JNICALL create_wake_event(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return pc_wake_event_create();
}

static jint JNICALL set_wake_event(JNIEnv *env, jclass type, jint wake_event) {
  (void)env;
  (void)type;
  return pc_wake_event_set(wake_event);
}

static void JNICALL close_wake_event(JNIEnv *env, jclass type, jint wake_event) {
  (void)env;
  (void)type;
  close(wake_event);
}

static const JNINativeMethod methods[] = {
    {"threadRecord0", "()Ljava/nio/ByteBuffer;", (void *)thread_record},
    {"tlsDescriptorIsStatic0", "()Z", (void *)tls_descriptor_is_static},
    {"publishProcessStorage0", "([B)V", (void *)publish_process_storage},
    {"withdrawProcessStorage0", "()V", (void *)withdraw_process_storage},
    {"publishProcessContext0", "([B)I", (void *)publish_process_context},
    {"withdrawProcessContext0", "()V", (void *)withdraw_process_context},
    {"preferShortSlices0", "()I", (void *)prefer_short_slices},
    {"receive0", "(ILjava/nio/ByteBuffer;)J", (void *)receive},
    {"await0", "(IIJLjava/nio/ByteBuffer;)J", (void *)await},
    {"createWakeEvent0", "()I", (void *)create_wake_event},
    {"setWakeEvent0", "(I)I", (void *)set_wake_event},
    {"closeWakeEvent0", "(I)V", (void *)close_wake_event},
};

/*
 * The process storage is published here and not by a later call: a profiler that looks at the
 * mapping while the pointer is null gives this process up for ever.
 */
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
  if (encoded != NULL) {
    publish(env, encoded);
    if ((*env)->ExceptionCheck(env)) {
      return JNI_ERR;
    }
  }
  jint count = (jint)(sizeof(methods) / sizeof(methods[0]));
  if ((*env)->RegisterNatives(env, bridge, methods, count) != 0) {
    pc_process_storage_withdraw();
    return JNI_ERR;
  }
  return JNI_VERSION_1_8;
}
