/*
 * The target `messages`: requests of an enemy to a device of the process that stays (--stay), which is a part of this
 * process. Parameters and needs of operations are honest, and so is what pools have, but not how much; see SECURITY.md.
 */
#include "device/stay/stay_serve.h"
#include "fuzz.h"
#include "tests/promises/stay_messages_ask.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ACT_BYTES  12
#define MOST_ACTS  64
#define MOST_LANES 8
#define ROOM_BYTES (1 << 18)

static struct gf_server server = { .device = { .kind = &gf_device_cpu }, .lock = PTHREAD_MUTEX_INITIALIZER, .wake = -1,
                                   .most_bytes = 1 << 26 };

/* A run of an enemy: a device, and lanes of passes of an honest plan. */
struct enemy {
    struct gf_asked_plan plan;
    int64_t units;
    int socket, lanes, lane[MOST_LANES], pass[MOST_LANES];
};

/* One thing to do: its kind, a small number, a place of a change, and the number there; 0 changes nothing. */
struct act {
    uint8_t kind, which;
    uint16_t at;
    uint64_t number;
};

static struct act read_act(const uint8_t *data)
{
    struct act a = { .kind = data[0], .which = data[1] };

    memcpy(&a.at, data + 2, sizeof a.at);
    memcpy(&a.number, data + 4, sizeof a.number);
    return a;
}

static const struct gf_pass *pass_of(const struct enemy *e, int number)
{
    return e->plan.plan.pass[number % e->plan.plan.passes];
}

/* Sends the pools, or only the beginning of both. */
static void send_pools(struct enemy *e, const struct act *a)
{
    struct gf_binding shorter = e->plan.binding;

    if (a->number != 0) {
        shorter.masks.count -= (int64_t)(a->which % (uint64_t)(shorter.masks.count + 1));
        shorter.tables.count -= (int64_t)(a->at % (uint64_t)(shorter.tables.count + 1));
    }
    (void)gf_ask_pools(e->socket, &shorter);
}

static void open_lane(struct enemy *e, const struct act *a)
{
    const struct timeval patience = { .tv_usec = 10000 };
    const int number = a->which % e->plan.plan.passes;
    const struct gf_pass *honest = pass_of(e, number);
    const size_t fixed = offsetof(struct gf_pass, step)
        + (size_t)(honest->steps + honest->measure.used) * sizeof *honest->step, at = a->at % (fixed - 8);
    struct gf_pass *pass = malloc(honest->bytes);

    if (pass == NULL || e->lanes == MOST_LANES) {
        free(pass);
        return;
    }
    memcpy(pass, honest, honest->bytes);
    if (a->number != 0 && !gf_asked_is_meaning(honest, at, sizeof a->number))
        memcpy((char *)pass + at, &a->number, sizeof a->number);
    if (gf_ask_lane(e->socket, pass, honest->bytes, number, &e->lane[e->lanes]) == GF_STAY_DONE) {
        setsockopt(e->lane[e->lanes], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        e->pass[e->lanes++] = number;
    }
    free(pass);
}

/* Sends a job of a segment, perhaps with a changed number. */
static void run_segment(struct enemy *e, const struct act *a)
{
    const int lane = a->which % e->lanes;
    const struct gf_pass *pass = pass_of(e, e->pass[lane]);
    struct gf_stay_run run = { .in_units = e->units, .index = a->which / 16, .from = { a->which % 4, 0 },
                               .to = { a->which % 4, 0 }, .region = { -1, 0 } };
    const int64_t all = gf_pass_units(pass, e->units);
    struct gf_pass_walk walk;

    run.out.start = a->at / 256 % 8 * pass->segment_units;
    run.out.end = run.out.start + pass->segment_units < all ? run.out.start + pass->segment_units : all;
    gf_pass_fill_walk_to(pass, pass->steps, run.out, e->units, &walk);
    run.in = walk.span[0];
    if (a->number != 0)
        memcpy((char *)&run + a->at % (sizeof run - sizeof a->number), &a->number, sizeof a->number);
    (void)gf_ask_simply(e->lane[lane], GF_STAY_RUN, &run, sizeof run);
}

static void ask_counts(struct enemy *e, const struct act *a)
{
    const struct gf_stay_counts counts = { .bytes = a->number, .rows = a->which, .bins = a->at };

    (void)gf_ask_simply(e->lane[a->which % e->lanes], a->at % 2 == 0 ? GF_STAY_RESULT : GF_STAY_SUMS, &counts,
                        sizeof counts);
}

static void close_lane(struct enemy *e, int lane)
{
    close(e->lane[lane]);
    e->lanes--;
    e->lane[lane] = e->lane[e->lanes];
    e->pass[lane] = e->pass[e->lanes];
}

static void act(struct enemy *e, const struct act *a)
{
    int32_t room;

    switch (a->kind % 8) {
    case 0: send_pools(e, a); break;
    case 1: (void)gf_ask_room(e->socket, a->number != 0 ? a->number : ROOM_BYTES, &room); break;
    case 2: (void)gf_ask_room_close(e->socket, a->which); break;
    case 3: (void)gf_ask_keep(e->socket, (enum gf_keep)(a->which % 6), a->at % 70 - 3,
                              a->number != 0 ? a->number : ROOM_BYTES); break;
    case 4: open_lane(e, a); break;
    case 5: if (e->lanes > 0) run_segment(e, a); break;
    case 6: if (e->lanes > 0) ask_counts(e, a); break;
    default: if (e->lanes > 0) close_lane(e, a->which % e->lanes); break;
    }
}

/* Option 0 chooses the chain. Each 12 bytes after the options are a request. */
void gf_fuzz_messages(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const struct gf_format picture = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                              .width = 37, .units = 61 };
    static const struct gf_format recording = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .channels = 2,
                                                .width = 1, .units = 3001, .rate = 48000 };
    static const struct { const struct gf_format *in; const char *words[3]; int count; } chains[] = {
        { &picture, { "gray", "blur:2", "rotate:30" }, 3 }, { &picture, { "equalize" }, 1 },
        { &picture, { "histogram" }, 1 }, { &picture, { "flip", "transpose" }, 2 },
        { &recording, { "lowpass:1k", "bass:6", "echo:0.01,0.5" }, 3 }, { &recording, { "normalize" }, 1 },
        { &picture, { "resize:50%", "clahe" }, 2 }, { &picture, { "canny" }, 1 },
        { &recording, { "resample:44100", "limit:-6,true" }, 2 }, { &recording, { "spectrogram" }, 1 },
    };
    const size_t chain = option[0] % (sizeof chains / sizeof *chains);
    struct enemy *e = calloc(1, sizeof *e);
    struct gf_error err = { 0 };

    (void)target;
    signal(SIGPIPE, SIG_IGN);
    if (e == NULL || (server.device.state == NULL && gf_device_cpu.open(&server.device, 0, &err) != 0))
        abort();
    e->units = chains[chain].in->units;
    if (!gf_asked_plan_make(&e->plan, chains[chain].in, chains[chain].words, chains[chain].count, &err)
        || gf_server_open_device(&server, &e->socket, &err) != 0)
        abort();
    for (size_t at = 0; at + ACT_BYTES <= size && at < MOST_ACTS * ACT_BYTES; at += ACT_BYTES) {
        const struct act a = read_act(data + at);

        act(e, &a);
    }
    while (e->lanes > 0)
        close_lane(e, 0);
    gf_ask_end(e->socket);
    gf_asked_plan_release(&e->plan);
    free(e);
}
