/* The CPU as a device: a lane sweeps its segment a strip at a time through the whole chain, halos rolling along. */
#define _GNU_SOURCE
#include "device.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "group.h"
#include "history.h"
#include "region.h"

#define HUGE_BYTES (2u << 20)
#define CPU_BYTES_PER_SECOND 2.5e9       /* a core's light work, floats in the second cache */

struct cpu_state {
    struct gf_pools pools;
};

/* The latest units of a step's result. */
struct window {
    struct gf_block block;
    int64_t room_units;
};

struct cpu_lane {
    const struct gf_pass *pass;
    struct window window[GF_PASS_STEPS];
    char *work_memory;
    struct gf_work work;
    void *result;                        /* counts so far, or the records of a segment */
    void *region;                        /* what a tile needs of a signal on disk */
    const struct gf_job *job;
    double busy[GF_PASS_STEPS + 1];      /* of the segment at hand, when somebody asks */
    int64_t bytes[GF_PASS_STEPS + 1];
    /* of the job at hand */
    struct gf_block in, out;
    struct gf_walk walk;
};

double gf_clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the device ---- */

/* Of the machine, or less where a container allows less. */
static int64_t memory_here(void)
{
    const int64_t all = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    const int64_t group = gf_group_memory("/proc/self/cgroup", "/sys/fs/cgroup");

    return group > 0 && group < all ? group : all;
}

static void cpu_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes)
{
    cpu_set_t set;

    (void)index;
    if (why != NULL && why_bytes > 0)
        why[0] = '\0';
    memset(facts, 0, sizeof *facts);
    facts->present = true;
    facts->cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    facts->memory_bytes = memory_here();
    facts->work_bytes_per_second = CPU_BYTES_PER_SECOND * facts->cores;
}

static int cpu_open(struct gf_device *d, int index, struct gf_error *err)
{
    (void)index;
    d->state = calloc(1, sizeof(struct cpu_state));
    return d->state ? 0 : gf_fail(err, GF_FAILED, "not enough memory");
}

static void cpu_close(struct gf_device *d)
{
    free(d->state);
    d->state = NULL;
}

static int cpu_alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err)
{
    const size_t align = bytes >= 2 * HUGE_BYTES ? HUGE_BYTES : 512;

    (void)d;
    *memory = NULL;
    if (posix_memalign(memory, align, bytes ? bytes : 1) != 0) {
        *memory = NULL;
        return gf_fail(err, GF_FAILED, "not enough memory for %zu MB; a smaller --memory or --segment needs less", bytes >> 20);
    }
    if (align == HUGE_BYTES)
        madvise(*memory, bytes, MADV_HUGEPAGE);          /* a wish: it is right without */
    return 0;
}

static void cpu_release(struct gf_device *d, void *memory)
{
    (void)d;
    free(memory);
}

static int cpu_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    *room = (struct gf_room) { .bytes = bytes, .pinned = true };
    return cpu_alloc(d, bytes, &room->data, err);
}

static int cpu_room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    (void)d;
    (void)room;
    (void)err;
    return 0;
}

static void cpu_room_close(struct gf_device *d, struct gf_room *room)
{
    cpu_release(d, room->data);
    *room = (struct gf_room) { 0 };
}

static int cpu_carry_open(struct gf_device *d, struct gf_carry *carry, size_t bytes, struct gf_error *err)
{
    return cpu_alloc(d, bytes, &carry->memory, err);
}

static void cpu_carry_close(struct gf_device *d, struct gf_carry *carry)
{
    cpu_release(d, carry->memory);
    *carry = (struct gf_carry) { 0 };
}

static int cpu_copy(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    (void)d;
    (void)err;
    memcpy(to, from, bytes);
    return 0;
}

static int cpu_set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    (void)err;
    ((struct cpu_state *)d->state)->pools = *pools;
    return 0;
}

static struct gf_work cpu_work(struct gf_device *d)
{
    const struct cpu_state *s = d->state;

    return (struct gf_work) { .masks = s->pools.masks, .tables = s->pools.tables };
}

static int cpu_wait(struct gf_device *d, struct gf_error *err)
{
    (void)d;
    (void)err;
    return 0;
}

/* ---- lanes ---- */

/* Whether the result of step k passes through a window of the lane's own. */
static bool has_window(const struct gf_pass *pass, int k)
{
    return k < pass->steps - 1 || pass->to.end == GF_END_NOWHERE;
}

static size_t window_bytes(const struct gf_step *s)
{
    const size_t unit = (size_t)s->pitch_samples * (s->planar ? (size_t)s->out.channels * sizeof(float) : gf_type_bytes(s->out.type));

    return ((size_t)s->window_units * unit + 511) & ~(size_t)511;
}

static void place_windows(struct cpu_lane *l)
{
    char *at = l->work_memory;

    for (int k = 0; k < l->pass->steps; k++) {
        const struct gf_step *s = &l->pass->step[k];
        struct window *w = &l->window[k];

        if (!has_window(l->pass, k))
            continue;
        w->room_units = s->window_units;
        w->block = s->planar ? gf_block_planar(at, &s->out, (struct gf_span) { 0, 0 }, s->pitch_samples, s->window_units)
                             : gf_block_packed(at, &s->out, (struct gf_span) { 0, 0 });
        at += window_bytes(s);
    }
}

static void cpu_lane_close(struct gf_lane *lane)
{
    struct cpu_lane *l = lane->state;

    if (l != NULL) {
        free(l->work_memory);
        free(l->work.scratch);
        free(l->result);
        free(l->region);
    }
    free(l);
    lane->state = NULL;
}

static int cpu_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    struct cpu_lane *l = calloc(1, sizeof *l);
    size_t windows = 0;

    lane->state = l;
    if (l == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    l->pass = pass;
    for (int k = 0; k < pass->steps; k++)
        windows += has_window(pass, k) ? window_bytes(&pass->step[k]) : 0;
    if (cpu_alloc(lane->device, windows, (void **)&l->work_memory, err) != 0
        || cpu_alloc(lane->device, pass->lane_scratch_bytes, &l->work.scratch, err) != 0
        || cpu_alloc(lane->device, pass->lane_region_bytes, &l->region, err) != 0
        || cpu_alloc(lane->device, pass->measure.result_bytes, &l->result, err) != 0) {
        cpu_lane_close(lane);
        return -1;
    }
    l->work.scratch_bytes = pass->lane_scratch_bytes;
    memset(l->result, 0, pass->measure.result_bytes);
    place_windows(l);
    return 0;
}

/* ---- the sweep ---- */

/* Forgets units before `start`, to make room behind the rest. */
static void roll(struct window *w, int64_t start)
{
    struct gf_block *b = &w->block;
    const int64_t kept = b->span.end - start;
    const size_t sample = gf_type_bytes(b->type);

    if (kept <= 0) {
        b->span = (struct gf_span) { start, start };
        return;
    }
    if (start == b->span.start)
        return;
    for (int c = 0; c < (b->planar ? b->channels : 1); c++) {
        char *plane = (char *)b->data + (size_t)(c * b->plane_samples) * sample;

        memmove(plane, plane + (size_t)((start - b->span.start) * b->pitch_samples) * sample,
                (size_t)(kept * b->pitch_samples) * sample);
    }
    b->span.start = start;
}

/* An operation has worked on a strip since `start`. */
static void note_busy(struct gf_lane *lane, int index, double start, const struct gf_block *made)
{
    struct cpu_lane *l = lane->state;
    const double end = gf_clock_seconds();
    const int64_t bytes = gf_span_units(made->span) * made->width * made->channels * (int64_t)gf_type_bytes(made->type);
    const struct gf_interval i = { .activity = GF_WORKING, .lane = lane->number, .step = index, .pass = lane->pass_number,
                                   .start = start, .end = end, .bytes = bytes };

    if (lane->every) {
        lane->record(lane->report, &i);
        return;
    }
    l->busy[index] += end - start;
    l->bytes[index] += bytes;
}

static int run_body(struct gf_lane *lane, int index, enum gf_op op, const struct gf_io *io, const void *params, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const double start = lane->record ? gf_clock_seconds() : 0;
    const int result = lane->device->kind->bodies[op](&l->work, io, params, err);

    if (lane->record)
        note_busy(lane, index, start, &io->dst);
    return result;
}

/* The first step from a signal on disk: tile by tile, each from the region that it needs. */
static int produce_tiles(struct gf_lane *lane, const struct gf_step *s, const struct gf_block *dst, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_store *from = &l->pass->from;
    const int64_t tile = gf_tile_columns(gf_span_units(dst->span));
    struct gf_region r;

    for (int64_t x = 0; x < dst->width; x += tile) {
        const struct gf_span columns = { x, x + tile < dst->width ? x + tile : dst->width };
        struct gf_io io = { .dst = gf_block_columns(dst, columns), .load = &s->load, .store = &s->store };

        gf_region_of(s, columns, dst->span, &r);
        io.src = gf_region_block(from, &r, l->region);
        io.src_units = r.rows;
        if (gf_region_read(l->job->spool_in, from, l->walk.length[0], &r, &io.src, err) != 0
            || run_body(lane, 0, s->op, &io, r.params, err) != 0)
            return -1;
    }
    return 0;
}

static void copy_units(const struct gf_block *to, const struct gf_block *from)
{
    const size_t sample = gf_type_bytes(from->type);

    for (int c = 0; c < (from->planar ? from->channels : 1); c++)
        memcpy((char *)to->data + (size_t)(c * to->plane_samples) * sample,
               (const char *)from->data + (size_t)(c * from->plane_samples) * sample,
               (size_t)(gf_span_units(from->span) * from->pitch_samples) * sample);
}

/* Keeps those of the units in `made` that the next segments look back to. */
static void remember(struct cpu_lane *l, int k, const struct gf_block *made)
{
    const struct gf_step *s = &l->pass->step[k];
    struct gf_span left = gf_history_left(s, l->walk.made[k]);

    left.start = left.start > made->span.start ? left.start : made->span.start;
    left.end = made->span.end;
    while (left.start < left.end) {
        const struct gf_block to = gf_history_part(s, l->job->carry->memory, left), from = gf_block_part(made, to.span);

        copy_units(&to, &from);
        left.start = to.span.end;
    }
}

/* Computes units `want` of the result of step k into `dst`, after what it needs of the steps before. */
static int produce(struct gf_lane *lane, int k, const struct gf_block *dst, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_step *s = &l->pass->step[k];
    struct gf_io io = { .dst = *dst, .load = &s->load, .store = &s->store, .src_units = l->walk.length[k] };

    if (k == 0 && l->pass->lane_region_bytes > 0) {
        return produce_tiles(lane, s, dst, err);
    } else if (k == 0) {
        io.src = l->in;
    } else {
        const struct gf_span need = gf_need_span(&s->need, dst->span, l->walk.length[k]);
        struct window *w = &l->window[k - 1];
        struct gf_block fresh;

        if (need.end > w->block.span.end) {
            struct gf_span more;

            roll(w, need.start);
            more = (struct gf_span) { w->block.span.end, need.end };
            w->block.span.end = need.end;
            fresh = gf_block_part(&w->block, more);
            if (produce(lane, k - 1, &fresh, err) != 0)
                return -1;
        }
        io.src = w->block;
    }
    if (s->side != NULL)
        gf_step_beside(s, (struct gf_span) { 0, s->side->format.units }, s->side->data, &io);
    if (s->need.carry_bytes > 0)
        l->work.carry = (char *)l->job->carry->memory + s->carry_at;
    if (run_body(lane, k, s->op, &io, s->params, err) != 0)
        return -1;
    if (s->history_units > 0)
        remember(l, k, dst);
    return 0;
}

/* All that the segment takes of step k's result, made a strip at a time. */
static int make_all(struct gf_lane *lane, int k, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_span made = l->walk.made[k];
    const int64_t most = l->pass->step[k].strip_units;
    struct window *w = &l->window[k];

    if (l->pass->step[k].need.carry_bytes == 0)          /* else what is remembered stands there */
        w->block.span = (struct gf_span) { made.start, made.start };
    for (int64_t u = made.start; u < made.end; u = w->block.span.end) {
        const struct gf_span span = { u, made.end - u < most ? made.end : u + most };
        struct gf_block fresh;

        w->block.span.end = span.end;
        fresh = gf_block_part(&w->block, span);
        if (produce(lane, k, &fresh, err) != 0)
            return -1;
    }
    return 0;
}

static int take_turn(const struct gf_job *job, struct gf_error *err)
{
    if (!gf_turn_wait(job->turn, job->index))
        return gf_fail(err, GF_FAILED, "a segment before failed");
    if (job->index == 0)
        memset(job->carry->memory, 0, job->pass->carry_bytes);
    return 0;
}

/* What the segments before left of the results that this one looks back to, in their windows. */
static void recall(struct cpu_lane *l)
{
    for (int k = l->pass->carry_first; k <= l->pass->carry_last && k < gf_job_steps(l->job); k++) {
        const struct gf_step *s = &l->pass->step[k];
        const struct gf_span seen = { l->walk.span[k + 1].start, l->walk.made[k].start };
        struct gf_block *b = &l->window[k].block;

        if (s->need.carry_bytes == 0 || !has_window(l->pass, k))
            continue;
        b->span = seen;
        for (struct gf_span part = seen; part.start < seen.end; part.start = part.end) {
            struct gf_block from, to;

            part.end = seen.end;
            from = gf_history_part(s, l->job->carry->memory, part);
            part.end = from.span.end;
            to = gf_block_part(b, part);
            copy_units(&to, &from);
        }
    }
}

/* The segment as far as it has to wait for its turn, and what comes before. */
static int work_in_turn(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;

    if ((pass->work_ahead >= 0 && make_all(lane, pass->work_ahead, err) != 0) || take_turn(job, err) != 0)
        return -1;
    recall(l);
    if (pass->work_in_turn < 0)
        return 0;
    if (make_all(lane, pass->work_in_turn, err) != 0)
        return -1;
    gf_turn_pass(job->turn);
    return 0;
}

/* A segment ahead of the first: made a strip at a time and forgotten, but for the state, and what is looked back to. */
static int work_ahead(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const int k = job->ahead - 1;
    const int64_t most = job->pass->step[k].strip_units;
    struct window *w = &l->window[k];

    if ((job->pass->work_ahead >= 0 && make_all(lane, job->pass->work_ahead, err) != 0) || take_turn(job, err) != 0)
        return -1;
    recall(l);
    for (int64_t u = job->out.start; u < job->out.end; u = w->block.span.end) {
        w->block.span = (struct gf_span) { u, job->out.end - u < most ? job->out.end : u + most };
        if (produce(lane, k, &w->block, err) != 0)
            return -1;
    }
    gf_turn_pass(job->turn);
    return 0;
}

static int measure_strip(struct gf_lane *lane, const struct gf_block *strip, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_step *s = &l->pass->measure.step;
    const struct gf_records records = gf_op_records(s->op, s->params);
    struct gf_io io = { .src = *strip, .dst = *strip, .load = &s->load, .src_units = l->walk.length[l->pass->steps] };

    if (s->side != NULL)
        gf_step_beside(s, (struct gf_span) { 0, s->side->format.units }, s->side->data, &io);
    io.dst.data = l->result;
    if (records.bytes > 0)
        io.dst.data = (char *)l->result + (size_t)((strip->span.start - l->out.span.start) / records.block_units * records.channels) * records.bytes;
    return run_body(lane, l->pass->steps, s->op, &io, s->params, err);
}

/* What the job reads and writes, as blocks. */
static void bind_ends(struct gf_lane *lane, const struct gf_job *job)
{
    struct cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;
    struct gf_format whole = pass->to.format;

    gf_pass_walk_to(pass, gf_job_steps(job), job->out, job->in_units, &l->walk);
    if (pass->from.end == GF_END_RESIDENT) {
        const struct gf_span all = { 0, job->in_units };

        l->in = pass->from.planar ? gf_block_planar(job->resident_in, &pass->from.format, all, pass->from.pitch_samples, job->in_units)
                                  : gf_block_packed(job->resident_in, &pass->from.format, all);
    } else {
        l->in = gf_block_packed(job->host_in, &pass->from.format, job->in);
    }
    l->out = gf_block_packed(job->host_out, &whole, job->out);
    if (pass->to.end == GF_END_RESIDENT && job->ahead == 0) {
        const struct gf_span all = { 0, l->walk.length[pass->steps] };

        l->out = pass->to.planar ? gf_block_planar(job->resident_out, &whole, all, pass->to.pitch_samples, all.end)
                                 : gf_block_packed(job->resident_out, &whole, all);
        l->out = gf_block_part(&l->out, job->out);
    }
    for (int k = 0; k < pass->steps; k++)
        l->window[k].block.span = (struct gf_span) { 0, 0 };
}

/* One strip of the pass's result; *strip is where it ended up. */
static int run_strip(struct gf_lane *lane, struct gf_span span, struct gf_block *strip, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const int last = l->pass->steps - 1;

    if (last < 0) {                                      /* nothing is computed: it is copied, or only measured */
        const struct gf_block from = gf_block_part(&l->in, span);

        *strip = from;
        if (l->pass->to.end != GF_END_NOWHERE) {
            *strip = gf_block_part(&l->out, span);
            memcpy(strip->data, from.data, (size_t)gf_span_units(span) * gf_unit_bytes(&l->pass->from.format));
        }
        return 0;
    }
    if (l->pass->to.end == GF_END_NOWHERE) {
        l->window[last].block.span = span;
        *strip = l->window[last].block;
    } else {
        *strip = gf_block_part(&l->out, span);
    }
    return produce(lane, last, strip, err);
}

/* The operations of a segment: strips take turns at them, so what is told are sums, laid end to end. */
static void report_busy(struct gf_lane *lane, double start)
{
    struct cpu_lane *l = lane->state;

    for (int k = 0; k <= l->pass->steps; k++) {
        const struct gf_interval i = { .activity = GF_WORKING, .lane = lane->number, .step = k, .pass = lane->pass_number,
                                       .start = start, .end = start + l->busy[k], .bytes = l->bytes[k] };

        if (l->busy[k] > 0)
            lane->record(lane->report, &i);
        start += l->busy[k];
        l->busy[k] = 0;
        l->bytes[k] = 0;
    }
}

static int work_through(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    const struct gf_pass *pass = job->pass;

    if (pass->carry_bytes > 0 && work_in_turn(lane, job, err) != 0)
        return -1;
    for (int64_t u = job->out.start; u < job->out.end; u += pass->strip_units) {
        const struct gf_span span = { u, u + pass->strip_units < job->out.end ? u + pass->strip_units : job->out.end };
        struct gf_block strip;

        if (run_strip(lane, span, &strip, err) != 0)
            return -1;
        if (pass->measure.used && measure_strip(lane, &strip, err) != 0)
            return -1;
    }
    if (pass->carry_bytes > 0 && pass->work_in_turn < 0)
        gf_turn_pass(job->turn);
    return 0;
}

static int cpu_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;
    const struct cpu_state *state = lane->device->state;
    const double start = lane->record ? gf_clock_seconds() : 0;

    l->pass = pass;
    l->job = job;
    l->work.masks = state->pools.masks;
    l->work.tables = state->pools.tables;
    bind_ends(lane, job);
    if (job->ahead > 0 ? work_ahead(lane, job, err) != 0 : work_through(lane, job, err) != 0)
        return -1;
    if (lane->record && !lane->every)
        report_busy(lane, start);
    return 0;
}

static int cpu_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err)
{
    struct cpu_lane *l = lane->state;

    (void)err;
    memcpy(result, l->result, bytes);
    memset(l->result, 0, bytes);
    return 0;
}

const struct gf_device_kind gf_device_cpu = {
    .name = "cpu",
    .bodies = gf_ops_cpu,
    .facts = cpu_facts,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .room_open = cpu_room_open,
    .room_pin = cpu_room_pin,
    .room_close = cpu_room_close,
    .upload = cpu_copy,
    .download = cpu_copy,
    .carry_open = cpu_carry_open,
    .carry_close = cpu_carry_close,
    .set_pools = cpu_set_pools,
    .work = cpu_work,
    .wait = cpu_wait,
    .lane_open = cpu_lane_open,
    .lane_close = cpu_lane_close,
    .lane_run = cpu_lane_run,
    .lane_result = cpu_lane_result,
};
