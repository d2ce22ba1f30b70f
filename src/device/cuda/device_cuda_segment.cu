/* Runs a segment on a lane of the GPU: upload, all steps, download. */
#include "device/cuda/device_cuda_lane.cuh"

#include <string.h>

extern "C" {
#include "base/clock.h"
#include "chain/side.h"
#include "device/strided.h"
#include "kernels/base/program_run.h"
#include "kernels/geometry/move.h"
#include "plan/plan_region.h"
}

/* ---- state that the segments of a pass hand on; events keep the streams of several lanes in order ---- */

/*
 * Waits until earlier segments have queued their work on the state, and makes the stream wait for
 * it; carry_pass() passes the turn on.
 */
static int carry_take(struct gf_kept_carry *c, const struct gf_job *job, cudaStream_t stream, struct gf_error *err)
{
    if (gf_kept_wait(c, job, err) != 0)
        return -1;
    if (job->index > 0)
        return gf_cuda_check(cudaStreamWaitEvent(stream, (cudaEvent_t)c->left, 0), "state", err);
    if (c->left == NULL
        && gf_cuda_check(cudaEventCreateWithFlags((cudaEvent_t *)&c->left, cudaEventDisableTiming), "event", err) != 0)
        return -1;
    return gf_cuda_check(cudaMemsetAsync(c->memory, 0, job->pass->carry_bytes, stream), "state", err);
}

static int carry_pass(struct gf_kept_carry *c, cudaStream_t stream, struct gf_error *err)
{
    if (gf_cuda_check(cudaEventRecord((cudaEvent_t)c->left, stream), "state", err) != 0)
        return -1;
    gf_order_pass(&c->order);
    return 0;
}

static int carry_copy(void *stream, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    return gf_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)stream),
                         "state", err);
}

/* ---- places ---- */

/* Returns the whole result of pass `number`. */
static struct gf_block kept(const struct gf_lane *lane, int number, const struct gf_pass_end *end, int64_t units)
{
    const struct gf_span all = { 0, units };

    return gf_pass_end_block(end, lane->device->kept->result[number], all, units);
}

/* Describes units of a signal from a file or from disk, in the lane's memory. */
static struct gf_block passing(const struct gf_pass_end *end, void *data, struct gf_span span)
{
    return gf_pass_end_block(end, data, span, gf_span_units(span));
}

/* Describes where the pass leaves its result; false if nothing reads it. */
static bool final_place(const struct gf_lane *lane, const struct gf_job *job, struct gf_block *b)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass_end *to = &job->pass->to;

    if (to->end == GF_END_NOWHERE)
        return false;
    if (to->end == GF_END_FILE && job->ends != NULL && !l->copies_out) {
        *b = gf_strided_block(&job->ends->out, &to->format, job->out);
    } else if (to->end == GF_END_FILE || to->spooled) {
        *b = passing(to, l->out, job->out);
    } else {
        const struct gf_block all = kept(lane, lane->pass_number, to, l->walk.length[job->pass->steps]);

        *b = gf_block_part(&all, job->out);
    }
    return true;
}

/* Describes where the result of step k goes. */
static struct gf_block place(const struct gf_lane *lane, const struct gf_job *job, int k)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    const struct gf_step *s = &pass->step[k];
    const struct gf_span span = l->walk.span[k + 1];
    struct gf_block last;

    if (k == pass->steps - 1 && final_place(lane, job, &last))
        return last;
    return s->planar ? gf_block_planar(l->between[k % 2], &s->out, span, s->pitch_samples, gf_span_units(span))
                     : gf_block_packed(l->between[k % 2], &s->out, span);
}

static int run_body(struct gf_lane *lane, const struct gf_operation *op, const struct gf_io *io,
                    const void *params, int step,
                    struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_block *b = &io->dst;
    struct gf_work work = gf_cuda_work(lane->device, l->stream);

    work.carry = l->carry;
    return op->cuda.body(&work, io, params, err) != 0
        || gf_cuda_mark(lane, GF_WORKING, step,
                        gf_span_units(b->span) * b->width * b->channels * (int64_t)gf_type_bytes(b->type), err) != 0
               ? -1 : 0;
}

/* Requires planes that follow each other without a gap. */
static size_t block_bytes(const struct gf_block *b)
{
    return (size_t)(gf_span_units(b->span) * b->pitch_samples * (b->planar ? b->channels : 1)) * gf_type_bytes(b->type);
}

/* Finds out which ends of the caller are copied, and opens memory for the copies. */
static int open_copies(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;

    l->copies_in = pass->from.end == GF_END_FILE && !gf_strided_in_rows(&job->ends->in, &pass->from.format);
    l->copies_out = pass->to.end == GF_END_FILE && !gf_strided_is_whole(&job->ends->out, &pass->to.format);
    if (l->copies_in && l->in == NULL && gf_cuda_alloc(lane->device, pass->lane_in_bytes, (void **)&l->in, err) != 0)
        return -1;
    return l->copies_out && l->out == NULL
               ? gf_cuda_alloc(lane->device, pass->lane_out_bytes, (void **)&l->out, err) : 0;
}

/* Brings units of the caller's array: where they are, or copied. */
static int bring_end(struct gf_lane *lane, const struct gf_job *job, struct gf_block *in, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass_end *from = &job->pass->from;

    if (!l->copies_in) {
        *in = gf_strided_block(&job->ends->in, &from->format, job->in);
        return 0;
    }
    *in = passing(from, l->in, job->in);
    return gf_cuda_ends_copy(&job->ends->in, in, false, l->stream, err);
}

/* Returns the step that works on frames in time; NULL: there is none, or the image has no window. */
static const struct gf_step *windowed_step(const struct gf_job *job)
{
    for (int k = 0; job->frames > 0 && k < job->pass->steps; k++)
        if (job->pass->step[k].frames.used && !job->pass->step[k].frames.luma)
            return &job->pass->step[k];
    return NULL;
}

/* Gives the window to an operation, in the memory of the GPU. */
static void set_frames(struct gf_lane *lane, const struct gf_job *job, const struct gf_step *s,
                       struct gf_block blocks[GF_MOST_FRAMES], struct gf_io *io)
{
    const struct gf_cuda_lane *const l = (const struct gf_cuda_lane *)lane->state;

    gf_job_frames(job, s, blocks, io);
    for (int i = 0; i < io->frames && !s->frames.luma; i++)
        blocks[i].data = l->frame[i];
}

/* Returns true if the job's units of the file are a part of its window, and so need no upload of their own. */
static bool is_in_window(const struct gf_job *job)
{
    return windowed_step(job) == job->pass->step && gf_pass_window_is_file(job->pass);
}

/* Uploads the units that the job brings. Tiles are uploaded later, one by one. */
static int bring(struct gf_lane *lane, const struct gf_job *job, struct gf_block *in, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    size_t bytes;

    memset(in, 0, sizeof *in);
    if (pass->lane_region_bytes > 0)
        return 0;
    if (pass->from.end == GF_END_RESIDENT && !pass->from.spooled) {
        *in = kept(lane, pass->from_pass, &pass->from, job->in_units);
        return 0;
    }
    if (pass->from.end == GF_END_FILE && job->ends != NULL)
        return bring_end(lane, job, in, err);
    if (is_in_window(job)) {
        const size_t row = gf_unit_bytes(&pass->from.format);

        *in = gf_block_packed((char *)l->frame[job->frame_now] + (size_t)job->in.start * row, &pass->from.format,
                              job->in);
        return 0;
    }
    *in = passing(&pass->from, l->in, job->in);
    if (pass->from.end == GF_END_FILE && pass->steps == 0 && pass->to.end == GF_END_RESIDENT && !pass->to.planar
        && !pass->to.spooled)
        final_place(lane, job, in);
    bytes = block_bytes(in);
    /* a JPEG that the GPU has decoded is already in its memory: CUDA finds that out from the address */
    return gf_cuda_check(cudaMemcpyAsync(in->data, job->host_in, bytes, cudaMemcpyDefault, l->stream), "upload", err)
            != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0 ? -1 : 0;
}

/*
 * Copies the input to the output of a pass without steps, possibly to another layout or place. Floats do not have all
 * bits of some types, so samples that keep their type are moved.
 */
static int pass_through(struct gf_lane *lane, const struct gf_job *job, struct gf_block *at, struct gf_error *err)
{
    const struct gf_move as_it_is = { 1, 0, 0, 1, 0, 0 };
    struct gf_io io;

    memset(&io, 0, sizeof io);
    io.src = gf_block_part(at, job->out);
    io.src_units = job->in_units;
    *at = io.src;
    if (!final_place(lane, job, &io.dst))
        return 0;
    if (io.dst.data == io.src.data)
        return 0;
    *at = io.dst;
    return io.src.type == io.dst.type && io.src.planar == io.dst.planar
               ? run_body(lane, &gf_op_move, &io, &as_it_is, 0, err)
               : run_body(lane, &gf_op_point, &io, NULL, 0, err);
}

/* Computes one tile of the first step's result, from the region of the signal on disk that it needs. */
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
    there = gf_region_block(&job->pass->from, &r, lane->region.data);
    if (lane->fetch(lane->spooled, &r, &there, err) != 0)
        return -1;
    bytes = block_bytes(&there);
    gf_lane_note(lane, GF_READING, -1, start, gf_clock_seconds(), (int64_t)bytes);
    memset(&io, 0, sizeof io);
    io.src = there;
    io.src.data = l->region;
    io.dst = gf_block_columns(dst, columns);
    io.load = gf_step_load(s);
    io.store = gf_step_store(s);
    io.src_units = r.rows;
    if (gf_cuda_mark(lane, GF_WORKING, -1, 0, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(l->region, lane->region.data, bytes, cudaMemcpyHostToDevice, l->stream),
                         "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0
        || run_body(lane, gf_step_op(s), &io, &r.params, 0, err) != 0
        || gf_cuda_finish(l->stream, err) != 0)
        return -1;
    gf_cuda_report_marks(lane);                    /* the region's memory is free again; other lanes worked meanwhile */
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

/* Uploads rows `part` of the second source to a place in the lane. */
static int upload_beside(struct gf_lane *lane, const struct gf_beside *from, struct gf_span part, size_t row, void *to,
                         struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const size_t bytes = (size_t)gf_span_units(part) * row;

    if (bytes == 0)
        return 0;
    return gf_cuda_check(cudaMemcpyAsync(to, (const char *)from->data + (size_t)(part.start - from->rows.start) * row,
                                         bytes, cudaMemcpyHostToDevice, l->stream), "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0 ? -1 : 0;
}

/*
 * Uploads the rows of step k's second source that correspond to units `span` of its input or result. Rows
 * that are already there stay, such as those of one image for all frames. The source is not pinned;
 * it is no longer needed on return.
 */
static int bring_beside(struct gf_lane *lane, const struct gf_step *s, const struct gf_job *job, int k,
                        struct gf_span span,
                        struct gf_io *io, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_beside *from = &job->beside[k];
    const bool loops = gf_step_op(s)->beside_loops != NULL && gf_step_op(s)->beside_loops(gf_step_params(s));
    const int64_t units = s->side.format.units;
    const struct gf_span rows = loops ? gf_side_looped_rows(units, s->side.shift, span)
                                      : gf_side_rows(from->rows, s->side.shift, span);
    const int64_t end = rows.end < units ? rows.end : units;
    size_t row;

    gf_step_beside(s, rows, l->side + s->side_at, io);
    row = (size_t)io->beside.pitch_samples * gf_type_bytes(io->beside.type);
    if (gf_span_units(rows) == 0
        || (l->beside[k].number == from->number && l->beside[k].rows.start == rows.start
            && l->beside[k].rows.end == rows.end))
        return 0;
    l->beside[k].number = 0;
    if (upload_beside(lane, from, { rows.start, end }, row, io->beside.data, err) != 0
        || upload_beside(lane, from, { 0, rows.end - end }, row,
                         (char *)io->beside.data + (size_t)(end - rows.start) * row, err) != 0)
        return -1;
    l->beside[k].number = from->number;
    l->beside[k].rows = rows;
    return 0;
}

/*
 * Runs step k from `src` to `all`. Units that earlier segments computed are already there, or come
 * from the history.
 */
static int run_step(struct gf_lane *lane, const struct gf_job *job, int k, const struct gf_block *src,
                    const struct gf_block *all,
                    struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_step *s = &job->pass->step[k];
    const struct gf_span made = l->walk.made[k];
    struct gf_kept_carry *c = &lane->device->kept->carry[lane->pass_number];
    struct gf_block blocks[GF_MOST_FRAMES];
    struct gf_io io;

    if (s->history_units > 0
        && gf_kept_copy_history(c, s, { all->span.start, made.start }, all, true, carry_copy, l->stream, err)
            != 0)
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
    if (s->frames.used)
        set_frames(lane, job, s, blocks, &io);
    if (s->side.used
        && bring_beside(lane, s, job, k, gf_step_op(s)->beside_is_map
                        ? made : gf_need_span(&s->need, made, l->walk.length[k]), &io, err) != 0)
        return -1;
    l->carry = s->need.carry_bytes > 0 ? (char *)c->memory + s->carry_at : NULL;
    if (run_body(lane, gf_step_op(s), &io, gf_step_params(s), k, err) != 0)
        return -1;
    return s->history_units == 0 ? 0
         : gf_kept_copy_history(c, s, gf_history_left(s, made), all, false, carry_copy, l->stream, err);
}

static int run_steps(struct gf_lane *lane, const struct gf_job *job, struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_kept_carry *c = &lane->device->kept->carry[lane->pass_number];
    const struct gf_pass *pass = job->pass;
    const bool carries = pass->carry_bytes > 0;
    const int last = job->ahead > 0 ? job->ahead - 1 : pass->carry_last;

    if (pass->steps == 0)
        return pass_through(lane, job, at, err);
    for (int k = 0; k < gf_job_steps(job); k++) {
        const struct gf_block all = place(lane, job, k);

        if (carries && k == pass->carry_first && carry_take(c, job, l->stream, err) != 0)
            return -1;
        if (k == 0
            && pass->lane_region_bytes > 0 ? run_tiles(lane, job, &all, err) != 0
                : run_step(lane, job, k, at, &all, err) != 0)
            return -1;
        if (carries && k == last && carry_pass(c, l->stream, err) != 0)
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
    if (s->side.used && bring_beside(lane, s, job, job->pass->steps, job->out, &io, err) != 0)
        return -1;
    return run_body(lane, gf_step_op(s), &io, gf_step_params(s), job->pass->steps, err);
}

/* Downloads the result to the host, for the executor or the disk. */
static int send(struct gf_lane *lane, const struct gf_job *job, const struct gf_block *at, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass_end *to = &job->pass->to;
    const size_t bytes = block_bytes(at);

    if (to->end != GF_END_FILE && !to->spooled)
        return 0;
    if (to->end == GF_END_FILE && job->ends != NULL)
        return !l->copies_out ? 0 : gf_cuda_ends_copy(&job->ends->out, at, true, l->stream, err);
    return gf_cuda_check(cudaMemcpyAsync(job->host_out, at->data, bytes, cudaMemcpyDefault, l->stream), "download",
                         err) != 0
        || gf_cuda_mark(lane, GF_DOWNLOAD, -1, (int64_t)bytes, err) != 0 ? -1 : 0;
}

/* Queues the work of a job. */
static int queue(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_pass *pass = job->pass;
    struct gf_block at;

    gf_pass_fill_walk_to(pass, gf_job_steps(job), job->out, job->in_units, &l->walk);
    return gf_cuda_mark(lane, GF_WORKING, -1, 0, err) != 0 || bring(lane, job, &at, err) != 0
        || run_steps(lane, job, &at, err) != 0
        || (job->ahead == 0 && pass->measure.used && measure(lane, job, &at, err) != 0)
        || (job->ahead == 0 && send(lane, job, &at, err) != 0) ? -1 : 0;
}

/* Queues the work of a job on the stream of a caller. */
static int queue_on_stream(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_error none;
    int result;

    if (gf_cuda_ends_begin(lane, job, err) != 0)
        return -1;
    result = open_copies(lane, job, err) != 0 ? -1 : queue(lane, job, err);
    return gf_cuda_ends_leave(lane, result == 0 ? err : &none) != 0 ? -1 : result;
}

/* Runs a job whose step works on frames in time. */
static int run_windowed(struct gf_lane *lane, const struct gf_job *job, const struct gf_step *s, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_error none;
    const int result = gf_cuda_frames_take(lane, job, s, err) != 0 ? -1 : queue(lane, job, err);
    const int ended = gf_cuda_finish(l->stream, result == 0 ? err : &none);

    gf_cuda_frames_leave(lane);
    return result == 0 ? ended : result;
}

int gf_cuda_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_step *const windowed = windowed_step(job);

    if (gf_cuda_bind(lane->device, err) != 0
        || (lane->record != NULL && l->zero == NULL && gf_cuda_open_clock(l, err) != 0))
        return -1;
    if (job->ends != NULL)
        return queue_on_stream(lane, job, err);
    if (windowed != NULL ? run_windowed(lane, job, windowed, err) != 0
                         : queue(lane, job, err) != 0 || gf_cuda_finish(l->stream, err) != 0)
        return -1;
    if (lane->record != NULL)
        gf_cuda_report_marks(lane);
    return 0;
}
