/* Writing that fails: every call that makes, writes, flushes, closes or renames a file below one folder is counted,
   and the one of a given number fails. Loaded before the system's library (LD_PRELOAD), so that it meets Python,
   GDAL and ffmpeg alike. What a close or a flush could not bring to the disk is lost: the file's end is cut off. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define LOST 300 /* bytes that do not reach the disk */

struct control { /* tests.faults.layer writes it; shared by all processes */
    int32_t at, error, lasting, count;
    char folder[1008];
};
static struct control *it;
static int told = -1;

/* a process that was forked begins anew, with the control that its environment names */
__attribute__((constructor)) void faults_begin(void) {
    const char *name = getenv("FAULTS_CONTROL"), *words = getenv("FAULTS_LOG");
    int file = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0) : -1;
    if (file < 0) return;
    void *place = mmap(NULL, sizeof *it, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (place != MAP_FAILED) it = place;
    if (words) told = (int)syscall(SYS_openat, AT_FDCWD, words, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int fails(const char *what, const char *path, int takes_room) {
    if (!it || !it->folder[0] || !path || strncmp(path, it->folder, strlen(it->folder))) return 0;
    int n = __atomic_add_fetch(&it->count, 1, __ATOMIC_SEQ_CST), at = it->at;
    int now = at && (n == at || (it->lasting && n > at && takes_room));
    char line[1400];
    int length = snprintf(line, sizeof line, "%d %s %s%s\n", n, what, path + strlen(it->folder), now ? " FAILS" : "");
    if (told >= 0) syscall(SYS_write, told, line, length);
    if (now) errno = it->error;
    return now;
}

static int of(const char *what, int handle, int takes_room) {
    int before = errno;
    char link[40], path[1024];
    struct stat about;
    if (!it || !it->folder[0] || fstat(handle, &about) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
        errno = before;
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    long n = syscall(SYS_readlink, link, path, sizeof path - 1);
    errno = before;
    if (n <= 0) return 0;
    path[n] = 0;
    return fails(what, path, takes_room);
}

static void lose(int handle) {
    int before = errno;
    struct stat about;
    if (!fstat(handle, &about) && S_ISREG(about.st_mode)) {
        off_t left = about.st_size > LOST ? about.st_size - LOST : 0;
        char link[40];
        snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
        if (syscall(SYS_ftruncate, handle, left)) syscall(SYS_truncate, link, left);
    }
    errno = before;
}

static int writable(int handle) {
    int flags = fcntl(handle, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* ---- calls of the system ---- */

#define OPEN(name, folder, at) \
    int name(folder const char *path, int flags, ...) { \
        REAL(name); \
        __builtin_va_list rest; \
        __builtin_va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? __builtin_va_arg(rest, mode_t) : 0; \
        __builtin_va_end(rest); \
        if ((flags & O_CREAT) && fails("open", path, 1)) return -1; \
        return real(at path, flags, mode); \
    }
#define COMMA ,
OPEN(open, , )
OPEN(open64, , )
OPEN(openat, int folder COMMA, folder COMMA)
OPEN(openat64, int folder COMMA, folder COMMA)

#define CALL(type, name, taken, given, failing) \
    type name taken { \
        REAL(name); \
        return (failing) ? -1 : real given; \
    }
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), fails("mkdir", path, 1))
CALL(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), fails("mkdir", path, 1))
CALL(int, rename, (const char *from, const char *to), (from, to), fails("rename", to, 0))
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), fails("rename", to, 0))
CALL(ssize_t, write, (int handle, const void *data, size_t n), (handle, data, n), of("write", handle, 1))
CALL(ssize_t, writev, (int handle, const struct iovec *data, int n), (handle, data, n), of("writev", handle, 1))
CALL(ssize_t, pwrite, (int handle, const void *data, size_t n, off_t at), (handle, data, n, at), of("pwrite", handle, 1))
CALL(ssize_t, pwrite64, (int handle, const void *data, size_t n, off64_t at), (handle, data, n, at), of("pwrite", handle, 1))
CALL(ssize_t, copy_file_range, (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags),
     (in, from, out, to, n, flags), of("copy", out, 1))
CALL(int, ftruncate, (int handle, off_t n), (handle, n), of("truncate", handle, 0))
CALL(int, ftruncate64, (int handle, off64_t n), (handle, n), of("truncate", handle, 0))

#define FLUSH(name) \
    int name(int handle) { \
        REAL(name); \
        if (!of("fsync", handle, 0)) return real(handle); \
        lose(handle); \
        return -1; \
    }
FLUSH(fsync)
FLUSH(fdatasync)
int close(int handle) {
    REAL(close);
    if (!it || !it->folder[0] || !writable(handle) || !of("close", handle, 0)) return real(handle);
    int error = errno;
    lose(handle);
    real(handle);
    errno = error;
    return -1;
}

/* ---- streams: their own writes do not come by here ---- */

#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        REAL(name); \
        return strpbrk(mode, "wa+") && fails("fopen", path, 1) ? NULL : real(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

size_t fwrite(const void *data, size_t size, size_t n, FILE *stream) {
    REAL(fwrite);
    if (!it || !it->folder[0] || !of("fwrite", fileno(stream), 1)) return real(data, size, n, stream);
    return 0;
}
int fflush(FILE *stream) {
    REAL(fflush);
    if (!stream || !it || !it->folder[0] || !__fwritable(stream) || !of("fflush", fileno(stream), 0)) return real(stream);
    __fpurge(stream);
    return EOF;
}
int fclose(FILE *stream) {
    REAL(fclose);
    if (!it || !it->folder[0] || !__fwritable(stream) || !of("fclose", fileno(stream), 0)) return real(stream);
    int error = errno;
    __fpurge(stream);
    lose(fileno(stream));
    real(stream);
    errno = error;
    return EOF;
}
