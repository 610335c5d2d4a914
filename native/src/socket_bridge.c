/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <jni.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * A separate library, because the socket must be bound before a profiler can see the other one.
 */

#define PC_BRIDGE_CLASS "io/otelprofiling/correlation/internal/nativelib/SocketBridge"

typedef struct {
  struct sockaddr_un address;
  socklen_t length;
} pc_socket_address;

/* Returns 0 or an errno. */
static int address_of(JNIEnv *env, jbyteArray path, pc_socket_address *result) {
  memset(result, 0, sizeof(*result));
  result->address.sun_family = AF_UNIX;
  jsize length = path == NULL ? 0 : (*env)->GetArrayLength(env, path);
  if (length <= 0 || length >= (jsize)sizeof(result->address.sun_path)) {
    return ENAMETOOLONG;
  }
  (*env)->GetByteArrayRegion(env, path, 0, length, (jbyte *)result->address.sun_path);
  result->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length + 1);
  return 0;
}

typedef int pc_socket_call(int, const struct sockaddr *, socklen_t);

/* Returns a new socket on which the call has succeeded, or a negative errno. */
static int open_and(pc_socket_call *call, const pc_socket_address *to) {
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return -errno;
  }
  if (call(fd, (const struct sockaddr *)&to->address, to->length) == 0) {
    return fd;
  }
  int error = errno;
  close(fd);
  return -error;
}

static jint JNICALL open_bound(JNIEnv *env, jclass type, jbyteArray path) {
  (void)type;
  pc_socket_address address;
  int error = address_of(env, path, &address);
  return error != 0 ? -error : open_and(bind, &address);
}

/* Returns 0 if a process has the socket open, or an errno: ECONNREFUSED if none has. */
static jint JNICALL try_to_connect(JNIEnv *env, jclass type, jbyteArray path) {
  (void)type;
  pc_socket_address address;
  int error = address_of(env, path, &address);
  if (error != 0) {
    return error;
  }
  int fd = open_and(connect, &address);
  if (fd < 0) {
    return -fd;
  }
  close(fd);
  return 0;
}

static void JNICALL close_socket(JNIEnv *env, jclass type, jint socket) {
  (void)env;
  (void)type;
  close(socket);
}

static const JNINativeMethod methods[] = {
    {"openBound0", "([B)I", (void *)open_bound},
    {"connect0", "([B)I", (void *)try_to_connect},
    {"close0", "(I)V", (void *)close_socket},
};

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
  jint count = (jint)(sizeof(methods) / sizeof(methods[0]));
  return (*env)->RegisterNatives(env, bridge, methods, count) == 0 ? JNI_VERSION_1_8 : JNI_ERR;
}
