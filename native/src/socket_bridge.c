/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <limits.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "loaded_symbol.h"

/*
 * This is a separate library, because the socket must be bound before a profiler can see the main
 * one.
 */

#define PC_BRIDGE_CLASS "io/flamespan/correlation/internal/nativelib/SocketLibrary"

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

/* Linux creates the file with the mode of the socket, so others cannot connect at any moment. */
static int bind_for_owner(int fd, const struct sockaddr *address, socklen_t length) {
  /*
   * If the kernel refuses, the directory keeps others out, and the mode of the file is set later.
   */
  (void)fchmod(fd, S_IRUSR | S_IWUSR);
  return bind(fd, address, length);
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
  return error != 0 ? -error : open_and(bind_for_owner, &address);
}

/* Returns 0 if a process has the socket open, or an errno: ECONNREFUSED if no process has. */
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

enum { MAX_DATAGRAM = 512 };

/* Copies a whole array and appends a 0. Returns its length, or -1 if there is not enough room. */
static jsize copy(JNIEnv *env, jbyteArray array, char *to, size_t capacity) {
  jsize length = array == NULL ? -1 : (*env)->GetArrayLength(env, array);
  if (length < 0 || (size_t)length >= capacity) {
    return -1;
  }
  (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)to);
  to[length] = '\0';
  return length;
}

/* Returns 0 if the directory has a socket of this name, or an errno: ENOTSOCK for another file. */
static int check_is_socket(int directory, const char *name) {
  struct stat file;
  /* The function fstatat needs glibc 2.33. On both CPUs, the kernel fills in libc's structure. */
  if (syscall(SYS_newfstatat, directory, name, &file, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno;
  }
  return S_ISSOCK(file.st_mode) ? 0 : ENOTSOCK;
}

static int64_t monotonic_ms(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The kernel charges a datagram to its sender until the receiver has read it. */
static int await_read(int fd, int patience_ms) {
  int64_t end = monotonic_ms() + patience_ms;
  int unread = 0;
  while (ioctl(fd, SIOCOUTQ, &unread) == 0 && unread > 0) {
    if (monotonic_ms() >= end) {
      return ETIMEDOUT;
    }
    (void)poll(NULL, 0, 1);
  }
  return 0;
}

/* Returns 0 or an errno: EAGAIN if the receiver's queue is full, ETIMEDOUT if it does not read. */
static int send_in(int directory, const char *name, const char *datagram, size_t length,
                   int patience_ms) {
  int error = check_is_socket(directory, name);
  if (error != 0) {
    return error;
  }
  pc_socket_address to = {.address.sun_family = AF_UNIX};
  char *path = to.address.sun_path;
  int written = snprintf(path, sizeof(to.address.sun_path), "/proc/self/fd/%d/%s", directory, name);
  if (written < 0 || (size_t)written >= sizeof(to.address.sun_path)) {
    return ENAMETOOLONG;
  }
  to.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)written + 1);
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return errno;
  }
  const struct sockaddr *address = (const struct sockaddr *)&to.address;
  ssize_t sent = sendto(fd, datagram, length, MSG_DONTWAIT | MSG_NOSIGNAL, address, to.length);
  error = sent < 0 ? errno : patience_ms > 0 ? await_read(fd, patience_ms) : 0;
  close(fd);
  return error;
}

/*
 * Sends through a descriptor of the directory, because the path of a directory in another process's
 * root may be longer than a socket address. With patience, waits until the receiver has read.
 * Returns 0 or an errno.
 */
static jint JNICALL send_datagram(JNIEnv *env, jclass type, jbyteArray directory, jbyteArray name,
                                  jbyteArray datagram, jint patience_ms) {
  (void)type;
  char path[PATH_MAX];
  char file[NAME_MAX + 1];
  char message[MAX_DATAGRAM + 1];
  if (copy(env, directory, path, sizeof(path)) <= 0 || copy(env, name, file, sizeof(file)) <= 0) {
    return ENAMETOOLONG;
  }
  if (strchr(file, '/') != NULL) {
    return EINVAL;
  }
  jsize length = copy(env, datagram, message, sizeof(message));
  if (length < 0) {
    return EMSGSIZE;
  }
  int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  int error = send_in(fd, file, message, (size_t)length, patience_ms);
  close(fd);
  return error;
}

static void JNICALL close_socket(JNIEnv *env, jclass type, jint socket) {
  (void)env;
  (void)type;
  close(socket);
}

typedef jboolean JNICALL pc_attach(JNIEnv *, jclass, jbyteArray);

/*
 * Attaches the class NativeBridge of this class loader to the library that an earlier class loader
 * has loaded. Returns 1, 0 if another class loader has published, or -1 if no such library is
 * found.
 */
static jint JNICALL attach(JNIEnv *env, jclass type, jclass bridge, jbyteArray process_storage) {
  (void)type;
  pc_attach *function = (pc_attach *)pc_loaded_function("pc_bridge_attach");
  return function == NULL ? -1 : function(env, bridge, process_storage);
}

static const JNINativeMethod methods[] = {
    {"openBound0", "([B)I", (void *)open_bound},
    {"connect0", "([B)I", (void *)try_to_connect},
    {"send0", "([B[B[BI)I", (void *)send_datagram},
    {"close0", "(I)V", (void *)close_socket},
    {"attach0", "(Ljava/lang/Class;[B)I", (void *)attach},
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
