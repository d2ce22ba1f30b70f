/*
 * Sends messages of an enemy to the process that stays: passes, jobs and other requests with numbers that no run sends.
 * The process, which is a part of this program, must refuse or serve each of them, and serve honest ones afterwards.
 * Parameters and needs of operations are left as they are, except for places in pools: their meaning is not checked,
 * see SECURITY.md.
 */
#include "device/stay/stay_serve.h"
#include "kernels/geometry/resize.h"
#include "kernels/operations.h"
#include "plan/plan_bytes.h"
#include "plan/plan_lane.h"
#include "tests/promises/stay_messages_ask.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#define CASES 400                        /* changes of each pass; GPUFILTER_CASES is another number */
#define ROOM_BYTES (1 << 20)

static struct gf_server server = { .device = { .kind = &gf_device_cpu }, .lock = PTHREAD_MUTEX_INITIALIZER, .wake = -1,
                                   .most_bytes = 1 << 28 };
static const struct gf_format picture = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                          .width = 97, .units = 61 };
static const struct gf_format recording = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .channels = 2, .width = 1,
                                            .units = 3001, .rate = 48000 };
static uint64_t seed = 1;

static uint64_t draw(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 20;
}

static int open_device(void)
{
    struct gf_error err;
    int socket;

    return gf_server_open_device(&server, &socket, &err) == 0 ? socket : -1;
}

/* ---- jobs ---- */

/* Runs all segments of a pass as a run would; returns the last answer. */
static int run_all(int lane, const struct gf_pass *pass, int32_t room, int64_t units)
{
    int answer = GF_STAY_DONE, steps;
    int64_t index = 0;

    for (int64_t place = 0; answer == GF_STAY_DONE; place++) {
        struct gf_stay_run run = { .in_units = units, .index = index, .from = { room, 0 }, .to = { room, 0 },
                                   .region = { -1, 0 } };
        struct gf_pass_walk walk;
        int64_t all;

        run.out = gf_pass_segment(pass, place, &steps);
        run.ahead = steps < pass->steps ? steps : 0;
        all = gf_pass_units_to(pass, steps, units);
        run.out.end = run.out.end < all ? run.out.end : all;
        if (run.out.start >= run.out.end && run.ahead == 0)
            break;
        if (run.out.start >= run.out.end)
            continue;
        gf_pass_fill_walk_to(pass, steps, run.out, units, &walk);
        run.in = walk.span[0];
        answer = gf_ask_simply(lane, GF_STAY_RUN, &run, sizeof run);
        index++;
    }
    return answer;
}

/* Prepares what a pass of a plan needs; its results and states are kept under its number. */
static int prepare(int socket, const struct gf_pass *pass, int number)
{
    int answer = GF_STAY_DONE;

    if (pass->to.end == GF_END_RESIDENT)
        answer = gf_ask_keep(socket, GF_KEEP_RESULT, number, pass->resident_bytes);
    if (answer == GF_STAY_DONE && pass->carry_bytes > 0)
        answer = gf_ask_keep(socket, GF_KEEP_STATE, number, pass->carry_bytes);
    return answer;
}

/* Serves an honest run of the plan; this must work at any time. */
static int run_honestly(const struct gf_asked_plan *f, int64_t units)
{
    const int socket = open_device();
    int answer = socket >= 0 ? gf_ask_pools(socket, &f->binding) : 0;
    int32_t room;

    if (answer == GF_STAY_DONE)
        answer = gf_ask_room(socket, ROOM_BYTES, &room);
    for (int p = 0; answer == GF_STAY_DONE && p < f->plan.passes; p++) {
        const struct gf_pass *pass = f->plan.pass[p];
        int lane;

        if (gf_pass_is_idle(pass) || gf_pass_is_copy(pass))
            continue;
        answer = prepare(socket, pass, p);
        if (answer == GF_STAY_DONE)
            answer = gf_ask_lane(socket, pass, pass->bytes, p, &lane);
        if (answer == GF_STAY_DONE) {
            answer = run_all(lane, pass, room, units);
            gf_ask_end(lane);
        }
        units = gf_pass_units(pass, units);
    }
    if (socket >= 0)
        gf_ask_end(socket);
    return answer;
}

/* ---- changes ---- */

static uint64_t odd_number(void)
{
    static const uint64_t odd[] = { 0, 1, 2, 3, 7, 64, 127, 128, 255, 256, 65535, INT32_MAX, UINT32_MAX, INT64_MAX,
                                    UINT64_MAX, UINT64_C(1) << 40, UINT64_C(1) << 63 };

    return draw() % 3 == 0 ? draw() : odd[draw() % (sizeof odd / sizeof *odd)];
}

/* Changes one or two numbers of the fixed part of a pass. */
static void change(struct gf_pass *pass, const struct gf_pass *honest)
{
    const size_t fixed = offsetof(struct gf_pass, step)
        + (size_t)(honest->steps + honest->measure.used) * sizeof *honest->step;

    for (uint64_t n = draw() % 2 + 1; n > 0; n--) {
        const size_t width = draw() % 2 == 0 ? 4 : 8, at = draw() % (fixed / 4) * 4;
        const uint64_t number = odd_number();

        if (at + width <= fixed && !gf_asked_is_meaning(honest, at, width))
            memcpy((char *)pass + at, &number, width);
    }
}

/* Sends a job with odd numbers. One that waits for an earlier segment, which never comes, waits until its run ends. */
static void run_oddly(int lane, const struct gf_pass *pass, int32_t room, int64_t units)
{
    const struct timeval patience = { .tv_usec = 20000 };
    struct gf_stay_run run = { .in_units = units, .from = { room, 0 }, .to = { room, 0 }, .region = { room, 0 } };
    struct gf_pass_walk walk;
    uint64_t number;
    size_t at;

    setsockopt(lane, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    run.out = (struct gf_span) { 0, pass->segment_units < units ? pass->segment_units : units };
    gf_pass_fill_walk_to(pass, pass->steps, run.out, units, &walk);
    run.in = walk.span[0];
    for (uint64_t n = draw() % 3; n > 0; n--) {
        number = odd_number();
        at = draw() % ((sizeof run - sizeof number) / 4) * 4;
        memcpy((char *)&run + at, &number, sizeof number);
    }
    (void)gf_ask_simply(lane, GF_STAY_RUN, &run, sizeof run - draw() % 2 * draw() % 8);
}

/* Sends changed passes, and jobs for those that are accepted; returns how many were. */
static int send_changed(const struct gf_asked_plan *f, const struct gf_pass *honest, int number, int64_t units,
                        int cases)
{
    int taken = 0;

    for (int i = 0; i < cases; i++) {
        const int socket = open_device();
        struct gf_pass *pass = malloc(honest->bytes);
        int32_t room = -1;
        int lane = -1;

        memcpy(pass, honest, honest->bytes);
        if (i % 4 != 0)
            change(pass, honest);
        if (gf_ask_pools(socket, &f->binding) == GF_STAY_DONE && gf_ask_room(socket, ROOM_BYTES, &room) == GF_STAY_DONE
            && prepare(socket, honest, number) == GF_STAY_DONE
            && (honest->from.end != GF_END_RESIDENT
                || gf_ask_keep(socket, GF_KEEP_RESULT, honest->from_pass,
                        (uint64_t)(units * gf_plan_store_unit_bytes(&honest->from))) == GF_STAY_DONE)
            && gf_ask_lane(socket, pass, pass->bytes < honest->bytes ? pass->bytes : honest->bytes, number, &lane)
                   == GF_STAY_DONE) {
            taken++;
            run_oddly(lane, pass, room, units);
            if (draw() % 2 == 0)
                (void)gf_ask_simply(lane, GF_STAY_RESULT, &(struct gf_stay_counts) { .bytes = odd_number() },
                                 sizeof(struct gf_stay_counts));
        }
        if (lane >= 0)
            close(lane);
        free(pass);
        gf_ask_end(socket);
    }
    return taken;
}

/* ---- tests ---- */

static void test_chain(const char *name, const struct gf_format *in, const char *const *words, int count)
{
    const char *given = getenv("GPUFILTER_CASES");
    const int cases = given != NULL ? atoi(given) : CASES;
    struct gf_asked_plan *f = malloc(sizeof *f);
    int64_t units = in->units;

    gf_ok(gf_asked_plan_make(f, in, words, count, &gf_said), "the plan of %s is made", name);
    gf_is(run_honestly(f, units), GF_STAY_DONE, "an honest run of %s is served", name);
    for (int p = 0; p < f->plan.passes; p++) {
        const struct gf_pass *pass = f->plan.pass[p];

        if (gf_pass_is_idle(pass) || gf_pass_is_copy(pass))
            continue;
        printf("# %s, pass %d: %d of %d changed passes are accepted\n", name, p,
               send_changed(f, pass, p, units, cases), cases);
        units = gf_pass_units(pass, units);
    }
    gf_is(run_honestly(f, in->units), GF_STAY_DONE, "after odd passes of %s, an honest run is served", name);
    gf_asked_plan_release(f);
    free(f);
}

#define TEST(name, in, ...) \
    test_chain(name, in, (const char *const[]) { __VA_ARGS__ }, (int)(sizeof((const char *[]) { __VA_ARGS__ }) \
                                                                      / sizeof(char *)))

static void test_memory(void)
{
    int socket = open_device();
    int32_t room, again;

    gf_is(gf_ask_room(socket, 1000, &room), GF_STAY_DONE, "a room is leased");
    gf_is(gf_ask_room(socket, 0, &again), GF_STAY_FAILED, "a room of no bytes is refused");
    gf_is(gf_ask_room(socket, UINT64_MAX, &again), GF_STAY_FAILED, "a room of all bytes is refused");
    gf_is(gf_ask_room(socket, UINT64_C(1) << 40, &again), GF_STAY_FAILED, "a room above the ceiling is refused");
    gf_is(gf_ask_room_close(socket, room + 1), GF_STAY_FAILED, "closing a room of another number is refused");
    gf_is(gf_ask_room_close(socket, room), GF_STAY_DONE, "closing a room of this run is done");
    gf_is(gf_ask_room_close(socket, room), GF_STAY_FAILED, "closing a room twice is refused");
    gf_is(gf_ask_keep(socket, GF_KEEP_RESULT, GF_PASSES, 1), GF_STAY_FAILED, "a result of no pass is refused");
    gf_is(gf_ask_keep(socket, GF_KEEP_RESULT, -1, 1), GF_STAY_FAILED, "a result of a negative pass is refused");
    gf_is(gf_ask_keep(socket, (enum gf_keep)99, 0, 1), GF_STAY_FAILED, "an unknown wish to keep is refused");
    gf_is(gf_ask_keep(socket, GF_KEEP_RESULT, 0, UINT64_MAX), GF_STAY_FAILED, "a result of all bytes is refused");
    gf_is(gf_ask_keep(socket, GF_DROP_RESULT, 0, 0), GF_STAY_DONE, "nothing to drop is no error");
    gf_is(gf_ask_keep(socket, GF_FAIL_STATE, 0, 0), GF_STAY_DONE, "no state to give up is no error");
    gf_ask_end(socket);
}

/* Masks are in pools, which a run can replace while its lanes are open. */
static void test_pools(void)
{
    static const struct gf_stay_pools none = { 0, 0 };
    struct gf_asked_plan *f = malloc(sizeof *f);
    const char *words[] = { "blur:9" };
    const bool made = gf_asked_plan_make(f, &picture, words, 1, &gf_said);
    const struct gf_pass *pass = f->plan.pass[0];
    int socket = open_device(), lane = -1;
    int32_t room;

    gf_ok(made, "the plan of a blur is made");
    gf_ok(f->binding.masks.count > 0, "a blur has masks");
    gf_is(gf_ask_room(socket, ROOM_BYTES, &room), GF_STAY_DONE, "a blur gets memory");
    gf_is(gf_ask_lane(socket, pass, pass->bytes, 0, &lane), GF_STAY_FAILED, "a lane without its masks is refused");
    f->binding.masks.count--;
    gf_is(gf_ask_pools(socket, &f->binding), GF_STAY_DONE, "pools without the last weight are taken");
    gf_is(gf_ask_lane(socket, pass, pass->bytes, 0, &lane), GF_STAY_FAILED, "a lane without its last mask is refused");
    f->binding.masks.count++;
    gf_is(gf_ask_pools(socket, &f->binding), GF_STAY_DONE, "pools with all weights are taken");
    gf_is(gf_ask_lane(socket, pass, pass->bytes, 0, &lane), GF_STAY_DONE, "a lane with its masks is opened");
    gf_is(run_all(lane, pass, room, picture.units), GF_STAY_DONE, "a lane with its masks runs");
    gf_is(gf_ask_simply(socket, GF_STAY_POOLS, &none, sizeof none), GF_STAY_DONE, "empty pools are taken");
    gf_is(run_all(lane, pass, room, picture.units), GF_STAY_FAILED, "a lane does not run with smaller pools");
    gf_ask_end(lane);
    gf_ask_end(socket);
    gf_asked_plan_release(f);
    free(f);
}

/* Returns the floats of tables that a pass reads; 0: none. */
static int64_t tables_of(const struct gf_pass *pass)
{
    int64_t most = 0;

    for (int k = 0; k < pass->steps + pass->measure.used; k++) {
        const struct gf_step *s = &pass->step[k];
        const struct gf_operation *op = gf_step_op(s);
        const int64_t end = op->tables_end != NULL ? op->tables_end(gf_step_params(s), &s->out) : 0;

        most = end > most ? end : most;
    }
    return most;
}

/* Opens a lane for each pass with tables that are shorter by a float, and then with all of them. */
static void test_tables(const char *name, const struct gf_format *in, const char *const *words, int count)
{
    struct gf_asked_plan *f = malloc(sizeof *f);
    const bool made = gf_asked_plan_make(f, in, words, count, &gf_said);
    const int64_t all = f->binding.tables.count;
    int answers[] = { 0, 0 }, passes = 0, socket = open_device(), lane;

    for (int p = 0; made && p < f->plan.passes; p++) {
        const struct gf_pass *pass = f->plan.pass[p];
        const int64_t end = tables_of(pass);

        passes += end > 0;
        for (int less = 0; end > 0 && less < 2; less++) {
            f->binding.tables.count = end - less;
            (void)gf_ask_pools(socket, &f->binding);
            lane = -1;
            answers[less] += gf_ask_lane(socket, pass, pass->bytes, p, &lane) == GF_STAY_DONE;
            if (lane >= 0)
                gf_ask_end(lane);
        }
    }
    f->binding.tables.count = all;
    gf_ok(made && passes > 0, "%s has tables", name);
    gf_is(answers[0], passes, "a lane of %s is opened with its tables", name);
    gf_is(answers[1], 0, "a lane of %s is refused without the end of its tables", name);
    gf_ask_end(socket);
    gf_asked_plan_release(f);
    free(f);
}

#define TEST_TABLES(name, in, word) test_tables(name, in, (const char *const[]) { word }, 1)

/* An offset of parameters leads to no memory of others. */
static void test_offsets(void)
{
    static const int64_t odd[] = { -1, INT64_MIN, INT64_MAX, INT64_C(1) << 40 };
    struct gf_asked_plan *f = malloc(sizeof *f);
    const char *words[] = { "resize:50%" };
    const bool made = gf_asked_plan_make(f, &picture, words, 1, &gf_said);
    const struct gf_pass *honest = f->plan.pass[0];
    struct gf_pass *pass = malloc(honest->bytes);
    int socket = open_device(), lane = -1;

    gf_ok(made, "the plan of a smaller image is made");
    (void)gf_ask_pools(socket, &f->binding);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct gf_resize *r;

        memcpy(pass, honest, honest->bytes);
        r = (struct gf_resize *)(uintptr_t)gf_step_params(&pass->step[0]);
        r->y.at = odd[i];
        gf_is(gf_ask_lane(socket, pass, pass->bytes, 0, &lane), GF_STAY_FAILED,
              "entries at %lld of the tables are refused", (long long)odd[i]);
    }
    free(pass);
    gf_ask_end(socket);
    gf_asked_plan_release(f);
    free(f);
}

/* A measure writes counts or records, for which the result of another step has no room. */
static void test_misplaced(void)
{
    struct gf_asked_plan *f = malloc(sizeof *f);
    const char *words[] = { "rotate:30" };
    const bool made = gf_asked_plan_make(f, &picture, words, 1, &gf_said);
    const struct gf_pass *honest = f->plan.pass[f->plan.passes - 1];
    struct gf_pass *pass = malloc(honest->bytes);
    int socket = open_device(), lane, tried = 0, taken = 0;

    for (int number = 0; number < gf_operation_count; number++) {
        const struct gf_operation *op = gf_operations[number];

        if ((op->counts == NULL && op->records == NULL)
            || op->params_bytes > gf_step_op(&honest->step[0])->params_bytes)
            continue;
        memcpy(pass, honest, honest->bytes);
        pass->step[0].operation = number;
        gf_plan_size_lane(pass, false);
        lane = -1;
        taken += gf_ask_lane(socket, pass, pass->bytes, f->plan.passes - 1, &lane) == GF_STAY_DONE;
        tried++;
        if (lane >= 0)
            gf_ask_end(lane);
    }
    gf_ok(made && honest->steps > 0 && tried > 2, "there are measures for the place of a step");
    gf_is(taken, 0, "measures in the place of a step are refused");
    free(pass);
    gf_ask_end(socket);
    gf_asked_plan_release(f);
    free(f);
}

/* A map of positions is read at each pixel of the result, so it has as many. */
static void test_map(void)
{
    struct gf_asked_plan *f = malloc(sizeof *f);
    const char *words[] = { "warp:[1 0 0; 0 1 0; 0.001 0 1]" };
    const bool made = gf_asked_plan_make(f, &picture, words, 1, &gf_said);
    const int last = f->plan.passes - 1;
    struct gf_pass *pass = f->plan.pass[last];
    struct gf_step *s = &pass->step[0];
    const struct gf_format whole = { .kind = GF_IMAGE, .type = GF_F32, .bits = 32, .maxval = 1, .channels = 2,
                                     .width = s->out.width, .units = s->out.units };
    int socket = open_device(), lane;

    gf_ok(made && pass->steps > 0 && gf_step_op(s)->beside_is_map, "the plan of a perspective has a step for maps");
    for (int i = 0; i < 5; i++) {
        s->side.used = true;
        s->side.format = whole;
        s->side.format.width -= i == 1;
        s->side.format.units -= i == 2;
        s->side.format.channels -= i == 3;
        s->side.shift = i == 4;
        gf_plan_size_lane(pass, false);
        lane = -1;
        gf_is(gf_ask_lane(socket, pass, pass->bytes, last, &lane), i == 0 ? GF_STAY_DONE : GF_STAY_FAILED,
              "a map %s", i == 0 ? "of the size of the result is taken" : i == 1 ? "that is narrower is refused"
              : i == 2 ? "with fewer rows is refused" : i == 3 ? "of one channel is refused"
                                                               : "that is shifted is refused");
        if (lane >= 0)
            gf_ask_end(lane);
    }
    gf_ask_end(socket);
    gf_asked_plan_release(f);
    free(f);
}

static int64_t free_rooms(void)
{
    int count;

    pthread_mutex_lock(&server.lock);
    count = server.free_count;
    pthread_mutex_unlock(&server.lock);
    return count;
}

/* Memory of a run goes to the next one, but not all, and not what the run may still write to. */
static void test_free_memory(void)
{
    int socket = open_device();
    int32_t room;
    int done = 0;

    gf_server_free_rooms(&server, 0);
    for (int i = 0; i < 100; i++)
        done += gf_ask_room(socket, 4096, &room) == GF_STAY_DONE;
    gf_is(done, 100, "a hundred rooms are leased");
    gf_ask_end(socket);
    gf_is(free_rooms(), 64, "so many rooms are kept for the next run");
    gf_server_free_rooms(&server, 0);
    socket = open_device();
    gf_is(gf_ask_room(socket, 4096, &room), GF_STAY_DONE, "a run gets memory before its odd message");
    gf_is(gf_ask_simply(socket, (enum gf_stay_type)99, NULL, 0), 0, "an odd message ends the connection");
    gf_ask_end(socket);
    gf_is(free_rooms(), 0, "memory that a run may still write to is not used again");
    for (int i = 0; i < 2; i++) {
        socket = open_device();
        gf_is(gf_ask_room(socket, (uint64_t)(i == 0 ? 200 : 90) << 20, &room), GF_STAY_DONE,
              i == 0 ? "a run gets most of the memory" : "the next run gets memory of another size");
        if (i == 0)
            gf_ask_end(socket);
    }
    pthread_mutex_lock(&server.lock);
    gf_ok(server.free_bytes + server.host_bytes <= server.most_bytes, "all memory together is below the ceiling");
    pthread_mutex_unlock(&server.lock);
    gf_ask_end(socket);
    gf_server_free_rooms(&server, 0);
}

/* A message may bring more descriptors than the one that it should. */
static void test_descriptors(void)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control = { .room = { 0 } };
    struct gf_stay_head head = { .type = GF_STAY_DONE };
    struct iovec piece = { &head, sizeof head };
    struct msghdr m = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.room,
                        .msg_controllen = sizeof control.room };
    int ends[2], got = -1, before, after;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        exit(1);
    control.head = (struct cmsghdr) { .cmsg_len = CMSG_LEN(sizeof ends), .cmsg_level = SOL_SOCKET,
                                      .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(&control.head), ends, sizeof ends);
    before = dup(0);
    close(before);
    gf_is(sendmsg(ends[0], &m, 0), sizeof head, "a message with two descriptors is sent");
    gf_is(gf_stay_receive(ends[1], &head, &got), 1, "a message with two descriptors is received");
    gf_ok(got >= 0, "the first descriptor is taken");
    close(got);
    after = dup(0);
    gf_is(after, before, "another descriptor is closed");
    gf_is(dup(0), before + 1, "no descriptor is left open");
    close(before + 1);
    close(after);
    close(ends[0]);
    close(ends[1]);
}

/* Messages that no run sends end the connection. */
static void test_protocol(void)
{
    static const struct gf_stay_pools wrong[] = { { -1, 2 }, { 1, 0 }, { INT64_MAX, INT64_MAX }, { 1 << 20, 0 } };
    static char zeros[100000];
    int ended = 0;

    for (int type = 0; type < 40; type++)
        for (int bytes = 0; bytes < 300; bytes += 97) {
            const int socket = open_device();

            if (type != GF_STAY_ROOM && type != GF_STAY_ROOM_CLOSE && type != GF_STAY_KEEP && type != GF_STAY_POOLS)
                ended += gf_ask_simply(socket, (enum gf_stay_type)type, zeros, (size_t)bytes) != 0;
            gf_ask_end(socket);
        }
    gf_is(ended, 0, "unknown and short messages end the connection");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int socket = open_device();

        ended += gf_ask_simply(socket, GF_STAY_POOLS, &wrong[i], sizeof wrong[i]) != 0;
        gf_ask_end(socket);
    }
    gf_is(ended, 0, "pools of another size than stated end the connection");
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        const int socket = open_device();

        (void)gf_ask_simply(socket, GF_STAY_LANE, zeros, bytes);
        (void)gf_ask_simply(socket, (enum gf_stay_type)(draw() % 16), zeros, draw() % sizeof zeros);
        close(socket);
    }
    gf_ok(true, "lanes of passes that are all zero end without harm");
}

/* Memory of the process does not reach a run beside its messages. */
static void test_failures(void)
{
    struct gf_stay_head head;
    struct gf_error before, sent;
    bool clean = true;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        abort();
    memset(&before, 0xAA, sizeof before);
    gf_fail(&before, GF_FAILED, "no");
    gf_ok(gf_stay_send_failure(ends[0], &before) == 0 && gf_stay_receive(ends[1], &head, NULL) == 1
              && gf_stay_read(ends[1], &sent, sizeof sent) == 0 && strcmp(sent.text, "no") == 0,
          "a failure is sent with its text");
    for (size_t i = strlen(sent.text); i < sizeof sent.text; i++)
        clean = clean && sent.text[i] == 0;
    gf_ok(clean, "a failure has no memory of the process after its text");
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    if (gf_device_cpu.open(&server.device, 0, &gf_said) != 0)
        return 1;
    test_descriptors();
    test_failures();
    test_memory();
    test_free_memory();
    test_pools();
    TEST_TABLES("a smaller image", &picture, "resize:50%");
    TEST_TABLES("a grid of tables", &picture, "clahe");
    TEST_TABLES("edges", &picture, "canny");
    TEST_TABLES("another rate", &recording, "resample:44100");
    TEST_TABLES("a limiter", &recording, "limit:-6,true");
    TEST_TABLES("loudness", &recording, "normalize:lufs=-16");
    TEST_TABLES("a spectrogram", &recording, "spectrogram");
    test_offsets();
    test_misplaced();
    test_map();
    test_protocol();
    TEST("a chain", &picture, "gray", "blur:2", "rotate:30");
    TEST("points", &picture, "gamma:2.2", "levels:0.1,0.9");
    TEST("a measure", &picture, "equalize");
    TEST("a table", &picture, "histogram");
    TEST("moves", &picture, "flip", "transpose");
    TEST("a resize", &picture, "resize:50%", "median:1");
    TEST("audio", &recording, "lowpass:1k", "bass:6", "echo:0.01,0.5");
    TEST("loudness", &recording, "normalize");
    TEST("a reversal", &recording, "reverse", "resample:44100");
    pthread_mutex_lock(&server.lock);
    gf_is(server.host_bytes, 0, "no memory of the host is counted at the end");
    gf_is(server.device_bytes, 0, "no memory of the device is counted at the end");
    pthread_mutex_unlock(&server.lock);
    gf_device_cpu.close(&server.device);
    return gf_tap_end();
}
