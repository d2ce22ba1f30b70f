/* Messages on a stream: partial writes and reads are continued, and a broken connection is an ordinary result. */
#define _GNU_SOURCE
#include "device/stay/stay_wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* The control data of a message with one descriptor; its alignment may leave room for another one. */
union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

/* Drops the first `bytes` of what is left to send. */
static void advance(struct iovec **at, int *left, size_t bytes)
{
    while (*left > 0 && bytes >= (*at)->iov_len) {
        bytes -= (*at)->iov_len;
        ++*at;
        --*left;
    }
    if (*left > 0) {
        (*at)->iov_base = (char *)(*at)->iov_base + bytes;
        (*at)->iov_len -= bytes;
    }
}

/* A confined run may write to a socket, but not call sendmsg(). SIGPIPE is ignored. */
static ssize_t send_some(int socket, struct iovec *at, int left, int descriptor)
{
    union control control = { .room = { 0 } };
    struct msghdr m = { .msg_iov = at, .msg_iovlen = (size_t)left, .msg_control = control.room,
                        .msg_controllen = sizeof control.room };

    if (descriptor < 0)
        return writev(socket, at, left);
    control.head = (struct cmsghdr) { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
                                      .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(&control.head), &descriptor, sizeof descriptor);
    return sendmsg(socket, &m, MSG_NOSIGNAL);
}

int gf_stay_send(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count, int descriptor)
{
    struct gf_stay_head head = { .type = type };
    struct iovec piece[GF_STAY_MOST_PARTS + 1] = { { &head, sizeof head } }, *at = piece;
    int left = count + 1;
    size_t bytes = 0;

    for (int i = 0; i < count; i++) {
        piece[i + 1] = (struct iovec) { (void *)(uintptr_t)parts[i].data, parts[i].bytes };
        bytes += parts[i].bytes;
    }
    if (bytes > GF_STAY_MOST_BYTES)
        return -1;
    head.bytes = (uint32_t)bytes;
    while (left > 0) {
        const ssize_t sent = send_some(socket, at, left, descriptor);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -1;
        descriptor = -1;
        advance(&at, &left, (size_t)sent);
    }
    return 0;
}

int gf_stay_read(int socket, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = read(socket, (char *)to + done, bytes - done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        done += (size_t)got;
    }
    return 0;
}

/* Takes the first descriptor of a message, and closes others. */
static int descriptor_of(struct msghdr *m)
{
    const struct cmsghdr *c = CMSG_FIRSTHDR(m);
    int descriptor = -1;

    if (c == NULL || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
        return -1;
    for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= c->cmsg_len; at += sizeof(int)) {
        int other;

        memcpy(&other, CMSG_DATA(c) + at, sizeof other);
        if (at == 0)
            descriptor = other;
        else
            close(other);
    }
    return descriptor;
}

int gf_stay_receive(int socket, struct gf_stay_head *head, int *descriptor)
{
    union control control;
    struct iovec piece = { head, sizeof *head };
    struct msghdr m;
    ssize_t got;

    if (descriptor != NULL)
        *descriptor = -1;
    do {
        m = (struct msghdr) { .msg_iov = &piece, .msg_iovlen = 1,
                              .msg_control = descriptor != NULL ? control.room : NULL,
                              .msg_controllen = descriptor != NULL ? sizeof control.room : 0 };
        got = descriptor != NULL ? recvmsg(socket, &m, MSG_CMSG_CLOEXEC) : read(socket, head, sizeof *head);
    } while (got < 0 && errno == EINTR);
    if (got <= 0)
        return got == 0 ? 0 : -1;
    if (descriptor != NULL)
        *descriptor = descriptor_of(&m);
    if (((size_t)got < sizeof *head && gf_stay_read(socket, (char *)head + got, sizeof *head - (size_t)got) != 0)
        || head->bytes > GF_STAY_MOST_BYTES) {
        if (descriptor != NULL && *descriptor >= 0)
            close(*descriptor);
        return -1;
    }
    return 1;
}

/* The memory of the process between members, and after the text, is none of a run's business. */
int gf_stay_send_failure(int socket, const struct gf_error *err)
{
    struct gf_error sent;
    const struct gf_stay_part part = { &sent, sizeof sent };

    memset(&sent, 0, sizeof sent);
    sent.status = err->status;
    sent.cause = err->cause;
    sent.code = err->code;
    sent.subject = err->subject;
    sent.range = err->range;
    sent.advice = err->advice;
    sent.for_shell = err->for_shell;
    memcpy(sent.text, err->text, strnlen(err->text, sizeof err->text - 1));
    return gf_stay_send(socket, GF_STAY_FAILED, &part, 1, -1);
}

int gf_stay_send_done(int socket)
{
    return gf_stay_send(socket, GF_STAY_DONE, NULL, 0, -1);
}

int gf_stay_read_failure(int socket, const struct gf_stay_head *head, struct gf_error *err)
{
    if (head->bytes != sizeof *err || gf_stay_read(socket, err, sizeof *err) != 0)
        return -1;
    err->text[sizeof err->text - 1] = '\0';
    err->status = err->status == GF_MISUSED ? GF_MISUSED : GF_FAILED;
    if (err->range >= sizeof err->text || err->advice >= sizeof err->text)
        err->range = err->advice = 0;
    return 0;
}
