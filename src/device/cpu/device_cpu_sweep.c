/* Sends a segment through the chain strip by strip, on a lane of a CPU. Halos stay in rolling windows. */
#include "base/clock.h"
#include "device/cpu/device_cpu.h"
#include "plan/history.h"
#include "plan/plan_region.h"

#include <string.h>

/* Drops units before `start`, to make room for new ones. */
static void roll(struct gf_cpu_window *w, int64_t start)
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

/* Adds the time of an operation on a strip, since `start`. */
static void note_busy(struct gf_lane *lane, int index, double start, const struct gf_block *made)
{
    struct gf_cpu_lane *l = lane->state;
    const double end = gf_clock_seconds();
    const int64_t bytes = gf_span_units(made->span) * made->width * made->channels * (int64_t)gf_type_bytes(made->type);

    if (lane->every) {
        gf_lane_note(lane, GF_WORKING, index, start, end, bytes);
        return;
    }
    l->busy[index] += end - start;
    l->bytes[index] += bytes;
}

int gf_cpu_run_body(struct gf_lane *lane, int index, const struct gf_operation *op, const struct gf_io *io,
                    const void *params, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const double start = lane->record ? gf_clock_seconds() : 0;
    const int result = gf_job_check(l->job, err) != 0 ? -1
                     : gf_device_body(lane->device->kind, op)(&l->work, io, params, err);

    if (lane->record)
        note_busy(lane, index, start, &io->dst);
    return result;
}

/* Runs the first step on a signal on disk, tile by tile, each from the region that it needs. */
static int produce_tiles(struct gf_lane *lane, const struct gf_step *s, const struct gf_block *dst,
                         struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const int64_t tile = gf_tile_columns(gf_span_units(dst->span));
    struct gf_region r;

    for (int64_t x = 0; x < dst->width; x += tile) {
        const struct gf_span columns = { x, x + tile < dst->width ? x + tile : dst->width };
        struct gf_io io = { .dst = gf_block_columns(dst, columns), .load = gf_step_load(s), .store = gf_step_store(s) };

        (void)gf_step_op(s)->region(gf_step_params(s), &s->in, columns, dst->span, &r);
        io.src = gf_region_block(&l->pass->from, &r, lane->region.data);
        io.src_units = r.rows;
        if (lane->fetch(lane->spooled, &r, &io.src, err) != 0
            || gf_cpu_run_body(lane, 0, gf_step_op(s), &io, &r.params, err) != 0)
            return -1;
    }
    return 0;
}

int gf_cpu_copy(void *nothing, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    (void)nothing;
    (void)err;
    memcpy(to, from, bytes);
    return 0;
}

/* Keeps the units in `made` that later segments look back to. */
static int remember(struct gf_cpu_lane *l, int k, const struct gf_block *made, struct gf_error *err)
{
    const struct gf_step *s = &l->pass->step[k];
    struct gf_span left = gf_history_left(s, l->walk.made[k]);

    left.start = left.start > made->span.start ? left.start : made->span.start;
    left.end = made->span.end;
    return gf_kept_copy_history(l->carry, s, left, made, false, gf_cpu_copy, NULL, err);
}

/* Computes units `want` of the result of step k into `dst`, and first what it needs of earlier steps. */
int gf_cpu_produce(struct gf_lane *lane, int k, const struct gf_block *dst, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_step *s = &l->pass->step[k];
    struct gf_io io = { .dst = *dst, .load = gf_step_load(s), .store = gf_step_store(s), .src_units = l->walk.length[k],
                        .signal = l->job->signal };

    if (k == 0 && l->pass->lane_region_bytes > 0) {
        return produce_tiles(lane, s, dst, err);
    } else if (k == 0) {
        io.src = l->in;
    } else {
        const struct gf_span need = gf_need_span(&s->need, dst->span, l->walk.length[k]);
        struct gf_cpu_window *w = &l->window[k - 1];
        struct gf_block fresh;

        if (need.end > w->block.span.end) {
            struct gf_span more;

            roll(w, need.start);
            more = (struct gf_span) { w->block.span.end, need.end };
            w->block.span.end = need.end;
            fresh = gf_block_part(&w->block, more);
            if (gf_cpu_produce(lane, k - 1, &fresh, err) != 0)
                return -1;
        }
        io.src = w->block;
    }
    if (s->side.used)
        gf_step_beside(s, l->job->beside[k].rows, l->job->beside[k].data, &io);
    if (s->frames.used)
        gf_job_frames(l->job, s, l->frame, &io);
    if (s->need.carry_bytes > 0)
        l->work.carry = l->own_state != NULL ? l->own_state : (char *)l->carry->memory + s->carry_at;
    if (gf_cpu_run_body(lane, k, gf_step_op(s), &io, gf_step_params(s), err) != 0)
        return -1;
    return s->history_units > 0 ? remember(l, k, dst, err) : 0;
}

/* Computes all units of step k's result that the segment needs, a strip at a time. */
int gf_cpu_make_all(struct gf_lane *lane, int k, struct gf_error *err)
{
    struct gf_cpu_lane *l = lane->state;
    const struct gf_span made = l->walk.made[k];
    const int64_t most = l->pass->step[k].strip_units;
    struct gf_cpu_window *w = &l->window[k];

    if (l->pass->step[k].need.carry_bytes == 0)          /* with state, the window begins with remembered units */
        w->block.span = (struct gf_span) { made.start, made.start };
    for (int64_t u = made.start; u < made.end; u = w->block.span.end) {
        const struct gf_span span = { u, made.end - u < most ? made.end : u + most };
        struct gf_block fresh;

        w->block.span.end = span.end;
        fresh = gf_block_part(&w->block, span);
        if (gf_cpu_produce(lane, k, &fresh, err) != 0)
            return -1;
    }
    return 0;
}
