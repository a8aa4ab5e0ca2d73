/*
 * Logs what the CUDA driver asks of the system for addresses; it reads, and changes nothing. From this the rule of
 * docs/plan.md, "Where segments lie", was read (driver 580.159, PyTorch 2.11, H100):
 *
 *     gcc -O1 -shared -fPIC -o driver_calls.so driver_calls.c -ldl
 *     DRIVER_CALLS=/tmp/log LD_PRELOAD=./driver_calls.so python script.py
 *
 * /tmp/log.PID has a line for each: "U 73 ADDRESS BYTES" a range is taken, "U 34 ADDRESS" it is given back, "M" and "m" a
 * large mapping of the process, "A" and "F" an object of the driver's, "# TEXT" what the script said with driver_mark() or driver_set().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static int out = -1;
static void put(const char *b, int n) { if (out >= 0) syscall(SYS_write, out, b, n); }
static char now[400]; static int told = 1;
/* the operation under way: written before the next thing that the driver asks for */
void driver_set(const char *text) { strncpy(now, text, sizeof now - 1); told = 0; }
static void say(void) { if (!told) { told = 1; char b[420]; put(b, snprintf(b, sizeof b, "# %.380s\n", now)); } }
void driver_mark(const char *text) { char b[400]; put(b, snprintf(b, sizeof b, "# %.380s\n", text)); }
static int hooked(int fd, unsigned long req, void *arg) {
    long r = syscall(SYS_ioctl, fd, req, arg);
    if (out >= 0 && arg) {
        char b[900]; int n = 0;
        uint64_t *q = arg; uint32_t *d = arg;
        if (req < 0x100) {
            if (req == 33 || req == 34 || req == 73 || req == 66 || req == 72 || req == 68 || req == 65 || req == 1 || req == 2 || req == 27 || req == 74)
                n = snprintf(b, sizeof b, "U %lu %lx %lx %lx\n", req, q[0], q[1], q[2]);
        } else if (((req >> 8) & 0xff) == 'F') {
            unsigned nr = req & 0xff;
            if (nr == 0x57 || nr == 0x58)
                n = snprintf(b, sizeof b, "D %x %x %x %x %x off %lx len %lx q4 %lx q5 %lx q6 %lx\n", nr, d[0], d[1], d[2], d[3], q[2], q[3], q[4], q[5], q[6]);
            else if (nr == 0x2b) {
                uint32_t cl = d[3]; uint32_t *p = *(uint32_t **) (d + 4);
                n = snprintf(b, sizeof b, "A class %x parent %x new %x", cl, d[1], d[2]);
                if (p && (cl == 0x40 || cl == 0x3e || cl == 0x70 || cl == 0x41))
                    for (int i = 0; i < 32; i++) n += snprintf(b + n, sizeof b - n, " %x", p[i]);
                n += snprintf(b + n, sizeof b - n, "\n");
            } else if (nr == 0x29) n = snprintf(b, sizeof b, "F free %x %x %x\n", d[0], d[1], d[2]);
        }
        if (n) { say(); put(b, n); }
    }
    return (int) r;   /* glibc's syscall() has set errno */
}
int ioctl(int fd, unsigned long req, ...) { va_list a; va_start(a, req); void *p = va_arg(a, void *); va_end(a); return hooked(fd, req, p); }
void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t off) {
    void *r = (void *) syscall(SYS_mmap, at, n, prot, flags, fd, off);
    if (n >= (1 << 21)) { char b[200]; say(); put(b, snprintf(b, sizeof b, "M at %lx n %lx prot %x flags %x fd %d -> %lx\n", (long) at, n, prot, flags, fd, (long) r)); }
    return r;
}
void *mmap64(void *at, size_t n, int prot, int flags, int fd, off_t off) { return mmap(at, n, prot, flags, fd, off); }
int munmap(void *at, size_t n) {
    long r = syscall(SYS_munmap, at, n);
    if (n >= (1 << 21)) { char b[200]; say(); put(b, snprintf(b, sizeof b, "m at %lx n %lx\n", (long) at, n)); }
    return (int) r;
}
__attribute__((constructor)) static void begin(void) {
    const char *f = getenv("DRIVER_CALLS");
    if (!f) return;
    char name[300]; snprintf(name, sizeof name, "%s.%d", f, getpid());
    out = (int) syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    /* callers that do not come through the linker's table: libc's own entry jumps here */
    unsigned char *p = dlsym(RTLD_NEXT, "ioctl");
    if (p) {
        long page = sysconf(_SC_PAGESIZE); uintptr_t s = (uintptr_t) p & ~(page - 1);
        if (!mprotect((void *) s, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC)) {
            uint64_t to = (uint64_t) (uintptr_t) hooked;
            unsigned char j[13] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
            memcpy(j + 2, &to, 8); memcpy(p, j, 13);
            mprotect((void *) s, 2 * page, PROT_READ | PROT_EXEC);
        }
    }
}
