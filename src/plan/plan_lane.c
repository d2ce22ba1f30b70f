/* Computes how much memory a lane of a pass needs. */
#include "plan/plan_lane.h"

#include "kernels/operations.h"
#include "plan/plan_bytes.h"
#include "plan/plan_region.h"
#include "plan/plan_units.h"

static int64_t whole_lines(int64_t bytes)
{
    return gf_round_up(bytes, 512);
}

/*
 * Places the state: the state of each step, then the last units of its result. On a CPU, lanes wait
 * for each other from the first step with state to the last. Steps before are computed in advance;
 * the turn is passed on before the steps after, unless they cost next to nothing.
 */
void gf_plan_place_states(struct gf_pass *pass)
{
    pass->carry_bytes = 0;
    pass->work_ahead = pass->work_in_turn = -1;
    for (int k = 0; k < pass->steps; k++) {
        struct gf_step *s = &pass->step[k];

        if (s->need.carry_bytes == 0)
            continue;
        if (pass->carry_bytes == 0)
            pass->carry_first = k;
        pass->carry_last = k;
        s->carry_at = (int64_t)pass->carry_bytes;
        s->history_at = s->carry_at + whole_lines(s->need.carry_bytes);
        s->history_units = gf_plan_history_units(pass, k);
        s->lead_units = gf_plan_lead_units(pass, k);
        pass->carry_bytes = (size_t)(s->history_at + whole_lines(s->history_units * gf_plan_step_bytes(s)));
    }
    if (pass->carry_bytes == 0)
        return;
    pass->work_ahead = pass->carry_first - 1;
    for (int k = pass->carry_last + 1; k < pass->steps; k++)
        if (!gf_step_op(&pass->step[k])->only_programs)
            pass->work_in_turn = pass->carry_last;
}

/*
 * Returns the units of step k's result in memory at once, if `made` units of the pass are computed
 * at a time. What a CPU computes in advance is all that the segment needs.
 */
static int64_t units_at_once(const struct gf_pass *pass, int k, int64_t made)
{
    const bool ahead = k == pass->work_ahead || k == pass->work_in_turn;

    return gf_plan_units_before(pass, k + 1, ahead ? pass->segment_units : made);
}

/* Returns the scratch memory of a step's body for `units` of its result. */
static size_t step_scratch(const struct gf_pass *pass, int k, int64_t units, bool cuda)
{
    const struct gf_step *s = &pass->step[k];
    const struct gf_step *before = k > 0 ? &pass->step[k - 1] : NULL;
    struct gf_io shape = { .load = gf_step_load(s), .store = gf_step_store(s), .src_units = GF_PLAN_FAR };
    struct gf_block blocks[GF_MOST_FRAMES];
    /* the region of a tile is counted separately */
    const bool unknown = s->need.whole && (s->in.units == GF_UNKNOWN || pass->from.spooled);
    const struct gf_span out = { 0, units }, in = { 0, unknown ? units : gf_plan_most_input_units(s, units) };

    if (before ? before->planar : pass->from.planar)
        shape.src = gf_block_planar(NULL, &s->in, in, s->pitch_samples, 0);
    else
        shape.src = gf_block_packed(NULL, &s->in, in);
    shape.dst = s->planar ? gf_block_planar(NULL, &s->out, out, s->pitch_samples, 0)
                : gf_block_packed(NULL, &s->out, out);
    if (s->side.used)
        gf_step_beside(s, in, NULL, &shape);
    if (s->frames.used)
        gf_step_shape_frames(s, in, blocks, &shape);
    return gf_op_scratch_bytes(cuda ? &gf_step_op(s)->cuda : &gf_step_op(s)->cpu, gf_step_params(s), &shape);
}

/* Returns the bytes of a tile's region, if the first step reads regions from disk. */
static size_t region_bytes(const struct gf_pass *pass, int64_t rows)
{
    const struct gf_step *s = &pass->step[0];

    if (!pass->from.spooled || pass->steps == 0 || !s->need.whole || !gf_region_possible(s))
        return 0;
    return (size_t)gf_region_samples(s, gf_plan_units_before(pass, 1, rows), pass->from.planar)
         * gf_type_bytes(pass->from.planar ? GF_F32 : pass->from.format.type);
}

/* Makes room for the scratch memory of a step. Steps use the same room, one after another. */
static void add_scratch(struct gf_pass *pass, size_t bytes)
{
    pass->keeps_scratch &= bytes == 0 || pass->lane_scratch_bytes == 0;
    pass->lane_scratch_bytes = bytes > pass->lane_scratch_bytes ? bytes : pass->lane_scratch_bytes;
}

/* Adds the records of a segment, and scratch. Counts take the same memory for any segment. */
static void size_measure(struct gf_pass *pass, bool cuda)
{
    struct gf_step *s = &pass->step[pass->steps];
    const struct gf_records records = gf_op_records(gf_step_op(s), gf_step_params(s));
    const int64_t units = cuda ? pass->segment_units : pass->strip_units;
    const bool planar = pass->steps > 0 ? pass->step[pass->steps - 1].planar : pass->from.planar;
    struct gf_io shape = { .load = gf_step_load(s), .src_units = GF_PLAN_FAR };
    size_t scratch;

    if (records.bytes > 0)
        pass->measure.result_bytes = (size_t)(gf_ceil_div(pass->segment_units, records.block_units) * records.channels)
                                   * records.bytes;
    pass->measure.units = pass->to.end == GF_END_NOWHERE ? records.units : 0;
    if (records.keep && s->in.units != GF_UNKNOWN) {
        const int64_t block = records.block_units * gf_plan_max(records.joined, 1);

        pass->measure.kept_blocks = gf_ceil_div(s->in.units, block);
        pass->measure.kept_bytes = (size_t)(pass->measure.kept_blocks * records.channels) * records.bytes;
    }
    shape.src = planar ? gf_block_planar(NULL, &s->in, (struct gf_span) { 0, units }, s->in.width, 0)
                       : gf_block_packed(NULL, &s->in, (struct gf_span) { 0, units });
    shape.dst = shape.src;
    if (s->side.used)
        gf_step_beside(s, (struct gf_span) { 0, units }, NULL, &shape);
    scratch = gf_op_scratch_bytes(cuda ? &gf_step_op(s)->cuda : &gf_step_op(s)->cpu, gf_step_params(s), &shape);
    add_scratch(pass, scratch);
}

/*
 * Places the rows of a step's second source, for `units` of its input or result, after those of the
 * previous steps.
 */
static void size_side(struct gf_pass *pass, struct gf_step *s, int64_t units)
{
    /* whole images of a window, which lanes share as far as they can */
    if (!s->frames.luma)
        pass->lane_frame_bytes += (size_t)gf_step_window(s) * (size_t)s->frames.format.units
            * gf_unit_bytes(&s->frames.format);
    if (!s->side.used)
        return;
    s->side_at = (int64_t)pass->lane_side_bytes;
    pass->lane_side_bytes += (size_t)whole_lines(gf_plan_min(units, s->side.format.units)
                                                 * (int64_t)gf_unit_bytes(&s->side.format));
}

/* Adds the second sources of all steps on a GPU; a CPU reads them in place. */
static void size_sides(struct gf_pass *pass, bool cuda)
{
    pass->lane_side_bytes = pass->lane_frame_bytes = 0;
    for (int k = 0; cuda && k < pass->steps + pass->measure.used; k++)
        size_side(pass, &pass->step[k], gf_plan_units_before(pass, k + gf_step_op(&pass->step[k])->beside_is_map,
                                                             pass->segment_units));
}

void gf_plan_size_lane(struct gf_pass *pass, bool cuda)
{
    const int64_t made = cuda ? pass->segment_units : pass->strip_units;
    int64_t largest = 0, sum = 0;

    pass->lane_scratch_bytes = 0;
    pass->keeps_scratch = true;
    for (int k = 0; k < pass->steps; k++) {
        struct gf_step *s = &pass->step[k];
        const bool last = k == pass->steps - 1;
        size_t scratch;
        int64_t bytes;

        s->segment_units = gf_plan_units_before(pass, k + 1, pass->segment_units);
        s->strip_units = gf_plan_units_before(pass, k + 1, pass->strip_units);
        s->window_units = units_at_once(pass, k, pass->strip_units);
        bytes = last && pass->to.end != GF_END_NOWHERE ? 0 : gf_plan_step_bytes(s) * units_at_once(pass, k, made);
        largest = gf_plan_max(largest, bytes);
        sum += bytes;
        scratch = step_scratch(pass, k, cuda ? s->segment_units : s->strip_units, cuda);
        add_scratch(pass, scratch);
    }
    pass->lane_work_bytes = (size_t)(cuda ? 2 * largest : sum);
    size_sides(pass, cuda);
    pass->in_units = gf_plan_units_before(pass, 0, pass->segment_units);
    pass->lane_region_bytes = region_bytes(pass, made);
    pass->lane_in_bytes = pass->from.end == GF_END_FILE
                          ? (size_t)pass->in_units * gf_unit_bytes(&pass->from.format) : 0;
    pass->lane_out_bytes = pass->to.end == GF_END_FILE
                           ? (size_t)pass->segment_units * gf_unit_bytes(&pass->to.format) : 0;
    if (cuda && pass->to.spooled)                            /* staging memory on the way to the disk and back */
        pass->lane_out_bytes = (size_t)(pass->segment_units * gf_plan_store_unit_bytes(&pass->to));
    if (cuda && pass->from.spooled && pass->lane_region_bytes == 0)
        pass->lane_in_bytes = (size_t)(pass->in_units * gf_plan_store_unit_bytes(&pass->from));
    if (pass->measure.used)
        size_measure(pass, cuda);
}
