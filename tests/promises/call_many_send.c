/* Sends calls to the process that makes them. */
#define _GNU_SOURCE
#include "tests/promises/call_many.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

bool gf_call_address(const char *server, struct sockaddr_un *a)
{
    *a = (struct sockaddr_un) { .sun_family = AF_UNIX };
    if (strlen(server) >= sizeof a->sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(a->sun_path, server);
    return true;
}

static size_t add_words(char *to, char **word, int *count)
{
    size_t bytes = 0;

    for (*count = 0; word[*count] != NULL; ++*count) {
        const size_t size = strlen(word[*count]) + 1;

        if (to != NULL)
            memcpy(to + bytes, word[*count], size);
        bytes += size;
    }
    return bytes;
}

static bool send_call(int to, char **argument, const int *streams)
{
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(GF_CALL_STREAMS * sizeof(int))];
    } control = { .bytes = "" };
    struct gf_call call;
    struct iovec part = { &call, sizeof call };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes };
    char *folder[] = { getcwd(NULL, 0), NULL }, *words = NULL;
    bool sent = false;
    int folders;
    size_t at;

    if (folder[0] == NULL)
        return false;
    call.bytes = add_words(NULL, folder, &folders) + add_words(NULL, argument, &call.arguments)
               + add_words(NULL, environ, &call.variables);
    words = malloc(call.bytes);
    if (words == NULL)
        goto out;
    at = add_words(words, folder, &folders);
    at += add_words(words + at, argument, &call.arguments);
    add_words(words + at, environ, &call.variables);
    *CMSG_FIRSTHDR(&message) = (struct cmsghdr) { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                                                  .cmsg_len = CMSG_LEN(GF_CALL_STREAMS * sizeof(int)) };
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), streams, GF_CALL_STREAMS * sizeof(int));
    sent = sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof call
        && send(to, words, call.bytes, MSG_NOSIGNAL) == (ssize_t)call.bytes;
out:
    free(words);
    free(folder[0]);
    return sent;
}

int gf_call_begin(const char *server, char **argument, const int *streams)
{
    const int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un a;

    setenv("GPUFILTER_LEAVE", "never", 1);       /* the first run on a GPU would end the process that makes calls */
    if (to >= 0 && gf_call_address(server, &a) && connect(to, (const struct sockaddr *)&a, sizeof a) == 0
        && send_call(to, argument, streams))
        return to;
    if (to >= 0)
        close(to);
    return -1;
}

int gf_call_end(int socket)
{
    int status = GF_NOT_CALLED;

    if (recv(socket, &status, sizeof status, MSG_WAITALL) != (ssize_t)sizeof status)
        status = GF_NOT_CALLED;
    close(socket);
    return status;
}
