/* Faults at the door of the kernel: loaded before libc (LD_PRELOAD), it counts what a process does to the files
 * below FAULTS_ROOT and makes one of those deeds go wrong.
 *
 *   FAULTS_ROOT   the folder whose files are watched
 *   FAULTS_BOOK   a file: the number of deeds as 8 bytes, shared by a process and its children
 *   FAULTS_LOG    a file to which a line is added for each deed: "NUMBER WHAT PATH"
 *   FAULTS_KIND   none | kill | tear | full | broken | hiccup | readonly | unreadable | back
 *   FAULTS_AT     the number of the deed, from 1; for unreadable that of a read, for back that of a look at the clock
 *   FAULTS_BACK   how many seconds the clock goes back
 *
 * kill: SIGKILL before the deed. tear: half of the bytes are written, then SIGKILL. full: from the deed on nothing
 * can grow (ENOSPC). broken: from the deed on nothing can be changed (EIO); hiccup: only that one fails.
 * readonly: nothing can be changed, ever (EROFS). A forked process reads the variables anew by faults_arm().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { NONE, KILL, TEAR, FULL, BROKEN, HICCUP, READONLY, UNREADABLE, BACK };
enum deed { GROW, CHANGE, SYNC };  /* needs room | changes names or content without | brings to the disk */

static const char *const names[] = {"none", "kill", "tear", "full", "broken", "hiccup", "readonly", "unreadable", "back"};
static enum kind kind;
static uint64_t at, looks, reads, own_book, *book = &own_book;
static int64_t back_seconds;
static char root[PATH_MAX];
static size_t root_length;
static int log_handle = -1;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((visibility("default"))) void faults_arm(void) {
  const char *value = getenv("FAULTS_KIND");
  root_length = 0;
  kind = NONE;
  looks = reads = 0;
  for (int one = NONE; value && one <= BACK; one++)
    if (!strcmp(value, names[one])) kind = (enum kind)one;
  at = (value = getenv("FAULTS_AT")) ? strtoull(value, NULL, 10) : 0;
  back_seconds = (value = getenv("FAULTS_BACK")) ? strtoll(value, NULL, 10) : 0;
  if ((value = getenv("FAULTS_BOOK"))) {
    int handle = (int)syscall(SYS_openat, AT_FDCWD, value, O_RDWR | O_CLOEXEC);
    void *shared = handle < 0 ? MAP_FAILED : mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    book = shared == MAP_FAILED ? &own_book : shared;
    if (handle >= 0) syscall(SYS_close, handle);
  }
  if ((value = getenv("FAULTS_LOG")))
    log_handle = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if ((value = getenv("FAULTS_ROOT")) && realpath(value, root)) root_length = strlen(root);
}

__attribute__((constructor)) static void begin(void) { faults_arm(); }

static int is_below(const char *path) {
  return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* The absolute path of a name that is relative to a folder's handle. */
static const char *whole(int folder, const char *name, char *buffer) {
  if (name[0] == '/') return name;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t length = readlink(folder == AT_FDCWD ? "/proc/self/cwd" : link, buffer, PATH_MAX - 1);
  if (length < 0) return name;
  snprintf(buffer + length, PATH_MAX - (size_t)length, "/%s", name);
  return buffer;
}

static const char *of_handle(int handle, char *buffer) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  buffer[length < 0 ? 0 : length] = 0;
  return buffer;
}

static void die(void) {
  for (;;) {
    syscall(SYS_kill, getpid(), SIGKILL);
    pause();
  }
}

/* Count a deed; return 0 to let it happen, 1 to let it happen by half, -1 with errno if it must fail. */
static int count(enum deed deed, const char *what, const char *path) {
  if (!root_length || !is_below(path)) return 0;
  if (kind >= UNREADABLE) return 0; /* there the book counts reads, or looks at the clock */
  uint64_t number = __atomic_add_fetch(book, 1, __ATOMIC_SEQ_CST);
  if (log_handle >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%llu %s %s\n", (unsigned long long)number, what, path + root_length);
    syscall(SYS_write, log_handle, line, length);
  }
  if (kind == READONLY && deed != SYNC) return errno = EROFS, -1;
  if (!at || number < at) return 0;
  if (kind == KILL && number == at) die();
  if (kind == TEAR && number == at) {
    if (!strstr(what, "write")) die();
    return 1;
  }
  if (kind == FULL && deed == GROW) return errno = ENOSPC, -1;
  if (kind == BROKEN || (kind == HICCUP && number == at)) return errno = EIO, -1;
  return 0;
}

static int on_handle(enum deed deed, const char *what, int handle) {
  char buffer[PATH_MAX];
  return root_length ? count(deed, what, of_handle(handle, buffer)) : 0;
}

static int on_path(enum deed deed, const char *what, int folder, const char *name) {
  char buffer[PATH_MAX];
  return root_length ? count(deed, what, whole(folder, name, buffer)) : 0;
}

static int on_read(int handle) {
  char buffer[PATH_MAX];
  if (kind != UNREADABLE || !is_below(of_handle(handle, buffer))) return 0;
  uint64_t number = __atomic_add_fetch(&reads, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(book, number, __ATOMIC_SEQ_CST);
  return at && number >= at ? (errno = EIO, -1) : 0;
}

#define WRITES(name, call, half) \
  switch (on_handle(GROW, #name, handle)) { \
    case -1: return -1; \
    case 1: half; die(); \
  } \
  REAL(name); \
  return call

ssize_t write(int handle, const void *data, size_t size) {
  WRITES(write, real(handle, data, size), syscall(SYS_write, handle, data, size / 2));
}
ssize_t pwrite(int handle, const void *data, size_t size, off_t place) {
  WRITES(pwrite, real(handle, data, size, place), syscall(SYS_pwrite64, handle, data, size / 2, place));
}
ssize_t pwrite64(int handle, const void *data, size_t size, off64_t place) {
  WRITES(pwrite64, real(handle, data, size, place), syscall(SYS_pwrite64, handle, data, size / 2, place));
}
ssize_t writev(int handle, const struct iovec *parts, int number) {
  WRITES(writev, real(handle, parts, number), syscall(SYS_writev, handle, parts, number / 2));
}
ssize_t sendfile(int handle, int from, off_t *place, size_t size) {
  WRITES(sendfile, real(handle, from, place, size), (void)0);
}
ssize_t sendfile64(int handle, int from, off64_t *place, size_t size) {
  WRITES(sendfile64, real(handle, from, place, size), (void)0);
}
ssize_t copy_file_range(int from, off64_t *place, int handle, off64_t *target, size_t size, unsigned flags) {
  WRITES(copy_file_range, real(from, place, handle, target, size, flags), (void)0);
}
int ftruncate(int handle, off_t size) {
  if (on_handle(GROW, "ftruncate", handle)) return -1;
  REAL(ftruncate);
  return real(handle, size);
}
int ftruncate64(int handle, off64_t size) {
  if (on_handle(GROW, "ftruncate", handle)) return -1;
  REAL(ftruncate64);
  return real(handle, size);
}
int fallocate(int handle, int mode, off_t place, off_t size) {
  if (on_handle(GROW, "fallocate", handle)) return -1;
  REAL(fallocate);
  return real(handle, mode, place, size);
}
int posix_fallocate(int handle, off_t place, off_t size) {
  if (on_handle(GROW, "fallocate", handle)) return errno;
  REAL(posix_fallocate);
  return real(handle, place, size);
}
int fsync(int handle) {
  if (on_handle(SYNC, "fsync", handle)) return -1;
  REAL(fsync);
  return real(handle);
}
int fdatasync(int handle) {
  if (on_handle(SYNC, "fsync", handle)) return -1;
  REAL(fdatasync);
  return real(handle);
}

static int on_rename(int from_folder, const char *from, int folder, const char *name) {
  char first[PATH_MAX], second[PATH_MAX], both[2 * PATH_MAX];
  if (!root_length) return 0;
  const char *target = whole(folder, name, second);
  if (!is_below(target)) return on_path(CHANGE, "rename", from_folder, from);
  snprintf(both, sizeof both, "%s\t%s", target, whole(from_folder, from, first));
  return count(CHANGE, "rename", both);
}
int rename(const char *from, const char *name) {
  if (on_rename(AT_FDCWD, from, AT_FDCWD, name)) return -1;
  REAL(rename);
  return real(from, name);
}
int renameat(int from_folder, const char *from, int folder, const char *name) {
  if (on_rename(from_folder, from, folder, name)) return -1;
  REAL(renameat);
  return real(from_folder, from, folder, name);
}
int link(const char *from, const char *name) {
  if (on_rename(AT_FDCWD, from, AT_FDCWD, name)) return -1;
  REAL(link);
  return real(from, name);
}
int linkat(int from_folder, const char *from, int folder, const char *name, int flags) {
  if (on_rename(from_folder, from, folder, name)) return -1;
  REAL(linkat);
  return real(from_folder, from, folder, name, flags);
}
int symlink(const char *target, const char *name) {
  if (on_path(GROW, "symlink", AT_FDCWD, name)) return -1;
  REAL(symlink);
  return real(target, name);
}
int symlinkat(const char *target, int folder, const char *name) {
  if (on_path(GROW, "symlink", folder, name)) return -1;
  REAL(symlinkat);
  return real(target, folder, name);
}
int unlink(const char *name) {
  if (on_path(CHANGE, "unlink", AT_FDCWD, name)) return -1;
  REAL(unlink);
  return real(name);
}
int unlinkat(int folder, const char *name, int flags) {
  if (on_path(CHANGE, "unlink", folder, name)) return -1;
  REAL(unlinkat);
  return real(folder, name, flags);
}
int rmdir(const char *name) {
  if (on_path(CHANGE, "rmdir", AT_FDCWD, name)) return -1;
  REAL(rmdir);
  return real(name);
}
int mkdir(const char *name, mode_t mode) {
  struct stat there;
  if (lstat(name, &there) && on_path(GROW, "mkdir", AT_FDCWD, name)) return -1;
  REAL(mkdir);
  return real(name, mode);
}
int mkdirat(int folder, const char *name, mode_t mode) {
  struct stat there;
  if (fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) && on_path(GROW, "mkdir", folder, name)) return -1;
  REAL(mkdirat);
  return real(folder, name, mode);
}
int chmod(const char *name, mode_t mode) {
  if (kind == READONLY && on_path(CHANGE, "chmod", AT_FDCWD, name)) return -1;
  REAL(chmod);
  return real(name, mode);
}
int access(const char *name, int mode) {
  char buffer[PATH_MAX];
  if (kind == READONLY && (mode & W_OK) && is_below(whole(AT_FDCWD, name, buffer))) return errno = EROFS, -1;
  REAL(access);
  return real(name, mode);
}
int faccessat(int folder, const char *name, int mode, int flags) {
  char buffer[PATH_MAX];
  if (kind == READONLY && (mode & W_OK) && is_below(whole(folder, name, buffer))) return errno = EROFS, -1;
  REAL(faccessat);
  return real(folder, name, mode, flags);
}

/* Opening is a deed where it makes a file, or empties one. */
static int on_open(int folder, const char *name, int flags) {
  char buffer[PATH_MAX];
  struct stat there;
  if (!root_length) return 0;
  const char *path = whole(folder, name, buffer);
  if (!is_below(path)) return 0;
  if ((flags & O_TMPFILE) == O_TMPFILE) return count(GROW, "create", path);
  if (kind == READONLY && (flags & (O_WRONLY | O_RDWR))) return errno = EROFS, -1;
  int is_there = !lstat(path, &there);
  if ((flags & O_CREAT) && !is_there) return count(GROW, "create", path);
  if ((flags & O_TRUNC) && is_there && there.st_size) return count(CHANGE, "empty", path);
  return 0;
}

#define OPENS(name, folder, ...) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list more; \
    va_start(more, flags); \
    mode = va_arg(more, mode_t); \
    va_end(more); \
  } \
  if (on_open(folder, path, flags)) return -1; \
  REAL(name); \
  return real(__VA_ARGS__, flags, mode)

int open(const char *path, int flags, ...) { OPENS(open, AT_FDCWD, path); }
int open64(const char *path, int flags, ...) { OPENS(open64, AT_FDCWD, path); }
int openat(int folder, const char *path, int flags, ...) { OPENS(openat, folder, folder, path); }
int openat64(int folder, const char *path, int flags, ...) { OPENS(openat64, folder, folder, path); }

ssize_t read(int handle, void *data, size_t size) {
  if (on_read(handle)) return -1;
  REAL(read);
  return real(handle, data, size);
}
ssize_t pread(int handle, void *data, size_t size, off_t place) {
  if (on_read(handle)) return -1;
  REAL(pread);
  return real(handle, data, size, place);
}
ssize_t pread64(int handle, void *data, size_t size, off64_t place) {
  if (on_read(handle)) return -1;
  REAL(pread64);
  return real(handle, data, size, place);
}

static int64_t late(void) {
  if (kind != BACK) return 0;
  uint64_t number = __atomic_add_fetch(&looks, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(book, number, __ATOMIC_SEQ_CST);
  return at && number >= at ? back_seconds : 0;
}
int clock_gettime(clockid_t which, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, which, now);
  if (!failed && which == CLOCK_REALTIME) now->tv_sec -= late();
  return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int failed = (int)syscall(SYS_gettimeofday, now, zone);
  if (!failed) now->tv_sec -= late();
  return failed;
}
time_t time(time_t *where) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  time_t moment = now.tv_sec - late();
  if (where) *where = moment;
  return moment;
}
