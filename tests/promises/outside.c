/*
 * Plays the rest of the system around a sandbox, for tests/promises/sandbox.sh.
 *   outside listen FILE SOCKET    listens on a TCP port of this machine, which it writes to FILE, and on
 *                                 a socket of this name; appends "connected" to FILE for each connection
 *   outside without|forbids|off landlock|seccomp|both COMMAND...
 *                                 runs the command as a kernel would that lacks these, a container that
 *                                 forbids them, or a kernel in which they are switched off
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define CREATE_RULES 444

static int listen_at(int family, const struct sockaddr *address, socklen_t size)
{
    const int fd = socket(family, SOCK_STREAM, 0);

    return fd >= 0 && bind(fd, address, size) == 0 && listen(fd, 10) == 0 ? fd : -1;
}

static int append(const char *file, const char *text, int number)
{
    FILE *f = fopen(file, "a");

    if (f == NULL)
        return -1;
    fprintf(f, text, number);
    return fclose(f);
}

static int wait_for_connections(const char *file, const char *name)
{
    struct sockaddr_in tcp = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un local = { .sun_family = AF_UNIX };
    socklen_t size = sizeof tcp;
    struct pollfd both[2] = { { .events = POLLIN }, { .events = POLLIN } };

    snprintf(local.sun_path, sizeof local.sun_path, "%s", name);
    both[0].fd = listen_at(AF_INET, (const struct sockaddr *)&tcp, sizeof tcp);
    both[1].fd = listen_at(AF_UNIX, (const struct sockaddr *)&local, sizeof local);
    if (both[0].fd < 0 || both[1].fd < 0 || getsockname(both[0].fd, (struct sockaddr *)&tcp, &size) != 0
        || append(file, "%d\n", ntohs(tcp.sin_port)) != 0)
        return 99;
    while (poll(both, 2, 60000) > 0)
        for (int i = 0; i < 2; i++)
            if (both[i].revents != 0 && (close(accept(both[i].fd, NULL, NULL)) != 0
                                         || append(file, "connected%.0d\n", 0) != 0))
                return 99;
    return 0;
}

/* Makes two system calls fail. */
static int fail_calls(int first, int second, unsigned error)
{
    struct sock_filter code[] = {
        { BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr) },
        { BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (unsigned)first },
        { BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)second },
        { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error },
        { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW },
    };
    const struct sock_fprog program = { sizeof code / sizeof *code, code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
               && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned error;
    } ways[] = { { "without", ENOSYS }, { "forbids", EPERM }, { "off", EOPNOTSUPP } };

    if (argc == 4 && strcmp(argv[1], "listen") == 0)
        return wait_for_connections(argv[2], argv[3]);
    for (size_t i = 0; i < sizeof ways / sizeof *ways && argc > 3; i++)
        if (strcmp(argv[1], ways[i].name) == 0
            && fail_calls(strcmp(argv[2], "seccomp") == 0 ? SYS_seccomp : CREATE_RULES,
                          strcmp(argv[2], "landlock") == 0 ? CREATE_RULES : SYS_seccomp, ways[i].error) == 0)
            execvp(argv[3], argv + 3);
    return 99;
}
