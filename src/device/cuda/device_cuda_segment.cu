/* A segment on a lane of the GPU: up, through its steps, and down again. */
#include "device/cuda/device_cuda_lane.cuh"

#include <string.h>

extern "C" {
#include "base/clock.h"
#include "device/region_read.h"
#include "base/spool.h"
#include "kernels/base/program_run.h"
}

/* The whole of a signal in the device's memory. */
static struct gf_block resident(const struct gf_pass_end *store, void *data, int64_t units)
{
    const struct gf_span all = { 0, units };

    return store->planar ? gf_block_planar(data, &store->format, all, store->pitch_samples, units)
                         : gf_block_packed(data, &store->format, all);
}

/* Units of a signal on disk, in a lane's own memory. */
static struct gf_block passing(const struct gf_pass_end *store, void *data, struct gf_span span)
{
    return store->planar ? gf_block_planar(data, &store->format, span, store->pitch_samples, gf_span_units(span))
                         : gf_block_packed(data, &store->format, span);
}

/* Where the pass leaves its result; false: between steps, for nobody wants it. */
static bool final_place(struct gf_cuda_lane *l, const struct gf_job *job, struct gf_block *b)
{
    const struct gf_pass_end *to = &job->pass->to;

    if (to->end == GF_END_NOWHERE)
        return false;
    if (to->end == GF_END_FILE) {
        *b = gf_block_packed(l->out, &to->format, job->out);
    } else if (to->spooled) {
        *b = passing(to, l->out, job->out);
    } else {
        const struct gf_block all = resident(to, job->resident_out, l->walk.length[job->pass->steps]);

        *b = gf_block_part(&all, job->out);
    }
    return true;
}

/* Where the result of step k goes. */
static struct gf_block place(struct gf_cuda_lane *l, const struct gf_job *job, int k)
{
    const struct gf_pass *pass = job->pass;
    const struct gf_step *s = &pass->step[k];
    const struct gf_span span = l->walk.span[k + 1];
    struct gf_block last;

    if (k == pass->steps - 1 && final_place(l, job, &last))
        return last;
    return s->planar ? gf_block_planar(l->between[k % 2], &s->out, span, s->pitch_samples, gf_span_units(span))
                     : gf_block_packed(l->between[k % 2], &s->out, span);
}

static int run_body(struct gf_lane *lane, const struct gf_operation *op, const struct gf_io *io, const void *params, int step,
                    struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_block *b = &io->dst;
    struct gf_work work = gf_cuda_work(lane->device, l->stream);

    work.carry = l->carry;
    return op->cuda.body(&work, io, params, err) != 0
        || gf_cuda_mark(lane, GF_WORKING, step, gf_span_units(b->span) * b->width * b->channels * (int64_t)gf_type_bytes(b->type), err) != 0
               ? -1 : 0;
}

/* Rows of a signal on disk between there and `memory`, plane by plane. */
static int move_rows(const struct gf_spool *spool, const struct gf_pass_end *store, int64_t units, struct gf_span span,
                     void *memory, bool write, struct gf_error *err)
{
    const size_t row = (size_t)store->pitch_samples * gf_type_bytes(store->planar ? GF_F32 : store->format.type);
    const size_t bytes = (size_t)gf_span_units(span) * row;

    for (int c = 0; c < (store->planar ? store->format.channels : 1); c++) {
        const size_t at = (size_t)(c * units + span.start) * row;
        char *here = (char *)memory + c * bytes;

        if ((write ? gf_spool_write(spool, at, here, bytes, err) : gf_spool_read(spool, at, here, bytes, err)) != 0)
            return -1;
    }
    return 0;
}

static size_t store_bytes(const struct gf_pass_end *store, struct gf_span span)
{
    return (size_t)gf_span_units(span) * (size_t)(store->pitch_samples * (store->planar ? store->format.channels : 1))
         * gf_type_bytes(store->planar ? GF_F32 : store->format.type);
}

static int read_rows(struct gf_lane *lane, const struct gf_job *job, struct gf_span span, struct gf_error *err)
{
    const struct gf_pass_end *from = &job->pass->from;
    const double start = gf_clock_seconds();

    if (move_rows(job->spool_in, from, job->in_units, span, job->host_in, false, err) != 0)
        return -1;
    gf_cuda_tell_disk(lane, GF_READING, start, (int64_t)store_bytes(from, span));
    return 0;
}

/* The units that the job brings, in the device's memory. Tiles are brought one by one, later. */
static int bring(struct gf_lane *lane, const struct gf_job *job, struct gf_block *in, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    size_t bytes = (size_t)gf_span_units(job->in) * gf_unit_bytes(&pass->from.format);

    memset(in, 0, sizeof *in);
    if (pass->lane_region_bytes > 0)
        return 0;
    if (pass->from.spooled) {
        if (read_rows(lane, job, l->walk.span[0], err) != 0)
            return -1;
        *in = passing(&pass->from, l->in, l->walk.span[0]);
        bytes = store_bytes(&pass->from, l->walk.span[0]);
    } else if (pass->from.end == GF_END_RESIDENT) {
        *in = resident(&pass->from, job->resident_in, job->in_units);
        return 0;
    } else if (pass->steps == 0 && pass->to.end == GF_END_RESIDENT && !pass->to.planar && !pass->to.spooled) {
        const struct gf_block all = resident(&pass->to, job->resident_out, l->walk.length[0]);

        *in = gf_block_part(&all, job->in);
    } else {
        *in = gf_block_packed(l->in, &pass->from.format, job->in);
    }
    return gf_cuda_check(cudaMemcpyAsync(in->data, job->host_in, bytes, cudaMemcpyHostToDevice, l->stream), "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0 ? -1 : 0;
}

/* No step: what came in is what goes out, though maybe in another layout or place. */
static int pass_through(struct gf_lane *lane, const struct gf_job *job, struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_io io;

    memset(&io, 0, sizeof io);
    io.src = gf_block_part(at, job->out);
    io.src_units = job->in_units;
    *at = io.src;
    if (!final_place(l, job, &io.dst))
        return 0;
    if (io.dst.data == io.src.data)
        return 0;
    *at = io.dst;
    return run_body(lane, &gf_op_point, &io, NULL, 0, err);
}

/* One tile of the first step's result, from the region of the signal on disk that it needs. */
static int run_tile(struct gf_lane *lane, const struct gf_job *job, const struct gf_block *dst, struct gf_span columns,
                    struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_step *s = &job->pass->step[0];
    const double start = gf_clock_seconds();
    struct gf_region r;
    struct gf_block there;
    struct gf_io io;
    size_t bytes;

    (void)gf_step_op(s)->region(gf_step_params(s), &s->in, columns, dst->span, &r);
    there = gf_region_block(&job->pass->from, &r, l->host_region);
    if (gf_region_read(job->spool_in, &job->pass->from, job->in_units, &r, &there, err) != 0)
        return -1;
    bytes = (size_t)(there.planar ? there.plane_samples * there.channels : there.pitch_samples * r.rows) * gf_type_bytes(there.type);
    gf_cuda_tell_disk(lane, GF_READING, start, (int64_t)bytes);
    memset(&io, 0, sizeof io);
    io.src = there;
    io.src.data = l->region;
    io.dst = gf_block_columns(dst, columns);
    io.load = gf_step_load(s);
    io.store = gf_step_store(s);
    io.src_units = r.rows;
    if (gf_cuda_mark(lane, GF_WORKING, -1, 0, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(l->region, l->host_region, bytes, cudaMemcpyHostToDevice, l->stream), "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0 || run_body(lane, gf_step_op(s), &io, &r.params, 0, err) != 0
        || gf_cuda_finish(l->stream, err) != 0)
        return -1;
    gf_cuda_tell_marks(lane);                    /* the region's memory is free again; other lanes were at work meanwhile */
    return 0;
}

static int run_tiles(struct gf_lane *lane, const struct gf_job *job, const struct gf_block *dst, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const int64_t tile = gf_tile_columns(gf_span_units(dst->span));

    l->marks = 0;
    for (int64_t x = 0; x < dst->width; x += tile) {
        const struct gf_span columns = { x, x + tile < dst->width ? x + tile : dst->width };

        if (run_tile(lane, job, dst, columns, err) != 0)
            return -1;
    }
    return gf_cuda_mark(lane, GF_WORKING, -1, 0, err);
}

/*
 * The rows of step k's second source that lie beside units `span` of what it reads, up to the device; those that are
 * there already, as one picture's are for all frames, stay. From memory that is not pinned, which is through with on return.
 */
static int bring_beside(struct gf_lane *lane, const struct gf_side_picture *sides, const struct gf_step *s, int k, struct gf_span span, struct gf_io *io,
                        struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_side_picture *side = &sides[s->side.number];
    const struct gf_span rows = gf_side_picture_rows(side, s->side.shift, span);
    const size_t row = gf_unit_bytes(&side->format), bytes = (size_t)gf_span_units(rows) * row;
    char *to = l->side + s->side_at;

    gf_step_beside(s, rows, to, io);
    if (bytes == 0
        || (l->beside[k].number == side->number && l->beside[k].rows.start == rows.start && l->beside[k].rows.end == rows.end))
        return 0;
    l->beside[k].number = 0;
    if (gf_cuda_check(cudaMemcpyAsync(to, (const char *)side->data + (size_t)rows.start * row, bytes, cudaMemcpyHostToDevice,
                                      l->stream), "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0)
        return -1;
    l->beside[k].number = side->number;
    l->beside[k].rows = rows;
    return 0;
}

/* Step k, from `src` to `all`: what the segments before made of it is there already, or comes from what they left. */
static int run_step(struct gf_lane *lane, const struct gf_job *job, int k, const struct gf_block *src, const struct gf_block *all,
                    struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_step *s = &job->pass->step[k];
    const struct gf_span made = l->walk.made[k];
    struct gf_io io;

    if (s->history_units > 0 && gf_cuda_carry_recall(job, s, all, made, l->stream, err) != 0)
        return -1;
    if (made.start >= made.end)
        return 0;
    memset(&io, 0, sizeof io);
    io.src = *src;
    io.dst = gf_block_part(all, made);
    io.load = gf_step_load(s);
    io.store = gf_step_store(s);
    io.src_units = l->walk.length[k];
    io.signal = job->signal;
    if (s->side.used && bring_beside(lane, job->sides, s, k, gf_need_span(&s->need, made, l->walk.length[k]), &io, err) != 0)
        return -1;
    l->carry = s->need.carry_bytes > 0 ? (char *)job->carry->memory + s->carry_at : NULL;
    if (run_body(lane, gf_step_op(s), &io, gf_step_params(s), k, err) != 0)
        return -1;
    return s->history_units > 0 ? gf_cuda_carry_remember(job, s, all, made, l->stream, err) : 0;
}

static int run_steps(struct gf_lane *lane, const struct gf_job *job, struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    const bool carries = pass->carry_bytes > 0;
    const int last = job->ahead > 0 ? job->ahead - 1 : pass->carry_last;

    if (pass->steps == 0)
        return pass_through(lane, job, at, err);
    for (int k = 0; k < gf_job_steps(job); k++) {
        const struct gf_block all = place(l, job, k);

        if (carries && k == pass->carry_first && gf_cuda_carry_take(job, l->stream, err) != 0)
            return -1;
        if (k == 0 && pass->lane_region_bytes > 0 ? run_tiles(lane, job, &all, err) != 0 : run_step(lane, job, k, at, &all, err) != 0)
            return -1;
        if (carries && k == last && gf_cuda_carry_pass(job, l->stream, err) != 0)
            return -1;
        *at = all;
    }
    return 0;
}

static int measure(struct gf_lane *lane, const struct gf_job *job, const struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_step *s = &job->pass->step[job->pass->steps];
    struct gf_io io;

    memset(&io, 0, sizeof io);
    io.src = *at;
    io.dst = *at;
    io.dst.span = job->out;
    io.dst.data = l->result;
    io.load = gf_step_load(s);
    io.src_units = l->walk.length[job->pass->steps];
    if (s->side.used && bring_beside(lane, job->sides, s, job->pass->steps, job->out, &io, err) != 0)
        return -1;
    return run_body(lane, gf_step_op(s), &io, gf_step_params(s), job->pass->steps, err);
}

/* Down to the host, where the executor or the disk takes over. */
static int send(struct gf_lane *lane, const struct gf_job *job, const struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass_end *to = &job->pass->to;
    const size_t bytes = to->spooled ? store_bytes(to, job->out) : (size_t)gf_span_units(job->out) * gf_unit_bytes(&to->format);

    if (to->end != GF_END_FILE && !to->spooled)
        return 0;
    return gf_cuda_check(cudaMemcpyAsync(job->host_out, at->data, bytes, cudaMemcpyDeviceToHost, l->stream), "download", err) != 0
        || gf_cuda_mark(lane, GF_DOWNLOAD, -1, (int64_t)bytes, err) != 0 ? -1 : 0;
}

static int write_rows(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass_end *to = &job->pass->to;
    const double start = gf_clock_seconds();

    if (move_rows(job->spool_out, to, l->walk.length[job->pass->steps], job->out, job->host_out, true, err) != 0)
        return -1;
    gf_cuda_tell_disk(lane, GF_WRITING, start, (int64_t)store_bytes(to, job->out));
    return 0;
}

int gf_cuda_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    struct gf_block at;

    if (gf_cuda_bind(lane->device, err) != 0 || (lane->record != NULL && l->zero == NULL && gf_cuda_open_clock(l, err) != 0))
        return -1;
    gf_pass_fill_walk_to(pass, gf_job_steps(job), job->out, job->in_units, &l->walk);
    if (gf_cuda_mark(lane, GF_WORKING, -1, 0, err) != 0 || bring(lane, job, &at, err) != 0 || run_steps(lane, job, &at, err) != 0
        || (job->ahead == 0 && pass->measure.used && measure(lane, job, &at, err) != 0)
        || (job->ahead == 0 && send(lane, job, &at, err) != 0) || gf_cuda_finish(l->stream, err) != 0)
        return -1;
    if (lane->record != NULL)
        gf_cuda_tell_marks(lane);
    return pass->to.spooled && job->ahead == 0 ? write_rows(lane, job, err) : 0;
}
