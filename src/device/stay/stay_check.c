/*
 * Passes and jobs as hostile input. Only the structure of a pass and its numbers can be checked as such. Memory is
 * checked by computing it again: the plan's own functions say what a lane and a segment need.
 */
#include "device/stay/stay_check.h"

#include "chain/side.h"
#include "kernels/base/color_cube.h"
#include "kernels/operations.h"
#include "plan/plan_bytes.h"
#include "plan/plan_lane.h"
#include "plan/plan_units.h"

#include <stdlib.h>
#include <string.h>

#define MOST_UNITS   (INT64_C(1) << 40)          /* of a segment, of a halo */
#define MOST_SAMPLES (INT64_C(1) << 36)          /* of a unit */
#define MOST_MEMORY  (INT64_C(1) << 44)          /* bytes of anything */
#define MOST_TIMES   (INT64_C(1) << 31)

static int refuse(struct gf_error *err, const char *what)
{
    return gf_fail(err, GF_FAILED, "the process that keeps the device ready refuses a pass: wrong %s", what);
}

static bool in_range(int64_t n, int64_t least, int64_t most)
{
    return n >= least && n <= most;
}

/* A bool with another value than 0 or 1 has no defined meaning. */
static bool is_bool(const bool *b)
{
    unsigned char byte;

    memcpy(&byte, b, 1);
    return byte <= 1;
}

/* ---- the structure of a pass ---- */

static bool is_format(const struct gf_format *f)
{
    return in_range(f->kind, GF_IMAGE, GF_AUDIO) && in_range(f->type, GF_U8, GF_F64) && in_range(f->bits, 0, 64)
        && in_range(f->channels, 1, GF_MAX_CHANNELS) && is_bool(&f->alpha) && in_range(f->width, 1, MOST_UNITS)
        && f->width * f->channels <= MOST_SAMPLES && in_range(f->units, GF_UNKNOWN, MOST_UNITS);
}

static bool is_end(const struct gf_pass_end *e)
{
    if (e->end == GF_END_NOWHERE)
        return is_bool(&e->planar) && is_bool(&e->spooled) && !e->spooled;
    return in_range(e->end, GF_END_FILE, GF_END_RESIDENT) && is_format(&e->format) && is_bool(&e->planar)
        && is_bool(&e->spooled) && in_range(e->pitch_samples, 0, MOST_SAMPLES) && in_range(e->file_units, 0, MOST_UNITS)
        && (e->end == GF_END_RESIDENT || !e->planar)
        && (e->end != GF_END_RESIDENT
            || (e->pitch_samples >= e->format.width * (e->planar ? 1 : e->format.channels)
                && e->pitch_samples * e->format.channels <= MOST_SAMPLES && e->format.units != GF_UNKNOWN));
}

static bool is_need(const struct gf_need *n)
{
    return is_bool(&n->whole) && in_range(n->before, -MOST_UNITS, MOST_UNITS)
        && in_range(n->after, -MOST_UNITS, MOST_UNITS) && in_range(n->shift, -MOST_UNITS, MOST_UNITS)
        && in_range(n->times, 0, MOST_TIMES) && in_range(n->per, 0, MOST_TIMES) && in_range(n->grain, 0, MOST_UNITS)
        && in_range(n->longer, -MOST_UNITS, MOST_UNITS) && in_range(n->most, 0, MOST_UNITS)
        && in_range(n->carry_bytes, 0, MOST_MEMORY);
}

/* Returns true if each unit of the result needs only the unit at the same place. */
static bool is_same_unit(const struct gf_need *n)
{
    return !n->whole && n->before == 0 && n->after == 0 && n->shift == 0 && n->times == n->per && n->longer == 0
        && n->carry_bytes == 0;
}

/* Returns true if a part of a step lies after the last step, and in the pass. */
static bool has_part(const struct gf_pass *pass, const struct gf_step *s, int32_t at, size_t bytes)
{
    const size_t steps = (size_t)(pass->steps + pass->measure.used);
    const size_t first = offsetof(struct gf_pass, step) + steps * sizeof *s;
    const int64_t start = ((const char *)s - (const char *)pass) + (int64_t)at;

    return at > 0 && start >= (int64_t)first && start % GF_PASS_GRAIN == 0 && (uint64_t)start <= pass->bytes
        && bytes <= pass->bytes - (size_t)start;
}

/* Returns the floats of the pool of tables that a step of a program reads from its offset on. */
static int64_t table_floats(const struct gf_point_step *s, int channels)
{
    switch (s->kind) {
    case GF_POINT_TABLE:
    case GF_POINT_CURVE:
    case GF_POINT_PALETTE: return (int64_t)s->channels * s->bins;
    case GF_POINT_LUT: return (int64_t)s->bins * s->bins * s->bins * GF_CUBE_ENTRY;
    case GF_POINT_LUMA_TABLE: return s->bins;
    case GF_POINT_THRESHOLD: return s->channels;
    case GF_POINT_SCALE: return 2 * (int64_t)s->channels;
    case GF_POINT_MIX: return (int64_t)s->outs * channels;
    default: return 0;
    }
}

static bool is_point_step(const struct gf_point_step *s, int channels, int64_t table_count)
{
    const bool bins = s->kind == GF_POINT_TABLE || s->kind == GF_POINT_LUMA_TABLE || s->kind == GF_POINT_PALETTE;
    const bool between = s->kind == GF_POINT_CURVE || s->kind == GF_POINT_LUT;
    const bool three = s->kind == GF_POINT_LUMA_TABLE || s->kind == GF_POINT_LUT || s->kind == GF_POINT_VIBRANCE;
    const bool matrix = s->kind == GF_POINT_MATRIX;
    const bool after = s->kind == GF_POINT_PREMULTIPLY || s->kind == GF_POINT_UNPREMULTIPLY;

    if (!in_range(s->kind, GF_POINT_AFFINE, GF_POINT_CLAMP) || !in_range(s->channels, 0, GF_MAX_CHANNELS)
        || !in_range(s->outs, 0, GF_MAX_CHANNELS) || s->channels + after > channels
        || (bins && !in_range(s->bins, 1, 1 << 24)) || (three && (channels < 3 || s->channels > 3))
        || (s->kind == GF_POINT_PALETTE && s->channels != 1 && s->channels != 3)
        || (between && !in_range(s->bins, 2, s->kind == GF_POINT_LUT ? GF_CUBE_MOST : 1 << 24))
        || (matrix && (!in_range(s->channels, 1, GF_POINT_MATRIX_MAX) || !in_range(s->outs, 1, GF_POINT_MATRIX_MAX)))
        || (s->kind == GF_POINT_PICK && !in_range(s->outs, 1, GF_POINT_MATRIX_MAX))
        || (s->kind == GF_POINT_MIX && s->outs < 1) || !in_range(s->table, 0, INT64_MAX / 2))
        return false;
    for (int o = 0; s->kind == GF_POINT_PICK && o < s->outs; o++)
        if (s->pick[o] != -1 && (s->pick[o] < o || s->pick[o] >= channels))
            return false;
    return table_floats(s, channels) == 0 || s->table + table_floats(s, channels) <= table_count;
}

/* Returns true if a program is sound; it turns *channels of a sample into others. */
static bool is_program(const struct gf_point *p, int64_t table_count)
{
    int channels;

    if (!in_range(p->count, 0, GF_POINT_STEPS) || !in_range(p->in, 1, GF_MAX_CHANNELS)
        || !in_range(p->out, 1, GF_MAX_CHANNELS))
        return false;
    channels = p->in;
    for (int i = 0; i < p->count; i++) {
        if (!is_point_step(&p->step[i], channels, table_count))
            return false;
        channels = gf_point_channels(&p->step[i], channels);
        if (!in_range(channels, 1, GF_MAX_CHANNELS))
            return false;
    }
    return channels == p->out;
}

static bool has_program(const struct gf_pass *pass, const struct gf_step *s, int32_t at, const struct gf_pools *pools)
{
    return at == 0 || (has_part(pass, s, at, sizeof(struct gf_point))
                       && is_program(gf_step_part(s, at), pools->table_count));
}

/* Returns true if the masks of a step are in the pool. Its parameters and programs have been checked. */
static bool has_masks(const struct gf_step *s, const struct gf_pools *pools)
{
    const int channels = s->at.load == 0 ? s->in.channels : gf_step_load(s)->out;
    const struct gf_operation *op = gf_step_op(s);

    return op->masks_end == NULL
        || in_range(op->masks_end(gf_step_params(s), channels), 0, pools->mask_count);
}

/* Returns true if the tables of a step are in the pool. Its parameters and its result have been checked. */
static bool has_tables(const struct gf_step *s, const struct gf_pools *pools)
{
    const struct gf_operation *op = gf_step_op(s);

    return op->tables_end == NULL || in_range(op->tables_end(gf_step_params(s), &s->out), 0, pools->table_count);
}

/* Returns true if a second image that is a map of positions has one for each pixel of the result. */
static bool has_map(const struct gf_step *s)
{
    const struct gf_format *f = &s->side.format;

    return !gf_step_op(s)->beside_is_map || !s->side.used
        || (f->width == s->out.width && f->units == s->out.units && f->channels >= 2 && s->side.shift == 0);
}

static bool is_step(const struct gf_pass *pass, const struct gf_step *s, bool cuda, const struct gf_pools *pools)
{
    const struct gf_operation *op = in_range(s->operation, 0, gf_operation_count - 1) ? gf_step_op(s) : NULL;
    const bool measures = s == &pass->step[pass->steps];     /* it has no result of units */

    /* a measure writes counts or records, which have another size than units */
    return op != NULL && (cuda ? op->cuda.body : op->cpu.body) != NULL && is_format(&s->in)
        && measures == (op->counts != NULL || op->records != NULL)
        && is_need(&s->need) && (!op->only_programs || is_same_unit(&s->need)) && is_bool(&s->planar)
        && is_bool(&s->side.used) && is_bool(&s->frames.used) && !s->frames.used
        && (measures || (is_format(&s->out)
                         && in_range(s->pitch_samples, s->out.width * (s->planar ? 1 : s->out.channels), MOST_SAMPLES)))
        && in_range(s->side.number, 0, GF_CHAIN_SIDES - 1) && in_range(s->side.shift, -MOST_UNITS, MOST_UNITS)
        && (!s->side.used || (is_format(&s->side.format) && s->side.format.units > 0)) && has_map(s)
        && (op->params_bytes == 0 || has_part(pass, s, s->at.params, op->params_bytes))
        && has_program(pass, s, s->at.load, pools) && has_program(pass, s, s->at.store, pools)
        && has_masks(s, pools) && has_tables(s, pools);
}

/* Returns true if a step reads what the one before it, or the beginning of the pass, has. */
static bool follows(const struct gf_format *before, const struct gf_format *in)
{
    return before->width == in->width && before->channels == in->channels;
}

static bool is_chain(const struct gf_pass *pass)
{
    const struct gf_format *now = &pass->from.format;

    for (int k = 0; k < pass->steps; now = &pass->step[k++].out)
        if (!follows(now, &pass->step[k].in))
            return false;
    if (pass->measure.used && !follows(now, &pass->step[pass->steps].in))
        return false;
    return pass->to.end == GF_END_NOWHERE || follows(now, &pass->to.format);
}

static int check_structure(const struct gf_pass *pass, size_t bytes, bool cuda, const struct gf_pools *pools,
                           struct gf_error *err)
{
    if (bytes < sizeof *pass || pass->bytes != bytes || !in_range(pass->steps, 0, GF_PASS_STEPS - 1)
        || !is_bool(&pass->measure.used)
        || bytes < sizeof *pass + (size_t)(pass->steps + pass->measure.used) * sizeof *pass->step)
        return refuse(err, "size");
    if (!is_end(&pass->from) || !is_end(&pass->to) || pass->from.end == GF_END_NOWHERE
        || !in_range(pass->from_pass, 0, GF_PASSES - 1) || !in_range(pass->segment_units, 1, MOST_UNITS)
        || !in_range(pass->strip_units, 1, MOST_UNITS) || (!cuda && (pass->from.spooled || pass->to.spooled)))
        return refuse(err, "ends");
    for (int k = 0; k < pass->steps + pass->measure.used; k++)
        if (!is_step(pass, &pass->step[k], cuda, pools))
            return refuse(err, "step");
    return is_chain(pass) ? 0 : refuse(err, "order");
}

/* ---- memory ---- */

/* Returns true if the plan's arithmetic on this pass stays far below the largest number. */
static bool is_moderate(const struct gf_pass *pass)
{
    const int64_t longest = gf_plan_max(pass->segment_units, pass->strip_units);

    for (int k = 0; k <= pass->steps; k++) {
        const int64_t units = gf_plan_units_before(pass, k, longest);
        const int64_t before = k == 0 ? (int64_t)gf_unit_bytes(&pass->from.format)
                             : gf_plan_step_bytes(&pass->step[k - 1]);
        int64_t bytes;

        if (units < 0 || units > GF_PLAN_FAR || __builtin_mul_overflow(units, before, &bytes)
            || (bytes > MOST_MEMORY && !(k == 0 && pass->from.end == GF_END_RESIDENT)))
            return false;
    }
    return true;
}

/* Clears what the plan computes, and leaves as it is where there is nothing to compute. */
static void clear_planned(struct gf_pass *pass)
{
    pass->carry_first = pass->carry_last = 0;
    for (int k = 0; k < pass->steps + pass->measure.used; k++) {
        struct gf_step *s = &pass->step[k];

        s->carry_at = s->history_at = s->history_units = s->lead_units = s->side_at = 0;
        s->strip_units = s->window_units = s->segment_units = 0;
    }
}

/* Returns true if planning such a pass again gives the same, so that the memory of a lane is what the plan computes. */
static bool is_planned(const struct gf_pass *pass, struct gf_pass *planned, bool cuda)
{
    memcpy(planned, pass, pass->bytes);
    clear_planned(planned);
    gf_plan_place_states(planned);
    gf_plan_size_lane(planned, cuda);
    return memcmp(planned, pass, pass->bytes) == 0;
}

/* Returns true if a lane has a size that can be added up. */
static bool is_small(const struct gf_pass *pass)
{
    return pass->lane_in_bytes <= MOST_MEMORY && pass->lane_out_bytes <= MOST_MEMORY
        && pass->lane_work_bytes <= MOST_MEMORY && pass->lane_scratch_bytes <= MOST_MEMORY
        && pass->lane_side_bytes <= MOST_MEMORY && pass->lane_region_bytes <= MOST_MEMORY
        && pass->carry_bytes <= MOST_MEMORY && pass->measure.result_bytes <= MOST_MEMORY;
}

/* The counts of a measure have a size that only its parameters tell. */
static bool has_counts(const struct gf_pass *pass)
{
    const struct gf_step *s = &pass->step[pass->steps];
    struct gf_counts c;

    if (!pass->measure.used)
        return pass->measure.result_bytes == 0;
    if (gf_step_op(s)->counts == NULL)
        return gf_step_op(s)->records != NULL;
    c = gf_step_op(s)->counts(gf_step_params(s));
    return in_range(c.bins, 1, 1 << 26) && in_range(c.lines, 1, 1 << 26)
        && (uint64_t)c.bins * (uint64_t)c.lines * sizeof(uint64_t) == pass->measure.result_bytes;
}

int gf_stay_check_pass(const struct gf_pass *pass, size_t bytes, bool cuda, const struct gf_pools *pools,
                       struct gf_error *err)
{
    struct gf_pass *planned;
    bool same;

    if (check_structure(pass, bytes, cuda, pools, err) != 0)
        return -1;
    if (!is_small(pass) || !is_moderate(pass) || !has_counts(pass))
        return refuse(err, "numbers");
    planned = malloc(bytes);
    if (planned == NULL)
        return gf_fail_memory(err, NULL);
    same = is_planned(pass, planned, cuda);
    free(planned);
    return same ? 0 : refuse(err, "memory");
}

/* ---- requests of lanes ---- */

size_t gf_stay_bytes_in(const struct gf_pass *pass, struct gf_span in)
{
    if (pass->from.end == GF_END_FILE)
        return (size_t)gf_span_units(in) * gf_unit_bytes(&pass->from.format);
    return pass->from.spooled && pass->lane_region_bytes == 0
               ? (size_t)(gf_span_units(in) * gf_plan_store_unit_bytes(&pass->from)) : 0;
}

size_t gf_stay_bytes_out(const struct gf_pass *pass, struct gf_span out, int ahead)
{
    if (ahead > 0)
        return 0;
    if (pass->to.end == GF_END_FILE)
        return (size_t)gf_span_units(out) * gf_unit_bytes(&pass->to.format);
    return pass->to.spooled ? (size_t)(gf_span_units(out) * gf_plan_store_unit_bytes(&pass->to)) : 0;
}

int gf_stay_check_lane(const struct gf_stay_lane *request, struct gf_error *err)
{
    return in_range(request->pass_number, 0, GF_PASSES - 1) ? 0 : refuse(err, "number");
}

int gf_stay_check_sums(const struct gf_pass *pass, const struct gf_stay_counts *request, struct gf_error *err)
{
    return pass->measure.used && gf_step_op(&pass->step[pass->steps])->counts != NULL && request->rows > 0
        && request->bins > 0
        && (uint64_t)request->rows * (uint64_t)request->bins * sizeof(uint64_t) == pass->measure.result_bytes
        && request->bytes == pass->measure.result_bytes ? 0 : refuse(err, "counts");
}

/* Returns true if `units` of a signal that is kept for a pass are in its memory. */
static bool is_kept(const struct gf_pass_end *end, int64_t units, size_t kept)
{
    int64_t bytes;

    return end->end != GF_END_RESIDENT || end->spooled
        || (!__builtin_mul_overflow(units, gf_plan_store_unit_bytes(end), &bytes) && (uint64_t)bytes <= kept);
}

/* Returns true if the units of a job are a segment that gf_pass_segment() makes, or its last part. */
static bool is_segment(const struct gf_job *job, int64_t all)
{
    const struct gf_pass *pass = job->pass;
    const struct gf_step *last = job->ahead > 0 ? &pass->step[job->ahead - 1] : NULL;
    const int64_t units = last != NULL ? gf_plan_max(last->segment_units, 1) : pass->segment_units;

    return in_range(job->out.start, 0, GF_PLAN_FAR) && job->out.start % units == 0 && job->out.start < job->out.end
        && job->out.end - job->out.start <= units && job->out.end <= all
        && (last == NULL || (pass->carry_bytes > 0 && last->need.carry_bytes > 0 && job->out.end <= last->lead_units));
}

int gf_stay_check_job(const struct gf_job *job, const struct gf_stay_kept *kept, struct gf_error *err)
{
    const struct gf_pass *pass = job->pass;
    struct gf_pass_walk walk;
    int steps;

    if (!in_range(job->ahead, 0, pass->steps) || !in_range(job->in_units, 0, GF_PLAN_FAR)
        || !in_range(job->index, 0, INT64_MAX - 1))
        return refuse(err, "job");
    steps = gf_job_steps(job);
    if (!is_segment(job, gf_pass_units_to(pass, steps, job->in_units)))
        return refuse(err, "segment");
    gf_pass_fill_walk_to(pass, steps, job->out, job->in_units, &walk);
    if (job->in.start != walk.span[0].start || job->in.end != walk.span[0].end
        || (pass->from.end == GF_END_FILE && gf_span_units(job->in) > pass->in_units))
        return refuse(err, "input");
    for (int k = 0; k < steps; k++)                      /* tables have entries for so many */
        if (pass->step[k].out.units != GF_UNKNOWN
            && gf_pass_units_to(pass, k + 1, job->in_units) > pass->step[k].out.units)
            return refuse(err, "length");
    for (int k = 0; k < steps - 1; k++)
        if (walk.span[k + 1].start < 0 || gf_span_units(walk.span[k + 1]) > pass->step[k].segment_units)
            return refuse(err, "segment");
    if (!is_kept(&pass->from, job->in_units, kept->result[pass->from_pass])
        || !is_kept(&pass->to, gf_pass_units(pass, job->in_units), kept->result[kept->pass])
        || pass->carry_bytes > kept->state[kept->pass])
        return refuse(err, "memory");
    return 0;
}
