/*
 * The system calls that a confined run can make: a filter of seccomp. It refuses calls that no
 * decoder, stage or encoder needs and that reach other programs, other files or much of the kernel.
 * Everything else is allowed, because libraries and drivers differ in the calls they make. A refused
 * call fails with EPERM, so that a library that only tries it goes on.
 */
#define _GNU_SOURCE
#include "base/sandbox_calls.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "base/sandbox_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define OWN_PROCESSOR AUDIT_ARCH_X86_64
#define X32_CALLS     0x40000000u        /* from this number on, calls of another interface */
#else
#define OWN_PROCESSOR AUDIT_ARCH_AARCH64
#endif

/* Verdicts on a call. Most of them depend on an argument, or on what the run needs. */
enum verdict {
    REFUSED, ABSENT, ALLOWED, FOR_DRIVER, CONNECTING, SERVING, RECEIVING, FOR_HELPER, FOR_ROOT, OWN_PROCESS,
    OWN_LIMITS, OWN_OR_ZERO, OWN_THREAD, THREAD, IOCTL, IOCTL_OF_DRIVER, FCNTL, UNIX_SOCKET, CREATE, OPEN, OPEN_AT
};

struct call {
    int number;
    enum verdict verdict;
};

/* Older headers lack calls with a number from 424 on, which is the same on all processors. */
static const struct call calls[] = {
    /* other programs */
    { SYS_execve, REFUSED }, { SYS_execveat, REFUSED }, { SYS_clone, THREAD }, { 435 /* clone3 */, ABSENT },
    { SYS_ptrace, REFUSED }, { SYS_process_vm_readv, REFUSED }, { SYS_process_vm_writev, REFUSED },
    { SYS_kcmp, REFUSED }, { SYS_kill, OWN_PROCESS }, { SYS_tgkill, OWN_PROCESS }, { SYS_rt_sigqueueinfo, REFUSED },
    { SYS_rt_tgsigqueueinfo, REFUSED }, { SYS_prlimit64, OWN_LIMITS }, { SYS_setrlimit, FOR_DRIVER },
    { 424 /* pidfd_send_signal */, REFUSED },
    { 434 /* pidfd_open */, REFUSED }, { 438 /* pidfd_getfd */, REFUSED }, { 440 /* process_madvise */, REFUSED },
    { 448 /* process_mrelease */, REFUSED }, { SYS_setpriority, REFUSED }, { SYS_ioprio_set, REFUSED },
    { SYS_sched_setaffinity, OWN_OR_ZERO }, { SYS_sched_setscheduler, OWN_OR_ZERO },
    { SYS_sched_setparam, OWN_OR_ZERO }, { SYS_sched_setattr, OWN_OR_ZERO }, { SYS_setsid, FOR_HELPER },
    { SYS_setpgid, REFUSED },
    { SYS_migrate_pages, REFUSED }, { SYS_move_pages, REFUSED }, { SYS_ioctl, IOCTL }, { SYS_fcntl, FCNTL },
    /* messages to other programs; an inherited socket can still be read and written */
    { SYS_socket, UNIX_SOCKET }, { SYS_socketpair, UNIX_SOCKET }, { SYS_connect, CONNECTING }, { SYS_bind, FOR_DRIVER },
    { SYS_listen, FOR_DRIVER }, { SYS_accept, FOR_DRIVER }, { SYS_accept4, SERVING }, { SYS_sendto, FOR_DRIVER },
    { SYS_sendmsg, SERVING }, { SYS_sendmmsg, FOR_DRIVER }, { SYS_recvmsg, RECEIVING },
    { SYS_recvmmsg, FOR_DRIVER }, { SYS_shmget, FOR_DRIVER }, { SYS_shmat, FOR_DRIVER }, { SYS_shmctl, FOR_DRIVER },
    { SYS_shmdt, FOR_DRIVER }, { SYS_semget, REFUSED }, { SYS_semop, REFUSED }, { SYS_semtimedop, REFUSED },
    { SYS_semctl, REFUSED }, { SYS_msgget, REFUSED }, { SYS_msgsnd, REFUSED }, { SYS_msgrcv, REFUSED },
    { SYS_msgctl, REFUSED }, { SYS_mq_open, REFUSED }, { SYS_mq_unlink, REFUSED },
    /* what Landlock does not control: modes, owners, times and attributes of files, and handles */
    { SYS_openat, OPEN_AT }, { 437 /* openat2 */, ABSENT }, { SYS_fchmod, REFUSED }, { SYS_fchown, FOR_ROOT },
    { SYS_truncate, REFUSED }, { SYS_fchmodat, REFUSED }, { 452 /* fchmodat2 */, REFUSED }, { SYS_fchownat, REFUSED },
    { SYS_utimensat, REFUSED }, { SYS_setxattr, REFUSED }, { SYS_lsetxattr, REFUSED }, { SYS_fsetxattr, REFUSED },
    { SYS_removexattr, REFUSED }, { SYS_lremovexattr, REFUSED }, { SYS_fremovexattr, REFUSED },
    { 463 /* setxattrat */, REFUSED }, { 466 /* removexattrat */, REFUSED }, { 469 /* file_setattr */, REFUSED },
    { SYS_mknodat, REFUSED }, { SYS_name_to_handle_at, REFUSED }, { SYS_open_by_handle_at, REFUSED },
    { SYS_inotify_init1, REFUSED }, { SYS_fanotify_init, REFUSED },
    /* parts of the kernel that no run needs and that have had many errors */
    { SYS_keyctl, REFUSED }, { SYS_add_key, REFUSED }, { SYS_request_key, REFUSED }, { SYS_bpf, REFUSED },
    { SYS_perf_event_open, REFUSED }, { SYS_userfaultfd, REFUSED }, { 425 /* io_uring_setup */, REFUSED },
    { 426 /* io_uring_enter */, REFUSED }, { 427 /* io_uring_register */, REFUSED }, { SYS_vmsplice, REFUSED },
    { 447 /* memfd_secret */, REFUSED }, { SYS_personality, REFUSED },
    /* the system */
    { SYS_mount, REFUSED }, { SYS_umount2, REFUSED }, { SYS_pivot_root, REFUSED }, { SYS_chroot, REFUSED },
    { SYS_unshare, REFUSED }, { SYS_setns, REFUSED }, { 428 /* open_tree */, REFUSED },
    { 429 /* move_mount */, REFUSED }, { 430 /* fsopen */, REFUSED }, { 431 /* fsconfig */, REFUSED },
    { 432 /* fsmount */, REFUSED }, { 433 /* fspick */, REFUSED }, { 442 /* mount_setattr */, REFUSED },
    { 467 /* open_tree_attr */, REFUSED },
    { SYS_swapon, REFUSED }, { SYS_swapoff, REFUSED }, { SYS_reboot, REFUSED }, { SYS_kexec_load, REFUSED },
    { SYS_init_module, REFUSED }, { SYS_finit_module, REFUSED }, { SYS_delete_module, REFUSED }, { SYS_acct, REFUSED },
    { SYS_quotactl, REFUSED }, { 443 /* quotactl_fd */, REFUSED }, { SYS_settimeofday, REFUSED },
    { SYS_clock_settime, REFUSED }, { SYS_adjtimex, REFUSED }, { SYS_clock_adjtime, REFUSED },
    { SYS_sethostname, REFUSED }, { SYS_setdomainname, REFUSED }, { SYS_syslog, REFUSED }, { SYS_vhangup, REFUSED },
    /* other users, for root */
    { SYS_setuid, REFUSED }, { SYS_setgid, REFUSED }, { SYS_setreuid, REFUSED }, { SYS_setregid, REFUSED },
    { SYS_setresuid, REFUSED }, { SYS_setresgid, REFUSED }, { SYS_setfsuid, REFUSED }, { SYS_setfsgid, REFUSED },
    { SYS_setgroups, REFUSED }, { SYS_capset, REFUSED },
#ifdef SYS_kexec_file_load
    { SYS_kexec_file_load, REFUSED },
#endif
#ifdef __GLIBC__
    { SYS_tkill, REFUSED },              /* other C libraries send their own signals with it */
#endif
#ifdef __x86_64__
    { SYS_open, OPEN }, { SYS_creat, CREATE },
    { SYS_fork, REFUSED }, { SYS_vfork, REFUSED }, { SYS_chmod, REFUSED }, { SYS_chown, REFUSED },
    { SYS_lchown, REFUSED }, { SYS_utime, REFUSED }, { SYS_utimes, REFUSED }, { SYS_futimesat, REFUSED },
    { SYS_mknod, REFUSED }, { SYS_inotify_init, REFUSED }, { SYS_iopl, REFUSED }, { SYS_ioperm, REFUSED },
    { SYS_modify_ldt, REFUSED },
#endif
};
#define HELPER_PROCESS (CLONE_VM | CLONE_FILES | SIGCHLD)       /* how gf_leave() starts the second process */
#define CALLS      (sizeof calls / sizeof *calls)
#define COUNT(a)   (sizeof (a) / sizeof *(a))
#define SOCKET_TYPES 15                   /* the bits of a socket's type; the others are flags */
#define LEAF_CALLS 4                     /* calls that are compared one by one */

struct filter {
    struct gf_filter_code code;
    struct call call[CALLS];             /* sorted by number */
    unsigned process;
};

#define NUMBER      offsetof(struct seccomp_data, nr)
#define PROCESSOR   offsetof(struct seccomp_data, arch)
#define ARGUMENT(i) ((unsigned)offsetof(struct seccomp_data, args[i]))   /* its lower half: all of these are int */

/* Allows a call if its first argument is one of two values. */
static void put_choice(struct gf_filter_code *f, unsigned a, unsigned b)
{
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(0), 0, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, a, 1, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, b, 0, 1);
    gf_filter_put_result(f, 0);
    gf_filter_put_result(f, EPERM);
}

/* Commands of fcntl() that send signals to any process, or watch or delay the use of a file by others. */
static const unsigned refused_fcntl[] = { F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY };

/* Commands of ioctl() that a run on the CPU makes: they ask for the mode and the size of a terminal. */
static const unsigned allowed_ioctl[] = { TCGETS, 0x802c542au /* TCGETS2 */, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX };

/*
 * A driver has many commands, so a run on a GPU is only refused those that send signals to any
 * process, and those that type into a terminal or change whose terminal it is.
 */
static const unsigned refused_ioctl[] = { FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI, TIOCLINUX, TIOCCONS,
                                          TIOCSPGRP, TIOCSCTTY, TIOCNOTTY, TIOCSETD };

/*
 * Types of commands of file systems: several, XFS, several, FAT, Btrfs. Some of them change a file or
 * folder that is open only for reading.
 */
static const unsigned refused_types[] = { 'f' << 8, 'X' << 8, 'v' << 8, 'r' << 8, 0x94 << 8 };

/* Appends the result of a call whose second argument is one of these commands, and that of all others. */
static void put_commands(struct gf_filter_code *f, const unsigned *command, size_t count, int listed, int others)
{
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(1), 0, 0);
    gf_filter_put_list(f, command, count, listed);
    gf_filter_put_result(f, others);
}

static void put_ioctl_of_driver(struct gf_filter_code *f)
{
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(1), 0, 0);
    gf_filter_put_list(f, refused_ioctl, COUNT(refused_ioctl), EPERM);
    gf_filter_put(f, GF_FILTER_AND, 0xff00, 0, 0);
    gf_filter_put_list(f, refused_types, COUNT(refused_types), EPERM);
    gf_filter_put_result(f, 0);
}

/* Allows a process to ask for limits. It must not raise its own, such as that of CPU time. */
static void put_limits(struct gf_filter_code *f)
{
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(2), 0, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, 0, 0, 3);
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(2) + 4, 0, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, 0, 0, 1);
    gf_filter_put_result(f, 0);
    gf_filter_put_result(f, EPERM);
}

/*
 * Allows sockets that have to connect before they send. The others could send to any socket of the
 * system's services, to an address in memory, which a filter cannot read.
 */
static void put_socket(struct gf_filter_code *f)
{
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(0), 0, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, AF_UNIX, 0, 4);
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(1), 0, 0);
    gf_filter_put(f, GF_FILTER_AND, SOCKET_TYPES, 0, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, SOCK_STREAM, 2, 0);
    gf_filter_put(f, GF_FILTER_EQUAL, SOCK_SEQPACKET, 1, 0);
    gf_filter_put_result(f, EPERM);
    gf_filter_put_result(f, 0);
}

/*
 * Refuses to create a file that would run with the rights of its owner. Its mode is the argument after
 * the flags. The kernel empties files also if they are not opened for writing, and Landlock below
 * version 3 allows that. The access mode O_ACCMODE neither reads nor writes, and Landlock allows it everywhere.
 */
static void put_creation(struct gf_filter_code *f, int flags, int mode)
{
    static const unsigned odd[] = { O_TRUNC | O_RDONLY, O_TRUNC | O_ACCMODE, O_ACCMODE };

    if (flags >= 0) {
        gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(flags), 0, 0);
        gf_filter_put(f, GF_FILTER_AND, O_TRUNC | O_ACCMODE, 0, 0);
        gf_filter_put_list(f, odd, COUNT(odd), EPERM);
        gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(flags), 0, 0);
        gf_filter_put(f, GF_FILTER_HAS_BITS, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 1, 0);
        gf_filter_put_result(f, 0);
    }
    gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(mode), 0, 0);
    gf_filter_put(f, GF_FILTER_HAS_BITS, S_ISUID | S_ISGID | S_ISVTX, 0, 1);
    gf_filter_put_result(f, EPERM);
    gf_filter_put_result(f, 0);
}

/* Appends what happens to a call. */
static void put_verdict(struct gf_filter_code *f, enum verdict verdict, unsigned process)
{
    switch (verdict) {
    case OWN_PROCESS: put_choice(f, process, process); break;
    case OWN_OR_ZERO: put_choice(f, process, 0); break;
    case OWN_LIMITS: put_limits(f); break;
    case UNIX_SOCKET: put_socket(f); break;
    case CREATE: put_creation(f, -1, 1); break;
    case OPEN: put_creation(f, 1, 2); break;
    case OPEN_AT: put_creation(f, 2, 3); break;
    case OWN_THREAD:
    case THREAD:
        gf_filter_put(f, GF_FILTER_LOAD, ARGUMENT(0), 0, 0);
        gf_filter_put(f, GF_FILTER_HAS_BITS, CLONE_THREAD, 2, 0);
        gf_filter_put(f, GF_FILTER_EQUAL, verdict == THREAD ? HELPER_PROCESS : CLONE_THREAD, 1, 0);
        gf_filter_put_result(f, EPERM);
        gf_filter_put_result(f, 0);
        break;
    case IOCTL: put_commands(f, allowed_ioctl, COUNT(allowed_ioctl), 0, EPERM); break;
    case IOCTL_OF_DRIVER: put_ioctl_of_driver(f); break;
    case FCNTL: put_commands(f, refused_fcntl, COUNT(refused_fcntl), EPERM, 0); break;
    default: gf_filter_put_result(f, verdict == ALLOWED ? 0 : verdict == ABSENT ? ENOSYS : EPERM); break;
    }
}

/*
 * Appends a search for the number among calls [begin, end). The kernel runs it for each call that
 * is not always allowed, and once for all calls at the start, so that it is a tree.
 */
static void put_search(struct filter *f, size_t begin, size_t end)
{
    struct gf_filter_code *const code = &f->code;
    const size_t middle = begin + (end - begin) / 2;
    unsigned short at;

    if (end - begin > LEAF_CALLS) {
        gf_filter_put(code, GF_FILTER_AT_LEAST, (unsigned)f->call[middle].number, 0, 1);
        at = code->used;
        gf_filter_put(code, GF_FILTER_JUMP, 0, 0, 0);
        put_search(f, begin, middle);
        gf_filter_aim(code, at);
        put_search(f, middle, end);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        at = code->used;
        gf_filter_put(code, GF_FILTER_EQUAL, (unsigned)f->call[i].number, 0, 0);
        put_verdict(code, f->call[i].verdict, f->process);
        gf_filter_aim(code, at);
    }
    gf_filter_put_result(code, 0);
}

static int by_number(const void *a, const void *b)
{
    return ((const struct call *)a)->number - ((const struct call *)b)->number;
}

/* Replaces verdicts that depend on the run. */
static enum verdict decide(enum verdict verdict, const struct gf_sandbox_needs *needs)
{
    if (verdict == SERVING || verdict == RECEIVING)
        return needs->gpu || needs->serves || (verdict == RECEIVING && needs->stays) ? ALLOWED : REFUSED;
    if (verdict == FOR_DRIVER || verdict == UNIX_SOCKET)
        return !needs->gpu && !(verdict == UNIX_SOCKET && needs->serves) ? REFUSED
             : verdict == UNIX_SOCKET ? UNIX_SOCKET : ALLOWED;
    if (verdict == CONNECTING)
        return needs->connects ? ALLOWED : REFUSED;
    if (verdict == IOCTL)
        return needs->gpu ? IOCTL_OF_DRIVER : IOCTL;
    if (verdict == FOR_HELPER)
        return needs->helper ? ALLOWED : REFUSED;
    if (verdict == FOR_ROOT)
        return geteuid() == 0 ? ALLOWED : REFUSED;
    if (verdict == OWN_LIMITS)
        return needs->gpu ? OWN_OR_ZERO : OWN_LIMITS;
    return verdict == THREAD && !needs->helper ? OWN_THREAD : verdict;
}

static void build(struct filter *f, const struct gf_sandbox_needs *needs)
{
    struct gf_filter_code *const code = &f->code;

    f->process = (unsigned)getpid();
    for (size_t i = 0; i < CALLS; i++)
        f->call[i] = (struct call) { calls[i].number, decide(calls[i].verdict, needs) };
    qsort(f->call, CALLS, sizeof *f->call, by_number);
    gf_filter_put(code, GF_FILTER_LOAD, PROCESSOR, 0, 0);
    gf_filter_put(code, GF_FILTER_EQUAL, OWN_PROCESSOR, 1, 0);
    gf_filter_put_result(code, EPERM);
    gf_filter_put(code, GF_FILTER_LOAD, NUMBER, 0, 0);
#ifdef X32_CALLS
    gf_filter_put(code, GF_FILTER_AT_LEAST, X32_CALLS, 0, 1);
    gf_filter_put_result(code, EPERM);
#endif
    put_search(f, 0, CALLS);
}

/* The rights of root that a run can need: to use files of all users, to keep their owners, and reserved space. */
#define RIGHT(n)    (1u << (n))
#define KEPT_RIGHTS (RIGHT(CAP_CHOWN) | RIGHT(CAP_DAC_OVERRIDE) | RIGHT(CAP_DAC_READ_SEARCH) | RIGHT(CAP_FOWNER) \
                     | RIGHT(CAP_SYS_RESOURCE))

/* Gives up the other rights of root, such as those over the kernel. A driver may need them. */
static void drop_rights(void)
{
    struct __user_cap_header_struct self = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];

    if (syscall(SYS_capget, &self, rights) != 0)
        return;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        rights[i].permitted &= i == 0 ? KEPT_RIGHTS : 0;
        rights[i].effective &= rights[i].permitted;
        rights[i].inheritable = 0;
    }
    syscall(SYS_capset, &self, rights);          /* succeeds, because it only takes rights away */
}

int gf_sandbox_restrict_calls(const struct gf_sandbox_needs *needs)
{
    /* mitigations of speculative execution within one process would slow down everything */
    static const unsigned flags[] = { SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                                      SECCOMP_FILTER_FLAG_TSYNC };
    struct filter f = { 0 };
    struct sock_fprog program;
    long result = -1;

    if (!needs->gpu)
        drop_rights();
    build(&f, needs);
    if (f.code.broken)
        return EOVERFLOW;
    program = (struct sock_fprog) { .len = f.code.used, .filter = f.code.code };
    for (size_t i = 0; i < sizeof flags / sizeof *flags && result != 0; i++)
        result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &program);
    /* a positive result is the number of a thread that has another filter */
    return result == 0 ? 0 : result > 0 ? ESRCH : errno;
}

#else

int gf_sandbox_restrict_calls(const struct gf_sandbox_needs *needs)
{
    (void)needs;
    return ENOSYS;
}

#endif
