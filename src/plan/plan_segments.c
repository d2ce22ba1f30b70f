/* Chooses the units of a segment and, on a CPU, of a strip. */
#include "plan/plan_segments.h"

#include "kernels/operations.h"
#include "plan/plan_bytes.h"
#include "plan/plan_region.h"
#include "plan/plan_units.h"

#define MIB (INT64_C(1) << 20)
/* Copies over the bus reach full speed from 4 MB on. Longer segments are better, but it takes long to allocate them. */
#define GPU_SEGMENT_BYTES (4 * MIB)
#define GPU_STREAM_BYTES (8 * MIB)
#define STREAM_BYTES (4096 * MIB)            /* of the input or the output, if they are long enough for that */
#define CPU_SEGMENT_BYTES (2 * MIB)
#define CPU_POINT_BYTES (MIB / 2)            /* stored samples stay in the second-level cache until they are written */
#define LEAST_SEGMENT_BYTES (64 << 10)
#define AT_ONCE 4                        /* a strip of an operation at once is as many times as long as its windows */
#define MOST_TOGETHER (16 * MIB)             /* of an end, for operations that should have many units together */
#define CPU_STRIP_BYTES (384 << 10)          /* a strip and its results stay in the second-level cache */
#define ON_DEVICE_BYTES (256 * MIB)          /* of an end that is in the device's memory: longer ones gain nothing */
#define MOST_AGAIN 32                    /* a segment computes at most so many times as much again as it adds */

/* Returns the grain: strips may end only at multiples of it. */
static int64_t strip_grain(const struct gf_pass *pass)
{
    return pass->measure.used ? gf_op_records(gf_step_op(&pass->step[pass->steps]),
                                              gf_step_params(&pass->step[pass->steps])).block_units : 1;
}

/* A frame of luma and chroma is made in one piece, because its planes follow each other in the file. */
int64_t gf_plan_grain_units(const struct gf_pass *pass)
{
    return pass->to.file_units > 0 ? pass->to.format.units : strip_grain(pass);
}

/*
 * Splitting a frame into planes needs the whole frame, and a CPU turns a plane of a frame as a whole. No other
 * step that needs its whole source starts from a file.
 */
static bool takes_frame(const struct gf_pass *pass)
{
    return pass->steps > 0 && pass->from.end == GF_END_FILE && pass->step[0].need.whole;
}

/* Returns the largest block of an operation that keeps its position to the end of the pass. */
int64_t gf_plan_block_units(const struct gf_pass *pass)
{
    int64_t block = 1;

    for (int k = pass->steps - 1; k >= 0; k--) {
        const struct gf_need *need = &pass->step[k].need;

        block = need->grain > block ? need->grain : block;
        if (need->whole || need->times > 1 || need->per > 1)
            break;
    }
    return block;
}

/*
 * Rounds down to whole blocks if there are several: a block that two segments or strips share is
 * computed twice.
 */
int64_t gf_plan_whole_blocks(const struct gf_pass *pass, int64_t units)
{
    const int64_t block = gf_plan_block_units(pass);

    return units > block ? units / block * block : units;
}

/*
 * Returns the share of the source that a unit of the output has, if the pass needs the whole source, whose units have
 * `bytes`. A row of it may be as long as the whole result, as in an image that is transposed.
 */
static int64_t share_of_whole(const struct gf_pass *pass, int64_t bytes)
{
    return (int64_t)((double)bytes * (double)pass->from.format.units
                     / (double)gf_plan_max(pass->to.format.units, 1));
}

static bool needs_whole(const struct gf_pass *pass)
{
    return pass->steps > 0 && pass->step[0].need.whole && pass->from.format.units != GF_UNKNOWN;
}

/* Returns the larger of both ends, in bytes per unit of output. */
static int64_t unit_bytes_at_ends(const struct gf_pass *pass)
{
    const int64_t unit = (int64_t)gf_unit_bytes(&pass->from.format);
    const int64_t in = needs_whole(pass) ? share_of_whole(pass, unit) : unit * gf_plan_units_under(pass);
    const int64_t out = (int64_t)gf_unit_bytes(&pass->to.format);

    return gf_plan_max(in > out ? in : out, 1);
}

/* Returns true if a run is so long that the time to allocate memory does not matter. */
static bool is_stream(const struct gf_pass *pass, const struct gf_plan_terms *terms)
{
    return terms->source.signals > 1 || pass->to.format.units == GF_UNKNOWN
           || pass->to.format.units > STREAM_BYTES / unit_bytes_at_ends(pass);
}

/* Returns the length of segments for a device, before what the pass needs is considered. */
static int64_t usual_bytes(const struct gf_pass *pass, const struct gf_plan_terms *terms, bool cuda)
{
    const bool points = pass->from.format.kind == GF_IMAGE && gf_plan_halo_units(pass) == 0;
    /* lanes wait for each other at each segment, except for sums of bytes, which leave their state early */
    const bool waits = pass->carry_bytes > 0 && gf_type_bytes(pass->from.format.type) > 1;

    if (cuda)
        return is_stream(pass, terms) ? GPU_STREAM_BYTES : GPU_SEGMENT_BYTES;
    if (waits)
        return CPU_SEGMENT_BYTES;
    return points && !terms->source.decodes && !terms->source.encodes ? CPU_POINT_BYTES : CPU_SEGMENT_BYTES;
}

/* Returns how many units of the output the operations of a CPU should have together, but no more than MOST_TOGETHER. */
static int64_t least_units(const struct gf_pass *pass)
{
    int64_t units = 1;

    for (int k = 0; k < pass->steps; k++) {
        const struct gf_step *s = &pass->step[k];

        units = gf_plan_units_after(&s->need, units);
        if (gf_step_op(s)->least_units != NULL)
            units = gf_plan_max(units, gf_step_op(s)->least_units(gf_step_params(s), &s->out));
    }
    return gf_plan_max(gf_plan_min(units, MOST_TOGETHER / unit_bytes_at_ends(pass)), 1);
}

/* Rounds down to a multiple of those, unless there are so many that the rest does not matter. */
static int64_t multiple_of_least(const struct gf_pass *pass, int64_t units)
{
    const int64_t least = least_units(pass);

    return units > least && units < 4 * least ? units / least * least : units;
}

/*
 * Returns the shortest segment that --segment may choose. Halos, and the blocks at both ends, are
 * computed again in each segment: a filter with blocks of 28000 frames took 28000 times as long in
 * segments of one.
 */
static int64_t least_segment(const struct gf_pass *pass)
{
    int64_t again = 0;

    for (int k = 0; k < pass->steps; k++) {
        const struct gf_need *need = &pass->step[k].need;

        again = gf_plan_units_after(need, again + need->before + need->after) + need->grain;
    }
    return again / MOST_AGAIN;
}

int64_t gf_plan_choose_segment(const struct gf_pass *pass, const struct gf_plan_terms *terms, bool cuda, int lanes)
{
    const int64_t unit = unit_bytes_at_ends(pass), all = pass->to.format.units;
    int64_t units;

    if (terms->limits->segment_bytes > 0) {
        units = gf_plan_max(terms->limits->segment_bytes / unit, least_segment(pass));
    } else if (takes_frame(pass) && all != GF_UNKNOWN) {
        units = all;
    } else if (terms->source.on_device && all != GF_UNKNOWN) {
        units = gf_plan_min(all, gf_plan_max(ON_DEVICE_BYTES / unit, gf_plan_block_units(pass)));
    } else {
        units = usual_bytes(pass, terms, cuda) / unit;
        units = cuda ? units : gf_plan_max(units, least_units(pass));
        if (all != GF_UNKNOWN)                       /* a small signal still gives work to every lane */
            units = gf_plan_min(units, all / (lanes * (cuda ? 1 : 3)) + 1);
        units = gf_plan_max(units, LEAST_SEGMENT_BYTES / unit);
        units = gf_plan_max(units, (cuda && !is_stream(pass, terms) ? 1 : 4) * gf_plan_repeated_units(pass));
        units = cuda ? units : multiple_of_least(pass, units);
        units = gf_plan_max(units, gf_plan_block_units(pass));
        if (pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole)
            units = gf_plan_max(units, GF_TILE_COLUMNS / 2);
    }
    if (terms->limits->latency_ms > 0 && pass->to.format.rate > 0)
        units = gf_plan_min(units, (int64_t)pass->to.format.rate * terms->limits->latency_ms / 1000);
    units = gf_round_up(gf_plan_max(gf_plan_whole_blocks(pass, units), 1), gf_plan_grain_units(pass));
    return all == GF_UNKNOWN ? units : gf_plan_min(units, gf_plan_max(all, 1));
}

/*
 * A running mean or a rank starts again in each strip and computes the rows that its windows reach
 * over once more. A strip is at least as long as these windows, and several times as long for
 * operations that are slow in each row, or that go from bytes to bytes at once, whose rows are small.
 */
static int64_t least_strip(const struct gf_pass *pass)
{
    int64_t least = least_units(pass);

    for (int k = 0; k < pass->steps; k++) {
        const struct gf_step *s = &pass->step[k];
        const int times = gf_step_op(s)->at_once != NULL && !s->planar ? AT_ONCE : gf_step_op(s)->starts_anew;

        least = gf_plan_max(least, times * (s->need.before + s->need.after));
    }
    return least;
}

/* Returns true if the pass is one operation that goes from bytes to bytes, and cuts a segment into tiles itself. */
static bool cuts_itself(const struct gf_pass *pass)
{
    const struct gf_step *s = &pass->step[0];

    return pass->steps == 1 && gf_step_op(s)->at_once != NULL && !s->planar && !pass->from.planar && !s->need.whole
        && gf_step_op(s)->at_once(gf_step_params(s), &s->in);
}

int64_t gf_plan_choose_strip(const struct gf_pass *pass)
{
    int64_t unit = gf_plan_store_unit_bytes(&pass->from), least;

    if (cuts_itself(pass))
        return pass->segment_units;
    unit = gf_plan_max(needs_whole(pass) ? share_of_whole(pass, unit) : unit, 1);
    for (int k = 0; k < pass->steps; k++)
        unit = gf_plan_max(unit, gf_plan_step_bytes(&pass->step[k]));
    /* tiles are read from disk: make them square */
    if (pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole)
        return gf_plan_min(GF_TILE_COLUMNS / 2, pass->segment_units);
    least = gf_plan_max(multiple_of_least(pass, CPU_STRIP_BYTES / unit), least_strip(pass));
    least = gf_plan_max(least, gf_plan_block_units(pass));
    return gf_plan_min(gf_round_up(gf_plan_whole_blocks(pass, least), strip_grain(pass)), pass->segment_units);
}
