/*
 * The life of the process that stays, and its first connection with each run. It ends when no run has used it for some
 * time. Nothing here polls: threads wait for messages, and the first one for runs or for the time.
 */
#define _GNU_SOURCE
#include "device/stay/stay.h"

#include "base/clock.h"
#include "base/memory_share.h"
#include "device/stay/stay_place.h"
#include "device/stay/stay_serve.h"
#include "device/stay/stay_wire.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define RELAX_SECONDS 2.0
#define GUEST_SECONDS 5                  /* for a connection to become that of a run */
#define PAUSE_MS      100                /* before the next try if there are too many descriptors */
#define IDLE_BYTES    (INT64_C(512) << 20)   /* of memory for the next run, all the time */

/* ---- the device ---- */

/* Publishes facts, for runs that wait for them. */
static void publish(struct gf_server *s, const struct gf_stay_facts *f)
{
    pthread_mutex_lock(&s->lock);
    memcpy(&s->facts, f, sizeof *f);
    s->answered = true;
    pthread_cond_broadcast(&s->answer);
    pthread_mutex_unlock(&s->lock);
}

/* Starts the device before a run needs it. Facts come first, because a run can plan and read meanwhile. */
static void *start_device(void *argument)
{
    struct gf_server *s = argument;
    const struct gf_device *d = &s->device;
    struct gf_stay_facts f;
    struct gf_error none;

    memset(&f, 0, sizeof f);                 /* also between members */
    d->kind->facts(d->index, &f.facts, f.why, sizeof f.why);
    publish(s, &f);
    f.ready = d->kind->wait(&s->device, &none) == 0
              && (d->kind->hoard == NULL || d->kind->hoard(&s->device, &none) == 0);
    publish(s, &f);
    if (!f.ready) {                          /* a later run tries again, with another process */
        pthread_mutex_lock(&s->lock);
        s->stopped = true;
        pthread_mutex_unlock(&s->lock);
        gf_stay_place_remove();
    }
    gf_server_end_thread(s);
    return NULL;
}

/* ---- runs ---- */

struct run {
    struct gf_server *server;
    int socket;
    bool greeted;
    double stay_seconds;                 /* that it asks for */
};

static int send_answer(const struct run *r, const void *answer, size_t bytes)
{
    const struct gf_stay_part part = { answer, bytes };

    return gf_stay_send(r->socket, GF_STAY_DONE, &part, 1, -1);
}

/* Sets how long a guest may take; 0: a run may take any time. */
static void set_patience(int socket, int seconds)
{
    const struct timeval patience = { .tv_sec = seconds };

    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/* Greets a run of the same build, device and environment. Others are refused, and use a device of their own. */
static int greet(struct run *r, const struct gf_stay_head *head)
{
    const struct gf_stay_welcome welcome = { .pid = (int32_t)getpid() };
    struct gf_server *s = r->server;
    struct gf_stay_hello hello;

    if (head->bytes != sizeof hello || gf_stay_read(r->socket, &hello, sizeof hello) != 0
        || memcmp(hello.magic, GF_STAY_MAGIC, sizeof hello.magic) != 0
        || memcmp(hello.key.same, s->key.same, sizeof s->key.same) != 0
        || (!s->any_group && memcmp(hello.key.group, s->key.group, sizeof s->key.group) != 0)
        || !(hello.idle_seconds > 0 && hello.idle_seconds <= GF_STAY_MOST_SECONDS))
        return -1;
    pthread_mutex_lock(&s->lock);
    r->greeted = !s->ended;
    r->stay_seconds = hello.idle_seconds;
    s->until = r->greeted && !s->served ? 0 : s->until;      /* that was for the first run */
    s->served |= r->greeted;
    s->runs += r->greeted;
    s->guests -= r->greeted;
    pthread_mutex_unlock(&s->lock);
    if (!r->greeted)
        return -1;
    set_patience(r->socket, 0);
    return send_answer(r, &welcome, sizeof welcome);
}

/* Says whether the device has started, and what the driver has answered. */
static int send_facts(const struct run *r, const struct gf_stay_head *head)
{
    struct gf_server *s = r->server;
    struct gf_stay_facts f;
    struct gf_stay_ask ask;

    if (head->bytes != sizeof ask || gf_stay_read(r->socket, &ask, sizeof ask) != 0)
        return -1;
    pthread_mutex_lock(&s->lock);
    while (ask.waits && !s->answered)
        pthread_cond_wait(&s->answer, &s->lock);
    memcpy(&f, &s->facts, sizeof f);
    pthread_mutex_unlock(&s->lock);
    return send_answer(r, &f, sizeof f);
}

static int send_status(const struct run *r)
{
    struct gf_server *s = r->server;
    struct gf_stay_status status = { .pid = (int32_t)getpid() };

    pthread_mutex_lock(&s->lock);
    status.runs = s->runs;
    status.idle_seconds = s->runs > 0 ? 0 : gf_clock_seconds() - s->idle_since;
    status.most_seconds = s->until - s->idle_since;
    status.host_bytes = s->host_bytes + s->free_bytes;
    status.device_bytes = s->device_bytes;
    pthread_mutex_unlock(&s->lock);
    snprintf(status.device, sizeof status.device, s->device.kind->cuda ? "%s:%d" : "%s", s->device.kind->name,
             s->device.index);
    return send_answer(r, &status, sizeof status);
}

static int stop(const struct run *r)
{
    struct gf_server *s = r->server;

    pthread_mutex_lock(&s->lock);
    s->stopped = true;
    pthread_mutex_unlock(&s->lock);
    gf_stay_place_remove();                  /* the next run starts another process */
    gf_server_wake(s);
    return gf_stay_send_done(r->socket);
}

static int open_device(const struct run *r)
{
    struct gf_error err = { 0 };
    int other, result;

    if (gf_server_open_device(r->server, &other, &err) != 0)
        return gf_stay_send_failure(r->socket, &err);
    result = gf_stay_send(r->socket, GF_STAY_DONE, NULL, 0, other);
    close(other);
    return result;
}

static int answer(struct run *r, const struct gf_stay_head *head)
{
    if (head->type == GF_STAY_HELLO)
        return r->greeted ? -1 : greet(r, head);
    if (head->type == GF_STAY_FACTS)
        return r->greeted ? send_facts(r, head) : -1;
    if (head->bytes > 0)
        return -1;
    switch (head->type) {
    case GF_STAY_STATUS:
        return send_status(r);
    case GF_STAY_STOP:
        return stop(r);
    case GF_STAY_OPEN:
        return r->greeted ? open_device(r) : -1;
    default:
        return -1;
    }
}

/* Counts a guest that has gone. The time without a run goes on. */
static void dismiss(struct gf_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->guests--;
    s->users--;
    pthread_mutex_unlock(&s->lock);
    gf_server_wake(s);
}

static void *serve_run(void *argument)
{
    bool greeted;
    struct run *r = argument;
    struct gf_server *s = r->server;
    struct gf_stay_head head;

    while (gf_stay_receive(r->socket, &head, NULL) == 1 && answer(r, &head) == 0)
        ;
    pthread_mutex_lock(&s->lock);
    s->runs -= r->greeted;
    if (r->greeted)
        s->until = fmax(s->until, gf_clock_seconds() + r->stay_seconds);
    pthread_mutex_unlock(&s->lock);
    greeted = r->greeted;
    close(r->socket);
    free(r);
    (greeted ? gf_server_end_thread : dismiss)(s);
    return NULL;
}

static void count_guest(struct gf_server *s, int change)
{
    pthread_mutex_lock(&s->lock);
    s->guests += change;
    pthread_mutex_unlock(&s->lock);
}

/* Takes a connection of the same user; false: no descriptor is free for it. */
static bool accept_run(struct gf_server *s)
{
    const int socket = accept4(s->socket, NULL, NULL, SOCK_CLOEXEC);
    struct gf_error none;
    struct run *r;

    if (socket < 0)
        return errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM;
    r = gf_stay_place_is_own(socket) ? calloc(1, sizeof *r) : NULL;
    if (r == NULL) {
        close(socket);
        return true;
    }
    *r = (struct run) { .server = s, .socket = socket };
    set_patience(socket, GUEST_SECONDS);
    count_guest(s, 1);
    if (gf_server_start_thread(s, serve_run, r, &none) != 0) {
        count_guest(s, -1);
        close(socket);
        free(r);
    }
    return true;
}

/* ---- the life of the process ---- */

/* Returns how long to wait for a run, in milliseconds; -1: for ever; 0: the time is over. */
static int time_left(struct gf_server *s)
{
    const double now = gf_clock_seconds();
    double idle;
    int ms = -1;

    pthread_mutex_lock(&s->lock);
    idle = now - s->idle_since;
    if (s->users == s->guests)
        ms = s->stopped || now >= s->until ? 0
           : (int)ceil(fmin(s->until - now, !s->relaxed && idle < RELAX_SECONDS ? RELAX_SECONDS - idle : INFINITY)
                       * 1e3);
    pthread_mutex_unlock(&s->lock);
    return ms;
}

/* Leaves memory that the next run would use to others, if that run does not come soon. */
static void relax(struct gf_server *s)
{
    bool now;

    pthread_mutex_lock(&s->lock);
    now = s->users == s->guests && !s->relaxed && gf_clock_seconds() - s->idle_since >= RELAX_SECONDS;
    s->relaxed |= now;
    pthread_mutex_unlock(&s->lock);
    if (!now)
        return;
    gf_server_free_rooms(s, IDLE_BYTES);
    if (s->device.kind->relax != NULL)
        s->device.kind->relax(&s->device);
}

/*
 * Ends the process, unless a run has just found the socket; returns true if it ends. Runs that start a process hold the
 * same lock.
 */
static bool end(struct gf_server *s)
{
    const int lock = gf_stay_place_lock();
    struct pollfd last = { .fd = s->socket, .events = POLLIN };
    bool ends = poll(&last, 1, 0) <= 0;

    pthread_mutex_lock(&s->lock);
    ends = ends && s->users == s->guests;
    s->ended = ends;
    pthread_mutex_unlock(&s->lock);
    if (ends)
        gf_stay_place_remove();
    if (lock >= 0)
        close(lock);
    return ends;
}

static void listen_for_runs(struct gf_server *s)
{
    struct pollfd wait[] = { { .fd = s->socket, .events = POLLIN }, { .fd = s->wake, .events = POLLIN } };
    bool pause = false;
    uint64_t count;

    do {
        wait[0].fd = pause ? -1 : s->socket;
        wait[0].revents = wait[1].revents = 0;
        if (poll(wait, 2, pause ? PAUSE_MS : time_left(s)) < 0)
            continue;
        if ((wait[1].revents & POLLIN) != 0)
            (void)!read(s->wake, &count, sizeof count);
        pause = (wait[0].revents & POLLIN) != 0 && !accept_run(s);
        relax(s);
    } while (time_left(s) != 0 || !end(s));
}

/* Signals that end a process remove its socket, too. */
static void leave_on_signal(int number)
{
    gf_stay_place_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_signals(void)
{
    static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], leave_on_signal);
    signal(SIGPIPE, SIG_IGN);
}

/* Returns how much memory runs can have at once: the usual share of the machine's. */
static int64_t memory_for_runs(void)
{
    struct gf_device_facts facts;

    gf_device_cpu.facts(0, &facts, NULL, 0);
    return gf_memory_share(GF_MEMORY_HOST, facts.memory_bytes);
}

int gf_stay_serve(const struct gf_stay_service *o, struct gf_error *err)
{
    static struct gf_server s;               /* guests may still use it at the end */

    s = (struct gf_server) { .device = { .kind = o->cuda ? &gf_device_cuda : &gf_device_cpu, .index = o->index },
                             .socket = o->socket, .any_group = o->any_group, .lock = PTHREAD_MUTEX_INITIALIZER,
                             .answer = PTHREAD_COND_INITIALIZER, .idle_since = gf_clock_seconds(),
                             .until = gf_clock_seconds() + o->idle_seconds, .most_bytes = memory_for_runs() };
    s.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s.wake < 0)
        return gf_fail_system(err, errno, "--serve");
    gf_stay_place_key(o->cuda, o->index, &s.key);
    set_signals();
    if (s.device.kind->open(&s.device, o->index, err) != 0 || gf_server_start_thread(&s, start_device, &s, err) != 0)
        return -1;
    listen_for_runs(&s);
    gf_server_free_rooms(&s, 0);
    s.device.kind->close(&s.device);
    close(s.socket);                         /* guests may still use the other one */
    return 0;
}
