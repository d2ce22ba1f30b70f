/*
 * Estimates the seconds of a plan: the start of the device, then one pass after another. What lanes
 * do side by side with something slower does not count.
 */
#include "plan/plan_estimate.h"

#include "kernels/base/byte_table.h"
#include "kernels/base/word_table.h"
#include "kernels/operations.h"
#include "plan/plan_units.h"

#include <math.h>

#define GUESSED_UNITS (INT64_C(64) << 20)    /* assumed length of a pipe that does not give its length */
#define CONV_RATE 10.0                       /* weights that take as long as one light operation, unless known */

/*
 * Bytes of samples per second at the ends of a pass. Threads that write to one file wait for each
 * other, so more of them are not faster; new pages of a file take most of that time. A GPU's output
 * gets its pages while the GPU starts.
 */
#define READ_BYTES_PER_SECOND 6e9            /* from the page cache, by each core */
#define WRITE_BYTES_PER_SECOND 4.4e9         /* to a new file */
#define RESERVE_BYTES_PER_SECOND 11e9        /* new pages alone */
#define FILL_BYTES_PER_SECOND 4.5e9          /* to pages that exist already, by one thread */
/* Lanes of a GPU, which also wait for it: each reads and fills, and all together do both. */
#define LANE_READ_BYTES_PER_SECOND 1.5e9
#define LANE_FILL_BYTES_PER_SECOND 1.1e9
#define LANES_BYTES_PER_SECOND 18e9
#define DECODE_BYTES_PER_SECOND 0.5e9        /* a compressed image, by one thread */
#define ENCODE_BYTES_PER_SECOND 0.6e9

/* Seconds of the operations of a pass, on a device whose lanes all work. */
struct work_seconds {
    double parallel;                     /* segments side by side */
    double in_turn;                      /* segments one after another */
};

static double units_of(const struct gf_format *f)
{
    return (double)(f->units == GF_UNKNOWN ? GUESSED_UNITS : f->units);
}

/* Bytes of a unit as floats. */
static double float_bytes(const struct gf_format *f)
{
    return (double)f->width * f->channels * 4.0;
}

/* Returns how a signal is stored between operations: rows of floats have no other type. */
static struct gf_format as_stored(const struct gf_format *f, bool planar)
{
    struct gf_format stored = *f;

    stored.type = planar ? GF_F32 : f->type;
    return stored;
}

/* Returns the light operations of a step's programs on a CPU. Tables replace many of those of the point operation. */
static double light_of_programs(const struct gf_step *s, enum gf_type from, enum gf_type to)
{
    const struct gf_point *load = gf_step_load(s), *store = gf_step_store(s);

    if (gf_step_op(s)->only_programs && from == GF_U8)
        return gf_byte_table_light(load, store, to == GF_U8);
    if (gf_step_op(s)->only_programs && from == GF_U16)
        return gf_word_table_light(load, store, to, s->out.channels);
    return gf_point_light(load, 0) + gf_point_light(store, 0);
}

/* Returns the seconds that all of a device takes for `units` units of the result of step k. */
static double step_seconds(const struct gf_pass *pass, int k, double units, bool cuda,
                           const struct gf_device_facts *facts)
{
    const struct gf_step *s = &pass->step[k];
    const struct gf_operation *op = gf_step_op(s);
    const struct gf_format in = as_stored(&s->in, k == 0 ? pass->from.planar : pass->step[k - 1].planar);
    const struct gf_format out = as_stored(&s->out, s->planar);
    const double conv_rate = facts->conv_bytes_per_second > 0 ? facts->conv_bytes_per_second
                             : CONV_RATE * facts->work_bytes_per_second;
    struct gf_cost cost = gf_op_cost(cuda ? &op->cuda : &op->cpu, gf_step_params(s), &in, &out);

    if (!cuda)                                   /* on a GPU, they run while memory is read and written */
        cost.light += light_of_programs(s, in.type, out.type);
    return units * float_bytes(&out) * (cost.light / facts->work_bytes_per_second + cost.weights / conv_rate);
}

/* Returns true if segments run a step one after another: it carries state, or comes next in the same strip. */
static bool runs_in_turn(const struct gf_pass *pass, int k, bool cuda)
{
    return !cuda && pass->carry_bytes > 0 && k > pass->work_ahead
        && (pass->work_in_turn < 0 || k <= pass->work_in_turn);
}

/* Sums up the operations. A segment computes the units of its halos again. */
static void add_work(const struct gf_pass *pass, bool cuda, const struct gf_device_facts *facts,
                     struct work_seconds *seconds)
{
    const double units = units_of(&pass->to.format), segments = units / (double)pass->segment_units;
    const int64_t place = (int64_t)(segments / 2) * pass->segment_units;
    const int64_t in_units = pass->from.format.units == GF_UNKNOWN ? GF_PLAN_FAR : pass->from.format.units;
    struct gf_pass_walk walk;

    gf_pass_fill_walk_to(pass, pass->steps, (struct gf_span) { place, place + pass->segment_units }, in_units, &walk);
    for (int k = 0; k < pass->steps + pass->measure.used; k++) {
        const double made = k == pass->steps ? units : (double)gf_span_units(walk.made[k]) * segments;
        const double took = step_seconds(pass, k, made, cuda, facts);

        *(runs_in_turn(pass, k, cuda) ? &seconds->in_turn : &seconds->parallel) += took;
    }
}

/* Bytes at an end of a pass that is a file. */
static double file_bytes(const struct gf_pass_end *end)
{
    return end->end == GF_END_FILE ? (double)gf_unit_bytes(&end->format) * units_of(&end->format) : 0;
}

/* Bytes of the second sources of a pass, and of an image of its window, each of which is brought once. */
static double side_bytes(const struct gf_pass *pass)
{
    double bytes = 0;

    for (int k = 0; k < pass->steps + pass->measure.used; k++)
        if (pass->step[k].side.used)
            bytes += (double)gf_unit_bytes(&pass->step[k].side.format) * (double)pass->step[k].side.format.units;
    for (int k = 0; k < pass->steps; k++)
        if (gf_step_window(&pass->step[k]) > 0 && !pass->step[k].frames.luma && !gf_pass_window_is_file(pass))
            bytes += (double)gf_unit_bytes(&pass->step[k].frames.format)
                     * (double)pass->step[k].frames.format.units;
    return bytes;
}

static double more(double a, double b)
{
    return a > b ? a : b;
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

/* Returns how much longer lanes take than if all cores were busy until the end of the pass. */
static double idle_factor(const struct gf_pass *pass, const struct gf_device_facts *facts)
{
    const double segments = units_of(&pass->to.format) / (double)pass->segment_units;
    const double lanes = pass->lanes < facts->cores ? pass->lanes : more(facts->cores, 1);

    return more(facts->cores, 1) / lanes * ceil(segments / lanes) / more(segments / lanes, 1e-9);
}

/* Seconds of a thread at the ends of a pass, each way. */
struct end_seconds {
    double read, written;
    double decoded, encoded;
};

static struct end_seconds end_seconds(double in, double out, double read_rate, double write_rate,
                                      const struct gf_plan_terms *terms)
{
    struct end_seconds s = { 0 };

    *(terms->source.decodes ? &s.decoded : &s.read) = in / (terms->source.decodes ? DECODE_BYTES_PER_SECOND
                                                            : read_rate);
    *(terms->source.encodes ? &s.encoded : &s.written) = out / (terms->source.encodes ? ENCODE_BYTES_PER_SECOND
                                                                : write_rate);
    return s;
}

/* Seconds to get the memory of a result that a CPU keeps for the next pass. Later images use it again. */
static double keep_seconds(const struct gf_pass *pass, const struct gf_plan_terms *terms)
{
    return (double)pass->resident_bytes / RESERVE_BYTES_PER_SECOND / more((double)terms->source.signals, 1);
}

/*
 * On a CPU, lanes that wait for a file keep their cores from the other lanes, so writing comes on
 * top of computing. Decoding and encoding take one core each of many. One lane does everything in
 * turn, but other workers run meanwhile.
 */
static double cpu_pass_seconds(const struct gf_pass *pass, const struct gf_plan_terms *terms,
                               const struct gf_device_facts *facts)
{
    const double cores = more(facts->cores, 1), workers = more(terms->workers, 1);
    const struct end_seconds ends = end_seconds(file_bytes(&pass->from), file_bytes(&pass->to), READ_BYTES_PER_SECOND,
                                                WRITE_BYTES_PER_SECOND, terms);
    struct work_seconds worked = { 0 };
    double computed;

    add_work(pass, false, facts, &worked);
    computed = (worked.parallel + ends.read / cores) * idle_factor(pass, facts)
             + more(worked.in_turn * cores, ends.written) + keep_seconds(pass, terms);
    if (pass->lanes == 1)
        return (computed + ends.decoded + ends.encoded) / workers;
    return more(computed, more(ends.decoded, ends.encoded)) / workers;
}

/* Workers share a GPU, but each has a thread for its files. */
static double cuda_pass_seconds(const struct gf_pass *pass, const struct gf_plan_terms *terms,
                                const struct gf_device_facts *facts)
{
    const double in = file_bytes(&pass->from) + side_bytes(pass), out = file_bytes(&pass->to);
    const double copied = facts->copy_bytes_per_second > 0 ? (in + out) / facts->copy_bytes_per_second : 0;
    const double read = less(pass->lanes * LANE_READ_BYTES_PER_SECOND, LANES_BYTES_PER_SECOND);
    const double filled = less(pass->lanes * LANE_FILL_BYTES_PER_SECOND, LANES_BYTES_PER_SECOND);
    const bool one = pass->lanes == 1;           /* a worker's, which does not share the file */
    const struct end_seconds ends = end_seconds(in, out, one ? READ_BYTES_PER_SECOND : read,
                                                one ? FILL_BYTES_PER_SECOND : filled, terms);
    const double before = ends.read + ends.decoded, after = ends.written + ends.encoded;
    const double moved = (terms->source.decodes ? 0 : in) + (terms->source.encodes ? 0 : out);
    const double side_by_side = more(more(before, after), moved / LANES_BYTES_PER_SECOND);
    struct work_seconds worked = { 0 };

    add_work(pass, true, facts, &worked);
    return more((one ? before + after : side_by_side) / more(terms->workers, 1),
                copied + worked.parallel);
}

/*
 * Seconds until a GPU is ready, shared by all images of the input. The pages of the output are made
 * meanwhile.
 */
static double cuda_start(const struct gf_plan *plan, const struct gf_plan_terms *terms,
                         const struct gf_device_facts *facts)
{
    const double out = terms->source.encodes ? 0 : file_bytes(&plan->pass[plan->passes - 1]->to);

    return more(facts->start_seconds / more((double)terms->source.signals, 1),
                out / RESERVE_BYTES_PER_SECOND / more(terms->workers, 1));
}

double gf_plan_estimate(const struct gf_plan *plan, const struct gf_plan_terms *terms,
                        const struct gf_device_facts *facts)
{
    double seconds = plan->cuda ? cuda_start(plan, terms, facts) : facts->start_seconds;

    for (int p = 0; p < plan->passes; p++)
        if (!gf_pass_is_idle(plan->pass[p]))
            seconds += plan->cuda ? cuda_pass_seconds(plan->pass[p], terms, facts)
                                  : cpu_pass_seconds(plan->pass[p], terms, facts);
    return seconds;
}
