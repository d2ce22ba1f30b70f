/*
 * Tests which system calls the sandbox refuses, for runs on the CPU and for runs with the driver of a
 * GPU. The arguments are mostly invalid, so that calls which it allows fail with another error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox_calls.h"
#include "base/sandbox_filter.h"
#include "tests/tap.h"

enum run { OPEN, ON_CPU, ON_GPU, WITH_HELPER, RUNS };
static const char *const runs[] = { "without a sandbox", "on the CPU", "on a GPU", "with a second process" };
static const struct gf_sandbox_needs needs[] = {
    [ON_GPU] = { .gpu = true }, [WITH_HELPER] = { .gpu = true, .helper = true },
};

/* Bits of runs that are refused a call. */
#define IN(run) (1u << (run))
#define ALWAYS  (IN(ON_CPU) | IN(ON_GPU) | IN(WITH_HELPER))
#define NEVER   0u
#define PARENT  -2                       /* becomes the number of the parent process */

/* Commands of ioctl() that headers lack or that belong to one driver. */
#define ENABLE_VERITY      0x40806685L
#define SET_FAT_ATTRIBUTES 0x40047211L
#define DELETE_SUBVOLUME   0x5000940fL
#define SIMPLE_OF_NVIDIA   0xc020462aL
#define TSG_OF_TEGRA       0x5403L

static const struct attempt {
    const char *name;
    long number, argument[4];
    unsigned refused;
} attempts[] = {
    { "shmget", SYS_shmget, { IPC_PRIVATE, 0, 0 }, IN(ON_CPU) },
    { "shmat", SYS_shmat, { -1 }, IN(ON_CPU) },
    { "shmctl", SYS_shmctl, { -1, IPC_STAT }, IN(ON_CPU) },
    { "shmdt", SYS_shmdt, { 1 }, IN(ON_CPU) },
    { "semget", SYS_semget, { IPC_PRIVATE, -1 }, ALWAYS },
    { "semop", SYS_semop, { -1 }, ALWAYS },
    { "semtimedop", SYS_semtimedop, { -1 }, ALWAYS },
    { "semctl", SYS_semctl, { -1, 0, IPC_STAT }, ALWAYS },
    { "msgget", SYS_msgget, { 7 }, ALWAYS },
    { "msgsnd", SYS_msgsnd, { -1 }, ALWAYS },
    { "msgrcv", SYS_msgrcv, { -1 }, ALWAYS },
    { "msgctl", SYS_msgctl, { -1, IPC_STAT }, ALWAYS },
    { "mq_open", SYS_mq_open, { 0 }, ALWAYS },
    { "mq_unlink", SYS_mq_unlink, { 0 }, ALWAYS },
    { "sched_setaffinity of the parent", SYS_sched_setaffinity, { PARENT, 8, 0 }, ALWAYS },
    { "sched_setaffinity", SYS_sched_setaffinity, { 0, 8, 0 }, NEVER },
    { "sched_setscheduler of the parent", SYS_sched_setscheduler, { PARENT, SCHED_OTHER, 0 }, ALWAYS },
    { "sched_setparam of the parent", SYS_sched_setparam, { PARENT, 0 }, ALWAYS },
    { "sched_setattr of the parent", SYS_sched_setattr, { PARENT, 0, 0 }, ALWAYS },
    { "setsid", SYS_setsid, { 0 }, IN(ON_CPU) | IN(ON_GPU) },
    { "setpgid", SYS_setpgid, { -1 }, ALWAYS },
    { "FIOSETOWN", SYS_ioctl, { -1, FIOSETOWN }, ALWAYS },
    { "FIOSETOWN with bits that the kernel ignores", SYS_ioctl, { -1, FIOSETOWN | 1L << 32 }, ALWAYS },
    { "SIOCSPGRP", SYS_ioctl, { -1, SIOCSPGRP }, ALWAYS },
    { "FIOASYNC", SYS_ioctl, { -1, FIOASYNC }, ALWAYS },
    { "FS_IOC_SETFLAGS", SYS_ioctl, { -1, (long)FS_IOC_SETFLAGS }, ALWAYS },
    { "FS_IOC_FSSETXATTR", SYS_ioctl, { -1, (long)FS_IOC_FSSETXATTR }, ALWAYS },
    { "FS_IOC_ENABLE_VERITY", SYS_ioctl, { -1, ENABLE_VERITY }, ALWAYS },
    { "FIFREEZE", SYS_ioctl, { -1, (long)FIFREEZE }, ALWAYS },
    { "attributes of FAT", SYS_ioctl, { -1, SET_FAT_ATTRIBUTES }, ALWAYS },
    { "deleting a subvolume of Btrfs", SYS_ioctl, { -1, DELETE_SUBVOLUME }, ALWAYS },
    { "TIOCSTI", SYS_ioctl, { -1, TIOCSTI }, ALWAYS },
    { "TIOCLINUX", SYS_ioctl, { -1, TIOCLINUX }, ALWAYS },
    { "TIOCSPGRP", SYS_ioctl, { -1, TIOCSPGRP }, ALWAYS },
    { "TIOCSCTTY", SYS_ioctl, { -1, TIOCSCTTY }, ALWAYS },
    { "TIOCNOTTY", SYS_ioctl, { -1, TIOCNOTTY }, ALWAYS },
    { "TIOCSETD", SYS_ioctl, { -1, TIOCSETD }, ALWAYS },
    { "TCGETS", SYS_ioctl, { -1, TCGETS }, NEVER },
    { "TIOCGWINSZ", SYS_ioctl, { -1, TIOCGWINSZ }, NEVER },
    { "FIONREAD", SYS_ioctl, { -1, FIONREAD }, NEVER },
    { "a command of NVIDIA's driver", SYS_ioctl, { -1, SIMPLE_OF_NVIDIA }, IN(ON_CPU) },
    { "a command of the driver on Tegra", SYS_ioctl, { -1, TSG_OF_TEGRA }, IN(ON_CPU) },
    { "F_SETOWN", SYS_fcntl, { -1, F_SETOWN }, ALWAYS },
    { "F_SETOWN_EX", SYS_fcntl, { -1, F_SETOWN_EX }, ALWAYS },
    { "F_SETSIG", SYS_fcntl, { -1, F_SETSIG }, ALWAYS },
    { "F_SETLEASE", SYS_fcntl, { -1, F_SETLEASE }, ALWAYS },
    { "F_NOTIFY", SYS_fcntl, { -1, F_NOTIFY }, ALWAYS },
    { "F_GETFL", SYS_fcntl, { -1, F_GETFL }, NEVER },
    { "F_SETPIPE_SZ", SYS_fcntl, { -1, F_SETPIPE_SZ }, NEVER },
    { "move_pages", SYS_move_pages, { -1, 1 }, ALWAYS },
    { "fchmod", SYS_fchmod, { -1, 0600 }, ALWAYS },
    { "creating a file", SYS_openat, { AT_FDCWD, 0, O_CREAT | O_WRONLY, 0666 }, NEVER },
    { "creating a file with setuid", SYS_openat, { AT_FDCWD, 0, O_CREAT | O_WRONLY, 04755 }, ALWAYS },
    { "creating a file with setgid", SYS_openat, { AT_FDCWD, 0, O_CREAT | O_WRONLY, 02755 }, ALWAYS },
    { "creating a nameless file with setuid", SYS_openat, { AT_FDCWD, 0, O_TMPFILE | O_RDWR, 04700 }, ALWAYS },
    { "opening a folder, with any fourth argument", SYS_openat, { AT_FDCWD, 0, O_DIRECTORY, 07777 }, NEVER },
    { "emptying a file that is opened for reading", SYS_openat, { AT_FDCWD, 0, O_RDONLY | O_TRUNC }, ALWAYS },
    { "emptying a file that is opened for nothing", SYS_openat, { AT_FDCWD, 0, O_ACCMODE | O_TRUNC }, ALWAYS },
    { "opening a file for nothing", SYS_openat, { AT_FDCWD, 0, O_ACCMODE }, ALWAYS },
    { "emptying a file that is opened for writing", SYS_openat, { AT_FDCWD, 0, O_WRONLY | O_TRUNC }, NEVER },
    { "openat2", 437, { AT_FDCWD }, ALWAYS },
#ifdef SYS_open
    { "creating a file with setuid by open", SYS_open, { 0, O_CREAT | O_WRONLY, 04755 }, ALWAYS },
    { "open", SYS_open, { 0, O_RDONLY, 07777 }, NEVER },
    { "emptying a file that is opened for reading by open", SYS_open, { 0, O_RDONLY | O_TRUNC }, ALWAYS },
    { "creating a file with setuid by creat", SYS_creat, { 0, 04755 }, ALWAYS },
    { "creat", SYS_creat, { 0, 0666 }, NEVER },
#endif
    { "a stream", SYS_socket, { AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, -1 }, IN(ON_CPU) },
    { "a sequence of packets", SYS_socket, { AF_UNIX, SOCK_SEQPACKET, -1 }, IN(ON_CPU) },
    { "datagrams", SYS_socket, { AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, -1 }, ALWAYS },
    { "raw datagrams", SYS_socket, { AF_UNIX, SOCK_RAW, -1 }, ALWAYS },
    { "a pair for datagrams", SYS_socketpair, { AF_UNIX, SOCK_DGRAM, -1 }, ALWAYS },
    { "the network", SYS_socket, { AF_INET, SOCK_STREAM, -1 }, ALWAYS },
    { "setuid", SYS_setuid, { -1 }, ALWAYS },
    { "setgroups", SYS_setgroups, { -1 }, ALWAYS },
    { "capset", SYS_capset, { 0 }, ALWAYS },
};
#define ATTEMPTS (sizeof attempts / sizeof *attempts)

struct results {
    bool confined, refused[ATTEMPTS];
    unsigned rights;
};

/* Returns true if the sandbox seems to refuse the call, or hides that it exists. */
static bool is_refused(const struct attempt *a)
{
    const long first = a->argument[0] == PARENT ? getppid() : a->argument[0];

    errno = 0;
    return syscall(a->number, first, a->argument[1], a->argument[2], a->argument[3], 0, 0) < 0
        && (errno == EPERM || errno == ENOSYS);
}

/* The child makes the calls, and leaves the results in shared memory. */
static void attempt_all(enum run run, struct results *r)
{
    struct __user_cap_header_struct self = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

    r->confined = run == OPEN || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                                  && gf_sandbox_restrict_calls(&needs[run]) == 0);
    for (size_t i = 0; i < ATTEMPTS; i++)
        r->refused[i] = is_refused(&attempts[i]);
    if (syscall(SYS_capget, &self, rights) == 0)
        r->rights = rights[0].effective | rights[0].permitted;
}

static bool test(enum run run, struct results *all)
{
    struct results *const r = &all[run];
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        attempt_all(run, r);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = -1;
    gf_is(status, 0, "the calls are made %s", runs[run]);
    if (!r->confined)
        return false;
    for (size_t i = 0; i < ATTEMPTS; i++)
        if (run != OPEN || !r->refused[i])       /* the kernel or a container may refuse it anyway */
            gf_is(r->refused[i], (attempts[i].refused & IN(run)) != 0 || all[OPEN].refused[i], "%s %s",
                  attempts[i].name, runs[run]);
    return true;
}

/* A filter that does not fit is not used, rather than one with other jumps. */
static void test_lengths(void)
{
    static const unsigned many[300];
    struct gf_filter_code f = { 0 };
    unsigned short last;

    for (int i = 0; i < GF_FILTER_MOST; i++)
        gf_filter_put_result(&f, 0);
    gf_is(f.broken, false, "the longest filter");
    gf_filter_put_result(&f, 0);
    gf_is(f.used * 2 + f.broken, GF_FILTER_MOST * 2 + 1, "a filter that is one instruction longer");
    for (int count = 255; count <= 256; count++) {
        f = (struct gf_filter_code) { 0 };
        gf_filter_put(&f, GF_FILTER_EQUAL, 0, 0, count);
        gf_is(f.broken, count > 255, "a jump over %d instructions", count);
        f = (struct gf_filter_code) { 0 };
        gf_filter_put(&f, GF_FILTER_EQUAL, 0, 0, 0);
        last = f.used - 1;
        for (int i = 0; i < count; i++)
            gf_filter_put_result(&f, 0);
        gf_filter_aim(&f, last);
        gf_is(f.broken, count > 255, "a later jump over %d instructions", count);
    }
    f = (struct gf_filter_code) { 0 };
    gf_filter_put_list(&f, many, 256, 0);
    gf_is(f.broken, false, "a list of 256 values");
    f = (struct gf_filter_code) { 0 };
    gf_filter_put_list(&f, many, 257, 0);
    gf_is(f.broken, true, "a list of 257 values");
}

int main(void)
{
    struct results *r = mmap(NULL, RUNS * sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (r == MAP_FAILED)
        return 99;
    test_lengths();
    for (enum run run = OPEN; run < RUNS; run++)
        if (!test(run, r)) {
            printf("# system calls cannot be filtered here\n");
            return gf_tap_end();
        }
    gf_is(r[ON_CPU].rights & (1u << CAP_SETUID | 1u << CAP_SYS_ADMIN | 1u << CAP_SYS_PTRACE | 1u << CAP_KILL), 0,
          "rights of root over other users and the kernel on the CPU");
    gf_is(r[ON_CPU].rights & 1u << CAP_DAC_OVERRIDE, r[OPEN].rights & 1u << CAP_DAC_OVERRIDE,
          "rights of root over files on the CPU");
    return gf_tap_end();
}
