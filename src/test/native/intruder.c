/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * Attacks as another user of the host. Arguments: UID ATTACK ARGUMENTS. Switches to that user and
 * attacks once. The exit status is the errno of the refusal, or 0 if the attack succeeded.
 *
 * The attacks "storm", "rival" and "exchange" run until standard input delivers a line or ends. They print
 * "started" first, and at the end how often they did what.
 */

enum { WRONG_USE = 255 };

static struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    exit(WRONG_USE);
  }
  strcpy(address.sun_path, path);
  return address;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = address_of(path);
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  int result = connect(fd, (struct sockaddr *)&address, sizeof(address));
  int error = errno;
  close(fd);
  errno = error;
  return result;
}

static int send_to(const char *path) {
  struct sockaddr_un address = address_of(path);
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  return sendto(fd, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&address, sizeof(address)) == 1 ? 0 : -1;
}

static int bind_at(const char *path) {
  struct sockaddr_un address = address_of(path);
  return bind(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&address, sizeof(address));
}

static int open_as(const char *path, int flags) { return open(path, flags, 0666) < 0 ? -1 : 0; }

/* The directory itself may be open to all even if its entries are not. */
static int list(const char *path) {
  DIR *directory = opendir(path);
  if (directory == NULL) {
    return -1;
  }
  errno = 0;
  return readdir(directory) != NULL || errno == 0 ? 0 : -1;
}

static int read_memory(pid_t pid, unsigned long address) {
  char byte;
  struct iovec local = {&byte, 1};
  struct iovec remote = {(void *)address, 1};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == 1 ? 0 : -1;
}

static int trace(pid_t pid) { return (int)ptrace(PTRACE_SEIZE, pid, 0, 0); }

/* Linux uses these numbers on both CPUs; older headers lack the names. */
static int take_descriptor(pid_t pid, int descriptor) {
  long process = syscall(434 /* pidfd_open */, pid, 0);
  return process < 0 || syscall(438 /* pidfd_getfd */, process, descriptor, 0) < 0 ? -1 : 0;
}

static int is_over(void) {
  fd_set input;
  FD_ZERO(&input);
  FD_SET(0, &input);
  struct timeval now = {0, 0};
  return select(1, &input, NULL, NULL, &now) != 0;
}

static void started(void) {
  puts("started");
  fflush(stdout);
}

/* Tries to connect to a socket that comes and goes. */
static int storm(const char *path) {
  long refused = 0, missing = 0, connected = 0;
  started();
  while (!is_over()) {
    for (int i = 0; i < 100; i++) {
      if (connect_to(path) == 0) {
        connected++;
      } else if (errno == EACCES) {
        refused++;
      } else {
        missing++;
      }
    }
  }
  printf("connected=%ld refused=%ld missing=%ld\n", connected, refused, missing);
  return 0;
}

/* Puts prepared files, one after the other, into a place that another user wants to have. */
static int rival(const char *place, char **prepared, int count) {
  long placed = 0, exchanged = 0, lost = 0;
  started();
  while (!is_over()) {
    for (int i = 0; i < count; i++) {
      if (rename(prepared[i], place) != 0) {
        lost++;
        sched_yield();
        continue;
      }
      placed++;
      const char *other = prepared[(i + 1) % count];
      for (int j = 0; j < 4; j++) {
        exchanged += syscall(SYS_renameat2, AT_FDCWD, other, AT_FDCWD, place, 2 /* exchange */) == 0;
      }
      rename(place, prepared[i]);
      for (int j = 0; j < 20; j++) {
        sched_yield(); /* the place is free for a moment */
      }
    }
  }
  printf("placed=%ld exchanged=%ld lost=%ld\n", placed, exchanged, lost);
  return 0;
}

/* Calls the function with the path of each entry. */
static void for_each(const char *directory, const char *file,
                     void (*call)(const char *path, const char *file)) {
  DIR *opened = opendir(directory);
  if (opened == NULL) {
    return;
  }
  for (struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
    if (entry->d_name[0] != '.' && length < (int)sizeof(path)) {
      call(path, file);
    }
  }
  closedir(opened);
}

/* Replaces what another user has created here. */
static void replace_foreign(const char *path, const char *file) {
  struct stat found;
  if (lstat(path, &found) == 0 && found.st_uid != getuid() && unlink(path) == 0) {
    (void)!link(file, path);
  }
}

static void replace_in(const char *directory, const char *file) {
  for_each(directory, file, replace_foreign);
}

/*
 * Exchanges a directory of another user for prepared ones, again and again. A file that the other
 * user creates in one of these is replaced by the first prepared file.
 */
static int exchange(const char *place, char **prepared, int count) {
  long exchanged = 0, missing = 0;
  const char *file = prepared[0];
  started();
  for (int i = 0; !is_over(); i++) {
    const char *other = prepared[1 + i % (count - 1)];
    if (syscall(SYS_renameat2, AT_FDCWD, other, AT_FDCWD, place, 2 /* exchange */) != 0) {
      missing++;
      sched_yield();
      continue;
    }
    exchanged++;
    for (int j = i % 7; j > 0; j--) {
      sched_yield();
    }
    syscall(SYS_renameat2, AT_FDCWD, other, AT_FDCWD, place, 2 /* exchange */);
    for_each(other, file, replace_in);
    usleep((useconds_t)(i % 5 * 300)); /* the checks of the other user must succeed at times */
  }
  printf("exchanged=%ld missing=%ld\n", exchanged, missing);
  return 0;
}

static int attack(const char *what, char **with, int count) {
  const char *first = count > 0 ? with[0] : "";
  const char *second = count > 1 ? with[1] : "";
#define ATTACK(name, call)         \
  if (strcmp(what, (name)) == 0) { \
    return (call);                 \
  }
  ATTACK("connect", connect_to(first))
  ATTACK("send", send_to(first))
  ATTACK("bind", bind_at(first))
  ATTACK("read", open_as(first, O_RDONLY))
  ATTACK("write", open_as(first, O_WRONLY))
  ATTACK("read-write", open_as(first, O_RDWR))
  ATTACK("create", open_as(first, O_WRONLY | O_CREAT | O_EXCL))
  ATTACK("list", list(first))
  ATTACK("mkdir", mkdir(first, (mode_t)strtol(second, NULL, 8)) == 0 ? chmod(first, (mode_t)strtol(second, NULL, 8)) : -1)
  ATTACK("mkfifo", mkfifo(first, 0666))
  ATTACK("symlink", symlink(first, second))
  ATTACK("link", link(first, second))
  ATTACK("rename", rename(first, second))
  ATTACK("unlink", unlink(first))
  ATTACK("chmod", chmod(first, (mode_t)strtol(second, NULL, 8)))
  ATTACK("signal", kill(atoi(first), 0))
  ATTACK("trace", trace(atoi(first)))
  ATTACK("memory", read_memory(atoi(first), strtoul(second, NULL, 16)))
  ATTACK("descriptor", take_descriptor(atoi(first), atoi(second)))
  ATTACK("storm", storm(first))
  ATTACK("rival", rival(first, with + 1, count - 1))
  ATTACK("exchange", exchange(first, with + 1, count - 1))
  exit(WRONG_USE);
}

int main(int count, char **arguments) {
  if (count < 3) {
    return WRONG_USE;
  }
  uid_t user = (uid_t)atoi(arguments[1]);
  if (setgroups(0, NULL) != 0 || setgid((gid_t)user) != 0 || setuid(user) != 0) {
    perror("not that user");
    return WRONG_USE;
  }
  umask(0);
  return attack(arguments[2], arguments + 3, count - 3) == 0 ? 0 : errno;
}
