/*
 * Makes many calls of the program in one process, so that a GPU starts only once. Otherwise tests on a GPU would wait a
 * third of a second for each command.
 *
 *   call_many --serve SOCKET     makes calls, one after another, until the process that started it ends
 *   call_many ARGUMENT...        sends this call to the server at $GPUFILTER_CALLS, and returns its status
 *
 * A call has the folder, the environment and the standard streams of the process that sends it. It has the server's
 * umask and limits, static variables of earlier calls, and no sandbox; CUDA read the environment of the first call. Two
 * commands of one pipe cannot both be calls: the second would wait for the first.
 */
#define _GNU_SOURCE
#include "tests/promises/call_many.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define WAITING 64

extern char **environ;

/* The program's main() and exit(), renamed for this program. */
int gf_many_main(int argc, char **argv);
_Noreturn void gf_many_exit(int status);

static jmp_buf after_call;

/* A sandbox lasts until the process ends, and the next call has other files. */
int __wrap_gf_run_sandbox_enter(void);
int __wrap_gf_run_sandbox_enter(void)
{
    return 0;
}

void gf_many_exit(int status)
{
    longjmp(after_call, status + 1);
}

#undef main
#undef exit

static void give_up(const char *what)
{
    fprintf(stderr, "call_many: %s: %s\n", what, strerror(errno));
    _exit(GF_NOT_CALLED);
}

/* Runs in a function of its own, because exit() jumps back into it. */
__attribute__((noinline)) static int run_program(int count, char **argument)
{
    const int status = setjmp(after_call);

    if (status == 0)
        gf_many_main(count, argument);
    return status - 1;
}

/* Takes `count` words from *at on, and ends the array with NULL. The call may keep them, so nothing is freed. */
static char **take_words(char **at, int count)
{
    char **const word = calloc((size_t)count + 1, sizeof *word);

    for (int i = 0; word != NULL && i < count; i++, *at += strlen(*at) + 1)
        word[i] = *at;
    return word;
}

/* Receives a call and its standard streams; returns its words, or NULL. */
static char *receive(int from, struct gf_call *call)
{
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(GF_CALL_STREAMS * sizeof(int))];
    } control;
    struct iovec part = { call, sizeof *call };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes };
    int stream[GF_CALL_STREAMS];
    char *words;

    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *call || CMSG_FIRSTHDR(&message) == NULL)
        return NULL;
    memcpy(stream, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof stream);
    for (int i = 0; i < GF_CALL_STREAMS; i++) {
        dup2(stream[i], i);
        close(stream[i]);
    }
    words = malloc(call->bytes);
    if (words != NULL && recv(from, words, call->bytes, MSG_WAITALL) != (ssize_t)call->bytes)
        return NULL;
    return words;
}

/* Closes the streams of a call, so that readers of pipes see the end of the file. */
static void close_streams(void)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    fflush(stdout);
    fflush(stderr);
    clearerr(stdout);
    clearerr(stderr);
    clearerr(stdin);
    __fpurge(stdin);
    for (int i = 0; i < GF_CALL_STREAMS; i++)
        dup2(nothing, i);
    close(nothing);
}

static void serve(const char *name)
{
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char own_name[PATH_MAX];
    struct sockaddr_un a;
    FILE *const messages = stderr;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(own_name, sizeof own_name, "%s.new", name);
    if (listener < 0 || !gf_call_address(own_name, &a) || bind(listener, (const struct sockaddr *)&a, sizeof a) != 0
        || listen(listener, WAITING) != 0
        || rename(own_name, name) != 0)
        give_up(name);
    for (;;) {
        const int from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        struct gf_call call;
        char *words;
        int status = GF_NOT_CALLED;

        if (from < 0 && errno != EINTR)
            give_up("accept");
        words = from < 0 ? NULL : receive(from, &call);
        if (words != NULL && chdir(words) == 0) {
            char **argument;

            words += strlen(words) + 1;
            argument = take_words(&words, call.arguments);
            environ = take_words(&words, call.variables);
            status = run_program(call.arguments, argument);
        }
#ifdef __GLIBC__
        stderr = messages;                       /* a run replaces it by one that filters libraries' lines */
#else
        (void)messages;
#endif
        close_streams();
        if (from >= 0 && send(from, &status, sizeof status, MSG_NOSIGNAL) < 0)
            status = GF_NOT_CALLED;
        close(from);
    }
}

int main(int argc, char **argv)
{
    static const int streams[GF_CALL_STREAMS] = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO };
    static char program[] = "gpufilter";
    const char *const server = getenv("GPUFILTER_CALLS");
    int to, status;

    if (argc == 3 && strcmp(argv[1], "--serve") == 0)
        serve(argv[2]);
    if (server == NULL) {
        fputs("call_many: GPUFILTER_CALLS does not name a socket\n", stderr);
        return GF_NOT_CALLED;
    }
    argv[0] = program;
    to = gf_call_begin(server, argv, streams);
    if (to < 0)
        give_up(server);
    status = gf_call_end(to);
    if (status == GF_NOT_CALLED)
        fputs("call_many: the process that makes all calls has ended\n", stderr);
    return status;
}
