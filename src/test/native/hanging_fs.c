/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A file system in memory that stops answering. It speaks the kernel's FUSE protocol on /dev/fuse.
 * Usage: hanging_fs DIRECTORY. Prints "mounted". Each line on standard input ends the answers
 * ("hang") or the program ("end"), as does the end of the input.
 *
 * It is one flat directory tree of at most 64 files. Requests that it does not know get ENOSYS.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 64, NAME = 256, REQUEST = 1 << 18, MAX_WRITE = 1 << 17 };

typedef struct {
  int used;
  uint64_t parent;
  char name[NAME];
  uint32_t mode;
  uint32_t uid;
  uint64_t mtime;
  char *data;
  size_t size;
} node;

static node nodes[NODES + 1]; /* the number is the inode; 1 is the root */
static int device;
static char request[REQUEST];

static void answer(uint64_t unique, int error, const void *data, size_t length) {
  struct fuse_out_header header = {
      .len = (uint32_t)(sizeof(header) + length), .error = -error, .unique = unique};
  struct iovec parts[] = {{&header, sizeof(header)}, {(void *)(uintptr_t)data, length}};
  if (writev(device, parts, length ? 2 : 1) < 0) {
    /* The request was interrupted. */
  }
}

static uint64_t find(uint64_t parent, const char *name) {
  for (uint64_t i = 2; i <= NODES; i++) {
    if (nodes[i].used && nodes[i].parent == parent && strcmp(nodes[i].name, name) == 0) {
      return i;
    }
  }
  return 0;
}

static uint64_t create(uint64_t parent, const char *name, uint32_t mode, uint32_t uid) {
  for (uint64_t i = 2; i <= NODES; i++) {
    if (!nodes[i].used) {
      nodes[i] = (node){.used = 1, .parent = parent, .mode = mode, .uid = uid};
      snprintf(nodes[i].name, NAME, "%s", name);
      nodes[i].mtime = (uint64_t)time(NULL);
      return i;
    }
  }
  return 0;
}

static struct fuse_attr attributes(uint64_t id) {
  const node *n = &nodes[id];
  return (struct fuse_attr){.ino = id,
                            .size = n->size,
                            .mode = n->mode,
                            .nlink = 1,
                            .uid = n->uid,
                            .mtime = n->mtime,
                            .ctime = n->mtime,
                            .atime = n->mtime,
                            .blksize = 4096};
}

static void answer_entry(uint64_t unique, uint64_t id) {
  struct fuse_entry_out entry = {.nodeid = id, .attr = attributes(id)};
  answer(unique, 0, &entry, sizeof(entry));
}

static void answer_attributes(uint64_t unique, uint64_t id) {
  struct fuse_attr_out out = {.attr = attributes(id)};
  answer(unique, 0, &out, sizeof(out));
}

static void resize(node *n, size_t size) {
  n->data = realloc(n->data, size + 1);
  if (size > n->size) {
    memset(n->data + n->size, 0, size - n->size);
  }
  n->size = size;
}

static void read_directory(const struct fuse_in_header *in, const struct fuse_read_in *from) {
  static char out[4096];
  size_t used = 0;
  for (uint64_t i = from->offset + 1; i <= NODES; i++) {
    if (i < 2 || !nodes[i].used || nodes[i].parent != in->nodeid) {
      continue;
    }
    size_t length = strlen(nodes[i].name);
    size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
    if (used + size > from->size || used + size > sizeof(out)) {
      break;
    }
    struct fuse_dirent entry = {.ino = i,
                                .off = i,
                                .namelen = (uint32_t)length,
                                .type = (nodes[i].mode & S_IFMT) >> 12};
    memset(out + used, 0, size);
    memcpy(out + used, &entry, FUSE_NAME_OFFSET);
    memcpy(out + used + FUSE_NAME_OFFSET, nodes[i].name, length);
    used += size;
  }
  answer(in->unique, 0, out, used);
}

static void rename_node(const struct fuse_in_header *in, uint64_t to, const char *names) {
  const char *new_name = names + strlen(names) + 1;
  uint64_t id = find(in->nodeid, names);
  uint64_t replaced = find(to, new_name);
  if (id) {
    nodes[replaced].used = 0;
    nodes[id].parent = to;
    snprintf(nodes[id].name, NAME, "%s", new_name);
  }
  answer(in->unique, id ? 0 : ENOENT, NULL, 0);
}

static void handle(const struct fuse_in_header *in, const void *body) {
  node *n = in->nodeid <= NODES ? &nodes[in->nodeid] : &nodes[0];
  uint64_t id;
  switch (in->opcode) {
    case FUSE_INIT: {
      struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
                                  .minor = FUSE_KERNEL_MINOR_VERSION,
                                  .max_readahead = MAX_WRITE,
                                  .max_write = MAX_WRITE,
                                  .max_background = 16};
      answer(in->unique, 0, &out, sizeof(out));
      break;
    }
    case FUSE_LOOKUP:
      id = find(in->nodeid, body);
      id ? answer_entry(in->unique, id) : answer(in->unique, ENOENT, NULL, 0);
      break;
    case FUSE_GETATTR:
      answer_attributes(in->unique, in->nodeid);
      break;
    case FUSE_SETATTR: {
      const struct fuse_setattr_in *set = body;
      if (set->valid & FATTR_MODE) {
        n->mode = (n->mode & S_IFMT) | (set->mode & 07777);
      }
      if (set->valid & FATTR_SIZE) {
        resize(n, set->size);
      }
      answer_attributes(in->unique, in->nodeid);
      break;
    }
    case FUSE_MKDIR: {
      const struct fuse_mkdir_in *dir = body;
      const char *name = (const char *)(dir + 1);
      id = find(in->nodeid, name) ? 0 : create(in->nodeid, name, S_IFDIR | dir->mode, in->uid);
      id ? answer_entry(in->unique, id) : answer(in->unique, EEXIST, NULL, 0);
      break;
    }
    case FUSE_MKNOD: {
      const struct fuse_mknod_in *file = body;
      const char *name = (const char *)(file + 1);
      id = find(in->nodeid, name) ? 0 : create(in->nodeid, name, file->mode, in->uid);
      id ? answer_entry(in->unique, id) : answer(in->unique, EEXIST, NULL, 0);
      break;
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
      struct fuse_open_out out = {0};
      answer(in->unique, 0, &out, sizeof(out));
      break;
    }
    case FUSE_READDIR:
      read_directory(in, body);
      break;
    case FUSE_READ: {
      const struct fuse_read_in *from = body;
      size_t left = from->offset < n->size ? n->size - from->offset : 0;
      answer(in->unique, 0, left ? n->data + from->offset : NULL,
             left < from->size ? left : from->size);
      break;
    }
    case FUSE_WRITE: {
      const struct fuse_write_in *to = body;
      if (to->offset + to->size > n->size) {
        resize(n, to->offset + to->size);
      }
      memcpy(n->data + to->offset, to + 1, to->size);
      struct fuse_write_out out = {.size = to->size};
      answer(in->unique, 0, &out, sizeof(out));
      break;
    }
    case FUSE_UNLINK:
    case FUSE_RMDIR:
      id = find(in->nodeid, body);
      nodes[id].used = 0;
      answer(in->unique, id ? 0 : ENOENT, NULL, 0);
      break;
    case FUSE_RENAME:
      rename_node(in, ((const struct fuse_rename_in *)body)->newdir,
                  (const char *)body + sizeof(struct fuse_rename_in));
      break;
    case FUSE_RENAME2:
      rename_node(in, ((const struct fuse_rename2_in *)body)->newdir,
                  (const char *)body + sizeof(struct fuse_rename2_in));
      break;
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_FSYNC:
      answer(in->unique, 0, NULL, 0);
      break;
    case FUSE_STATFS: {
      struct fuse_statfs_out out = {.st = {.blocks = 1 << 20, .bfree = 1 << 20, .bavail = 1 << 20,
                                           .bsize = 4096, .namelen = NAME - 1, .frsize = 4096}};
      answer(in->unique, 0, &out, sizeof(out));
      break;
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      break; /* not answered */
    default:
      answer(in->unique, ENOSYS, NULL, 0);
  }
}

int main(int count, char **arguments) {
  if (count != 2) {
    return 2;
  }
  device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) {
    perror("/dev/fuse");
    return 1;
  }
  char options[128];
  snprintf(options, sizeof(options),
           "fd=%d,rootmode=40700,user_id=0,group_id=0,default_permissions,allow_other", device);
  if (mount("hanging_fs", arguments[1], "fuse.hanging_fs", MS_NOSUID | MS_NODEV, options) != 0) {
    perror("mount");
    return 1;
  }
  nodes[1] = (node){.used = 1, .mode = S_IFDIR | 0700, .mtime = (uint64_t)time(NULL)};
  puts("mounted");
  fflush(stdout);
  struct pollfd sources[] = {{.fd = 0, .events = POLLIN}, {.fd = device, .events = POLLIN}};
  int answers = 1;
  while (poll(sources, answers ? 2 : 1, -1) > 0) {
    if (sources[0].revents) {
      char line[16];
      if (read(0, line, sizeof(line)) <= 0 || line[0] == 'e') {
        break;
      }
      answers = 0;
      puts("hanging");
      fflush(stdout);
    } else if (sources[1].revents) {
      ssize_t length = read(device, request, sizeof(request));
      if (length >= (ssize_t)sizeof(struct fuse_in_header)) {
        const struct fuse_in_header *in = (const struct fuse_in_header *)(void *)request;
        handle(in, in + 1);
      } else if (length < 0 && errno == ENODEV) {
        break; /* unmounted */
      }
    }
  }
  /* The kernel fails all requests when the device is closed. */
  close(device);
  umount2(arguments[1], MNT_DETACH);
  return 0;
}
