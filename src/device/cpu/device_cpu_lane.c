/* Lanes of a CPU: run a segment from its input to its output, and steps with state in their turn. */
#include "base/clock.h"
#include "base/pages.h"
#include "device/cpu/device_cpu.h"
#include "kernels/operations.h"
#include "kernels/statistics/scan.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static size_t window_bytes(const struct gf_step *s)
{
    const size_t unit = (size_t)s->pitch_samples
                        * (s->planar ? (size_t)s->out.channels * sizeof(float) : gf_type_bytes(s->out.type));

    return (size_t)gf_round_up(s->window_units * (int64_t)unit, 512);
}

static void place_windows(struct gf_cpu_lane *l)
{
    char *at = l->work_memory;

    for (int k = 0; k < l->pass->steps; k++) {
        const struct gf_step *s = &l->pass->step[k];
        struct gf_cpu_window *w = &l->window[k];

        if (!gf_cpu_has_window(l->pass, k))
            continue;
        w->room_units = s->window_units;
        w->block = s->planar ? gf_block_planar(at, &s->out, (struct gf_span) { 0, 0 }, s->pitch_samples,
                                               s->window_units)
                             : gf_block_packed(at, &s->out, (struct gf_span) { 0, 0 });
        at += window_bytes(s);
    }
}

void gf_cpu_lane_close(struct gf_lane *lane)
{
    struct gf_cpu_lane *l = lane->state;

    if (l != NULL) {
        free(l->work_memory);
        free(l->work.scratch);
        free(l->result);
    }
    free(l);
    lane->state = NULL;
}

int gf_cpu_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    struct gf_cpu_lane *l = calloc(1, sizeof *l);
    size_t windows = 0;

    lane->state = l;
    if (l == NULL)
        return gf_fail_memory(err, NULL);
    l->pass = pass;
    for (int k = 0; k < pass->steps; k++)
        windows += gf_cpu_has_window(pass, k) ? window_bytes(&pass->step[k]) : 0;
    if (gf_pages_alloc(windows, (void **)&l->work_memory, err) != 0
        || gf_pages_alloc(pass->lane_scratch_bytes, &l->work.scratch, err) != 0
        || gf_pages_alloc(pass->measure.result_bytes, &l->result, err) != 0) {
        gf_cpu_lane_close(lane);
        return -1;
    }
    l->work.scratch_bytes = pass->lane_scratch_bytes;
    memset(l->result, 0, pass->measure.result_bytes);
    place_windows(l);
    return 0;
}

/* ---- a segment ---- */

/* Copies results of earlier segments that this one looks back to into their windows. */
static int recall(struct gf_cpu_lane *l, struct gf_error *err)
{
    for (int k = l->pass->carry_first; k <= l->pass->carry_last && k < gf_job_steps(l->job); k++) {
        const struct gf_step *s = &l->pass->step[k];
        const struct gf_span seen = { l->walk.span[k + 1].start, l->walk.made[k].start };
        struct gf_block *b = &l->window[k].block;

        if (s->need.carry_bytes == 0 || !gf_cpu_has_window(l->pass, k))
            continue;
        b->span = seen;
        if (gf_kept_copy_history(l->carry, s, seen, b, true, gf_cpu_copy, NULL, err) != 0)
            return -1;
    }
    return 0;
}

static int take_turn(struct gf_cpu_lane *l, struct gf_error *err)
{
    if (gf_kept_wait(l->carry, l->job, err) != 0)
        return -1;
    if (l->job->index == 0)
        memset(l->carry->memory, 0, l->pass->carry_bytes);
    return recall(l, err);
}

/* Computes the part of a segment that must wait for its turn, and the steps before it. */
static int work_in_turn(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;

    if ((pass->work_ahead >= 0 && gf_cpu_make_all(lane, pass->work_ahead, err) != 0) || take_turn(l, err) != 0)
        return -1;
    if (pass->work_in_turn < 0)
        return 0;
    if (gf_cpu_make_all(lane, pass->work_in_turn, err) != 0)
        return -1;
    gf_order_pass(&l->carry->order);
    return 0;
}

/* Passes the state on before the segment is computed, if its only step can do so. The turn is this segment's. */
static bool leave_state(struct gf_lane *lane, const struct gf_job *job)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_step *s = &job->pass->step[0];
    const struct gf_io io = { .src = l->in, .dst = l->out, .load = gf_step_load(s), .store = gf_step_store(s),
                              .src_units = l->walk.length[0], .signal = job->signal };

    if (job->pass->lanes < 2 || job->pass->steps != 1 || gf_step_op(s)->cpu.leave_state == NULL
        || job->pass->to.end == GF_END_NOWHERE || job->pass->lane_region_bytes > 0 || s->history_units > 0
        || s->side.used)
        return false;
    l->work.carry = (char *)l->carry->memory + s->carry_at;
    if (!gf_step_op(s)->cpu.leave_state(&l->work, &io, gf_step_params(s)))
        return false;
    l->own_state = l->work.scratch;
    gf_order_pass(&l->carry->order);
    return true;
}

/* Runs a segment before the first one: strips are computed and dropped; only state and history remain. */
static int work_ahead(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const int k = job->ahead - 1;
    const int64_t most = job->pass->step[k].strip_units;
    struct gf_cpu_window *w = &l->window[k];

    if ((job->pass->work_ahead >= 0 && gf_cpu_make_all(lane, job->pass->work_ahead, err) != 0)
        || take_turn(l, err) != 0)
        return -1;
    for (int64_t u = job->out.start; u < job->out.end; u = w->block.span.end) {
        w->block.span = (struct gf_span) { u, job->out.end - u < most ? job->out.end : u + most };
        if (gf_cpu_produce(lane, k, &w->block, err) != 0)
            return -1;
    }
    gf_order_pass(&l->carry->order);
    return 0;
}

static int measure_strip(struct gf_lane *lane, const struct gf_block *strip, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_step *s = &l->pass->step[l->pass->steps];
    const struct gf_records records = gf_op_records(gf_step_op(s), gf_step_params(s));
    struct gf_io io = { .src = *strip, .dst = *strip, .load = gf_step_load(s),
                        .src_units = l->walk.length[l->pass->steps] };

    if (s->side.used)
        gf_step_beside(s, l->job->beside[l->pass->steps].rows, l->job->beside[l->pass->steps].data, &io);
    io.dst.data = l->result;
    if (records.bytes > 0)
        io.dst.data = (char *)l->result + (size_t)((strip->span.start - l->out.span.start) / records.block_units
                                                   * records.channels) * records.bytes;
    return gf_cpu_run_body(lane, l->pass->steps, gf_step_op(s), &io, gf_step_params(s), err);
}

static struct gf_block whole(const struct gf_pass_end *end, void *data, int64_t units)
{
    return gf_pass_end_block(end, data, (struct gf_span) { 0, units }, units);
}

/* Describes the input and the output of the job as blocks. */
static void bind_ends(struct gf_lane *lane, const struct gf_job *job)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;
    struct gf_kept *kept = lane->device->kept;

    gf_pass_fill_walk_to(pass, gf_job_steps(job), job->out, job->in_units, &l->walk);
    if (pass->from.end == GF_END_RESIDENT)
        l->in = whole(&pass->from, pass->from.spooled ? job->host_in : kept->result[pass->from_pass], job->in_units);
    else
        l->in = gf_block_packed(job->host_in, &pass->from.format, job->in);
    l->out = gf_block_packed(job->host_out, &pass->to.format, job->out);
    if (pass->to.end == GF_END_RESIDENT && job->ahead == 0) {
        l->out = whole(&pass->to, pass->to.spooled ? job->host_out : kept->result[lane->pass_number],
                       l->walk.length[pass->steps]);
        l->out = gf_block_part(&l->out, job->out);
    }
    for (int k = 0; k < pass->steps; k++)
        l->window[k].block.span = (struct gf_span) { 0, 0 };
}

/* Computes one strip of the pass's result; *strip is where it ended up. */
static int run_strip(struct gf_lane *lane, struct gf_span span, struct gf_block *strip, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const int last = l->pass->steps - 1;

    if (last < 0) {                                      /* no operation: the strip is copied, or only measured */
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
    return gf_cpu_produce(lane, last, strip, err);
}

/*
 * Reports the operations of a segment. Strips take turns at them, so the report has sums, placed
 * one after another.
 */
static void report_busy(struct gf_lane *lane, double start)
{
    struct gf_cpu_lane *l = lane->state;

    for (int k = 0; k <= l->pass->steps; k++) {
        if (l->busy[k] > 0)
            gf_lane_note(lane, GF_WORKING, k, start, start + l->busy[k], l->bytes[k]);
        start += l->busy[k];
        l->busy[k] = 0;
        l->bytes[k] = 0;
    }
}

static int work_through(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;
    bool waits;                          /* the next segment waits for this one */

    if (pass->carry_bytes > 0 && work_in_turn(lane, job, err) != 0)
        return -1;
    waits = pass->carry_bytes > 0 && pass->work_in_turn < 0 && !leave_state(lane, job);
    for (int64_t u = job->out.start; u < job->out.end; u += pass->strip_units) {
        const struct gf_span span = { u, u + pass->strip_units < job->out.end ? u + pass->strip_units : job->out.end };
        struct gf_block strip;

        if (run_strip(lane, span, &strip, err) != 0)
            return -1;
        if (pass->measure.used && measure_strip(lane, &strip, err) != 0)
            return -1;
    }
    if (waits)
        gf_order_pass(&l->carry->order);
    return 0;
}

int gf_cpu_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_pass *pass = job->pass;
    const struct gf_cpu_state *state = lane->device->state;
    const double start = lane->record ? gf_clock_seconds() : 0;

    l->scratch_ready &= l->pass == pass && l->pools_number == state->pools_number;
    l->pools_number = state->pools_number;
    l->work.scratch_ready = pass->keeps_scratch ? &l->scratch_ready : NULL;
    l->pass = pass;
    l->job = job;
    l->carry = &lane->device->kept->carry[lane->pass_number];
    l->own_state = NULL;
    l->work.masks = state->pools.masks;
    l->work.tables = state->pools.tables;
    bind_ends(lane, job);
    if (job->ahead > 0 ? work_ahead(lane, job, err) != 0 : work_through(lane, job, err) != 0)
        return -1;
    if (lane->record && !lane->every)
        report_busy(lane, start);
    return 0;
}

int gf_cpu_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;

    (void)err;
    memcpy(result, l->result, bytes);
    memset(l->result, 0, bytes);
    return 0;
}

int gf_cpu_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err)
{
    const struct gf_cpu_lane *l = lane->state;
    const struct gf_scan scan = { bins };
    int result = 0;

    for (int row = 0; row < rows && result == 0; row++, counts += bins) {
        const struct gf_io io = { .src.data = counts, .dst.data = counts };

        result = gf_op_scan.cpu.body(&l->work, &io, &scan, err);
    }
    return result;
}
