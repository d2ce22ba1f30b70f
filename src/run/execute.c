/* Runs a plan: lanes are threads that take segments, process them and write them in order. */
#include "run/execute.h"

#include "base/clock.h"
#include "device/kept.h"
#include "report/timed_io.h"
#include "run/value_losses.h"
#include "run/measured.h"
#include "run/plane_io.h"
#include "run/segments.h"
#include "run/spooled.h"

#include <stdlib.h>
#include <string.h>

/* A running pass, shared by its lanes. */
struct pass_run {
    struct gf_engine *engine;
    int number;                          /* index in the plan */
    const struct gf_pass *pass;
    struct gf_lane *lanes;
    struct gf_writer *writer;
    struct gf_spooled from, to;          /* set if the signals are on disk */
    struct gf_beside beside[GF_PASS_STEPS + 1], frame[GF_MOST_FRAMES];
    struct gf_segments segments;
    struct gf_order order;
    bool in_order;                       /* segments are written one after another */
    bool in_place;                       /* results are computed in the writer's memory */
    bool may_cut;                        /* it writes audio that was computed, so count full scale */
    struct gf_clipping clipping;         /* samples at full scale */
    pthread_mutex_t lock;                /* protects what the first lane does for all */
    bool ready;                          /* the devices have the pools */
    struct gf_pools pools;
    int passes;
    bool known;                          /* the length is known before the end is read */
    struct gf_measured_blocks blocks;    /* records so far */
    struct gf_run *run;
    const struct gf_binding *binding;        /* of the signal or of its plane */
    struct gf_error error;
};

/* ---- one lane's life ---- */

static int set_pools(struct pass_run *r, struct gf_error *err)
{
    struct gf_engine *e = r->engine;
    const bool settles = r->pools.tables != r->binding->tables.data;     /* stages change the numbers at each run */

    /* comparing large tables takes longer than queueing the kernels of a small image */
    if (r->run->ends != NULL && memcmp(&e->pools, &r->pools, sizeof e->pools) == 0)
        return 0;
    memset(&e->pools, 0, sizeof e->pools);
    for (int i = 0; i < e->count; i++)
        if (e->device[i].kind->set_pools(&e->device[i], &r->pools, err) != 0)
            return -1;
    if (!settles)
        e->pools = r->pools;
    return 0;
}

static int write_segment(struct pass_run *r, struct gf_lane *lane, const struct gf_job *job, const void *units,
                         struct gf_error *err)
{
    const struct gf_timed_io timed = { r->engine->report, lane->number, lane->pass_number };
    const int64_t whole = r->pass->to.file_units, count = whole > 0 ? whole : gf_span_units(job->out);

    if (r->may_cut)
        gf_clipping_count(&r->clipping, &r->writer->format, units, job->out);
    return gf_timed_io_write(&timed, r->writer, r->writer->random ? job->out.start : -1, units, count, err);
}

/* Does the part of a segment that must happen in the order of the signal. */
static int deliver_segment(struct pass_run *r, struct gf_lane *lane, const struct gf_job *job, const void *units,
                           struct gf_error *err)
{
    if (job->ahead > 0)
        return 0;
    if (gf_measured_blocks_used(&r->blocks) && gf_measured_blocks_take(&r->blocks, r->pass, lane, job->out, err) != 0)
        return -1;
    if (r->pass->to.end == GF_END_FILE && !r->in_place)
        return write_segment(r, lane, job, units, err);
    return 0;
}

/* Ends the lane's work on the segment. */
static void report_segment(const struct pass_run *r, struct gf_lane *lane, const struct gf_job *job, double start)
{
    const struct gf_interval i = { .activity = GF_SEGMENT, .lane = lane->number, .step = -1, .pass = lane->pass_number,
                                   .start = start, .end = gf_clock_seconds(), .units = job->out,
                                   .bytes = gf_span_units(job->out) * (int64_t)gf_unit_bytes(&r->pass->to.format) };

    lane->record(lane->report, &i);
}

/* Reports progress; all passes count the same. */
static void report_progress(const struct pass_run *r, const struct gf_job *job)
{
    const int64_t all = gf_pass_units(r->pass, job->in_units);
    const double share = r->known && job->ahead == 0 ? (double)gf_span_units(job->out) / ((double)all * r->passes) : 0;
    const bool read = r->pass->from.end == GF_END_FILE;

    gf_progress_part(r->engine->progress,
                     read ? gf_span_units(job->in) * (int64_t)gf_unit_bytes(&r->pass->from.format) : 0, share);
}

/*
 * Prepares a lane for its first segment, which is already in memory: devices may still be starting
 * while it is read. The first lane of a pass gives them the pools.
 */
static int prepare_lane(struct pass_run *r, struct gf_lane *lane, struct gf_error *err)
{
    const struct gf_device_kind *kind = lane->device->kind;
    int result = 0;

    pthread_mutex_lock(&r->lock);
    if (gf_order_failed(&r->order)) {        /* another lane has failed and reports it; nothing would wake this one */
        result = -1;
    } else if (!r->ready) {
        const double start = gf_clock_seconds();

        result = set_pools(r, err) != 0
                 || (r->pass->carry_bytes > 0
                     && gf_kept_open_carry(lane->device, r->number, r->pass->carry_bytes, err) != 0) ? -1 : 0;
        r->ready = result == 0;
        gf_engine_report_start(r->engine, start);
    }
    pthread_mutex_unlock(&r->lock);
    if (result != 0 || (lane->in.data != NULL && kind->room_pin(lane->device, &lane->in, err) != 0)
        || (lane->out.data != NULL && kind->room_pin(lane->device, &lane->out, err) != 0)
        || (lane->region.data != NULL && kind->room_pin(lane->device, &lane->region, err) != 0))
        return -1;
    lane->on_device = r->run->ends != NULL;
    return lane->state == NULL ? kind->lane_open(lane, r->pass, err) : 0;
}

/* Releases the mapped pages of signals on disk. */
static void relax_spools(const struct pass_run *r)
{
    if (r->pass->from.spooled)
        gf_spool_relax(r->from.spool);
    if (r->pass->to.spooled)
        gf_spool_relax(r->to.spool);
    for (int i = 0; i < r->run->binding->options.sides; i++)
        if (r->run->samples[i].spool != NULL)
            gf_spool_relax(r->run->samples[i].spool);
    for (int i = 0; i < r->run->window.frames; i++)
        if (r->run->window.pixels[i].spool != NULL)
            gf_spool_relax(r->run->window.pixels[i].spool);
}

/*
 * Runs a job. A device with its own memory gets rows on disk through the lane's rooms; regions are
 * read by tile.
 */
static int compute_segment(const struct pass_run *r, struct gf_lane *lane, struct gf_job *job, struct gf_error *err)
{
    const struct gf_device_kind *kind = lane->device->kind;
    const bool moves = !kind->in_host_memory;

    lane->fetch = gf_spooled_fetch;
    lane->spooled = &r->from;
    if (!moves && r->pass->from.spooled)
        job->host_in = r->from.spool->memory;
    if (!moves && r->pass->to.spooled)
        job->host_out = r->to.spool->memory;
    if (moves && r->pass->from.spooled && r->pass->lane_region_bytes == 0
        && gf_spooled_move(&r->from, lane, job->in, false, err) != 0)
        return -1;
    if (kind->lane_run(lane, job, err) != 0)
        return -1;
    return moves && r->pass->to.spooled && job->ahead == 0 ? gf_spooled_move(&r->to, lane, job->out, true, err) : 0;
}

static int run_segment(struct pass_run *r, struct gf_lane *lane, struct gf_job *job, int64_t index,
                       struct gf_error *err)
{
    const bool as_is = gf_pass_is_copy(r->pass) && r->run->ends == NULL;
    const void *units;
    double start;

    job->stop = r->run->stop;
    if (gf_job_check(job, err) != 0 || (!as_is && prepare_lane(r, lane, err) != 0))
        return -1;
    start = lane->record ? gf_clock_seconds() : 0;
    job->host_out = r->in_place && job->ahead == 0 ? r->writer->ops->in_place(r->writer, job->out.start)
                    : lane->out.data;
    units = as_is ? job->host_in : job->host_out;
    job->pass = r->pass;
    job->ends = r->run->ends;
    job->signal = r->run->signal;
    job->beside = r->beside;
    job->frame = r->frame;
    job->window = 4 * r->run->window.number + (uint64_t)r->pass->plane;
    job->luma = r->run->window.luma;
    job->frames = r->run->window.frames;
    job->frame_now = r->run->window.now;
    job->between = r->run->window.between;
    job->index = index;
    if (!as_is && compute_segment(r, lane, job, err) != 0)
        return -1;
    if (lane->record && job->ahead == 0)
        report_segment(r, lane, job, start);
    if (r->engine->progress != NULL)
        report_progress(r, job);
    relax_spools(r);
    if (!r->in_order)
        return deliver_segment(r, lane, job, units, err);
    if (!gf_order_wait(&r->order, index))
        return 0;
    if (deliver_segment(r, lane, job, units, err) != 0)
        return -1;
    gf_order_pass(&r->order);
    return 0;
}

/* Wakes lanes that wait on the device after a failure; their own errors do not replace the first one. */
static void give_up(struct pass_run *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->ready && r->pass->carry_bytes > 0)
        gf_kept_fail_carry(&r->engine->device[0], r->number);
    pthread_mutex_unlock(&r->lock);
}

static void work_in_lane(void *argument, int number)
{
    struct pass_run *r = argument;
    struct gf_lane *lane = &r->lanes[number];
    struct gf_error err = { 0 };
    struct gf_job job;
    int64_t index;
    int result = 1;

    while (result == 1 && !gf_order_failed(&r->order)) {
        memset(&job, 0, sizeof job);
        result = gf_segments_take(&r->segments, lane, &job, &index, &err);
        if (result == 1 && run_segment(r, lane, &job, index, &err) != 0)
            result = -1;
    }
    if (result < 0 && gf_order_fail(&r->order))
        r->error = err;
    if (result < 0)
        give_up(r);
}

/* Runs the lanes of a pass in threads, which stay for the next pass. */
static int run_all_lanes(struct pass_run *r, struct gf_error *err)
{
    gf_team_run(&r->engine->team, r->pass->lanes, work_in_lane, r);
    if (gf_order_failed(&r->order)) {
        *err = r->error;
        return -1;
    }
    return gf_segments_drain(&r->segments, &r->lanes[0], err);
}

/* ---- passes ---- */

/* Fails as for a file if a stage begins after the end of a signal of unknown length. */
static int check_left(const struct gf_pass *pass, int64_t units, struct gf_error *err)
{
    for (int k = 0; k < pass->steps; k++) {
        const struct gf_step *s = &pass->step[k];

        if ((s->need.shift > 0 || s->need.most > 0) && s->in.rate > 0 && units <= s->need.shift)
            return gf_fail(err, GF_FAILED, "%.*s: nothing is left: the start is at %g s, but the audio ends at %g s",
                           (int)strcspn(gf_step_stage(s), ":"), gf_step_stage(s), (double)s->need.shift / s->in.rate,
                           (double)units / s->in.rate);
        units = gf_step_output_units(s, units);
    }
    return 0;
}

/* Finds the second images of the steps and of the measure. */
static void find_beside(struct pass_run *r)
{
    for (int k = 0; k < r->pass->steps + r->pass->measure.used; k++) {
        const struct gf_step *s = &r->pass->step[k];
        const struct gf_side_samples *side = &r->run->samples[s->side.number];

        if (s->side.used)
            r->beside[k] = (struct gf_beside) { side->data, { 0, s->side.format.units }, side->number };
    }
}

/* Finds the images of the window, or the planes that the pass works on. Each has a number of its own. */
static void find_frames(struct pass_run *r, const struct gf_reader *reader)
{
    const struct gf_run_window *const w = &r->run->window;
    const int plane = r->pass->plane;
    const struct gf_format *const f = &reader->format;
    const size_t start = plane > 0 ? (size_t)gf_plane_io_start(&r->run->binding->in, plane - 1)
                                     * gf_type_bytes(f->type) : 0;

    for (int i = 0; i < w->frames; i++)
        r->frame[i] = (struct gf_beside) { plane > 0 ? (const char *)w->stored[i] + start : w->pixels[i].data,
                                           { 0, gf_unpacked_format(f).units }, 4 * w->pixels[i].number
                                                                               + (uint64_t)plane };
}

static bool reads_in_place(const struct gf_pass *pass, const struct gf_reader *reader)
{
    return pass->from.end == GF_END_FILE && gf_segments_in_place(reader);
}

static bool writes_in_place(const struct gf_run *run, const struct gf_pass *pass, const struct gf_writer *writer)
{
    return pass->to.end == GF_END_FILE && writer->random && writer->ops->in_place != NULL
        && (!gf_pass_is_copy(pass) || run->ends != NULL);
}

/* Initializes what must be closed later in any case; steps that may fail come after it. */
static void open_pass(struct pass_run *r, const struct gf_reader *reader)
{
    const struct gf_pass *pass = r->pass;
    const struct gf_writer *writer = r->writer;

    gf_order_open(&r->order);
    pthread_mutex_init(&r->lock, NULL);
    gf_clipping_open(&r->clipping);
    find_beside(r);
    find_frames(r, reader);
    r->in_place = writes_in_place(r->run, pass, writer);
    r->may_cut = pass->to.end == GF_END_FILE && writer->format.kind == GF_AUDIO
                 && !gf_binding_only_moves(r->binding, r->binding->exit[pass->exit].links);
}

static void close_pass(struct pass_run *r, struct gf_run_results *results)
{
    gf_segments_close(&r->segments);
    gf_order_close(&r->order);
    pthread_mutex_destroy(&r->lock);
    if (r->pass->measure.used)
        gf_measured_blocks_close(&r->blocks);
    results->clipped[r->pass->exit] += gf_clipping_close(&r->clipping);
}

/* Runs pass p with the binding of the signal (0), of luma (1) or of chroma (2). */
static int run_pass(struct gf_engine *e, struct gf_run *run, int p, int which, struct gf_reader *reader,
                    struct gf_writer *writer, int64_t *units, struct gf_run_results *results, struct gf_error *err)
{
    const struct gf_plan *plan = run->plan;
    const struct gf_pass *pass = plan->pass[p];
    const struct gf_binding *binding = which > 0 ? run->plane[which - 1] : run->binding;
    const float *tables = run->tables[which] != NULL ? run->tables[which] : binding->tables.data;
    struct pass_run r = { .engine = e, .number = p, .pass = pass, .writer = writer, .run = run, .binding = binding,
                          .passes = plan->passes, .known = *units != GF_UNKNOWN,
                          .pools = { binding->masks.data, tables, binding->masks.count, binding->tables.count } };
    const double start = gf_clock_seconds();
    int result = -1;

    if (pass->measure.used)                  /* drop the previous report */
        gf_arena_release(&run->findings.arena);
    open_pass(&r, reader);
    if (gf_engine_open_lanes(e, plan, p, reads_in_place(pass, reader), r.in_place, err) != 0
        || gf_segments_open(&r.segments, pass, pass->from.end == GF_END_FILE ? reader : NULL, *units, err) != 0
        || (pass->measure.used && gf_measured_blocks_open(&r.blocks, pass, binding, &run->findings, err) != 0))
        goto out;
    gf_engine_report_start(e, start);
    r.from = (struct gf_spooled) { &e->spool[pass->from_pass], &pass->from, *units };
    r.to = (struct gf_spooled) { &e->spool[p], &pass->to, gf_pass_units(pass, *units) };
    r.in_order = gf_measured_blocks_used(&r.blocks) || (pass->to.end == GF_END_FILE && !writer->random);
    r.lanes = e->lanes[p];
    if (run_all_lanes(&r, err) != 0 || (!r.known && check_left(pass, r.segments.in_units, err) != 0))
        goto out;
    if (pass->exit == 0)
        *units = gf_pass_units(pass, r.segments.in_units);
    if (pass->measure.used && gf_measured_apply(pass, r.lanes, &r.blocks, run, which, *units, &results->table,
                                                err) != 0)
        goto out;
    result = 0;
out:
    close_pass(&r, results);
    return result;
}

/* Runs a pass of one plane of a frame; `units` are those of the plane. */
static int run_plane_pass(struct gf_engine *e, struct gf_run *run, int p, struct gf_reader *reader,
                          struct gf_writer *writer, int64_t *units, struct gf_run_results *results,
                          struct gf_error *err)
{
    const struct gf_pass *pass = run->plan->pass[p];
    struct gf_plane_io io;

    gf_plane_io_open(&io, reader, writer, pass->plane - 1);
    if (pass->from.end == GF_END_FILE)
        *units = io.reader.format.units;
    return run_pass(e, run, p, pass->plane > 1 ? 2 : 1, &io.reader, &io.writer, units, results, err);
}

/* Gives numbers to the lanes of a plan, and names to its steps. */
static void name_lanes(struct gf_engine *e, const struct gf_plan *plan)
{
    int most = 1;

    for (int p = 0; p < plan->passes; p++)
        most = plan->pass[p]->lanes > most ? plan->pass[p]->lanes : most;
    gf_report_lanes(e->report, &e->first_lane, &e->lane_count, most);
    gf_report_plan(e->report, plan, e->chain, e->first_lane, e->lane_count);
}

/* Opens the memory of all lanes if there is enough of it, because a GPU that is starting leaves the time. */
static int open_all_rooms(struct gf_engine *e, const struct gf_run *run, const struct gf_reader *reader,
                          struct gf_writer *const *writers, struct gf_error *err)
{
    const struct gf_plan *plan = run->plan;

    for (int p = 0; plan->kept && plan->cuda && p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];

        if (!gf_pass_is_idle(pass)
            && gf_engine_open_rooms(e, plan, p, reads_in_place(pass, reader),
                                    writes_in_place(run, pass, writers[pass->exit]), err) != 0)
            return -1;
    }
    return 0;
}

static int execute(struct gf_engine *e, struct gf_run *run, struct gf_reader *reader, struct gf_writer *const *writers,
                   struct gf_run_results *results, struct gf_error *err)
{
    const struct gf_plan *plan = run->plan;
    int64_t units = gf_stored_format(&reader->format).units;

    *results = (struct gf_run_results) { 0 };
    run->findings.above = NULL;
    run->findings.above_db = 0;
    if (e->report != NULL)
        name_lanes(e, plan);
    if (open_all_rooms(e, run, reader, writers, err) != 0)
        return -1;
    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];
        struct gf_writer *to = writers[pass->exit];
        const unsigned watched = reader->watched;

        if (gf_engine_lend_input(e, run, p, reader)) {
            gf_progress_part(e->progress, units * (int64_t)gf_unit_bytes(&pass->from.format), 1.0 / plan->passes);
            continue;
        }
        if (pass->measure.units > 0)             /* the next pass reads all samples */
            reader->watched = 0;
        if (!gf_pass_is_idle(pass)
            && (pass->plane > 0 ? run_plane_pass(e, run, p, reader, to, &units, results, err)
                                : run_pass(e, run, p, 0, reader, to, &units, results, err)) != 0)
            return -1;
        if (!gf_pass_is_idle(pass) && pass->from.end == GF_END_FILE)
            reader->watched = pass->measure.units > 0 ? watched : 0;     /* a second pass reads the same samples */
        gf_engine_leave_pass(e, plan, p);
    }
    return 0;
}

int gf_execute(struct gf_engine *e, struct gf_run *run, struct gf_reader *reader, struct gf_writer *const *writers,
               struct gf_run_results *results, struct gf_error *err)
{
    const int result = execute(e, run, reader, writers, results, err);

    gf_engine_return_input(e);
    if (result != 0)                         /* the next signal would add to the counts in these lanes */
        gf_engine_forget_plan(e, run->plan);
    return result;
}
