/* The plan, second part: how much at a time, and in how much memory. */
#include "plan.h"

#include "plan_parts.h"
#include "region.h"

#define MIB (INT64_C(1) << 20)
#define GPU_SEGMENT_BYTES (16 * MIB)         /* where copies over the bus reach full speed */
#define CPU_SEGMENT_BYTES (2 * MIB)
#define LEAST_SEGMENT_BYTES (64 << 10)
#define CPU_STRIP_BYTES (384 << 10)          /* a strip and what is made of it stay in the second cache */
#define GPU_LANES 4

/* ---- bytes ---- */

/* One unit as it is kept in memory between operations. */
static int64_t unit_bytes_between(const struct gf_format *f, bool planar, int64_t pitch_samples)
{
    const int64_t samples = pitch_samples * (planar ? f->channels : 1);

    return samples * (int64_t)gf_type_bytes(planar ? GF_F32 : f->type);
}

static int64_t step_unit_bytes(const struct gf_step *s)
{
    return unit_bytes_between(&s->out, s->planar, s->pitch_samples);
}

static int64_t store_unit_bytes(const struct gf_store *store)
{
    return unit_bytes_between(&store->format, store->planar, store->pitch_samples);
}

static int64_t store_bytes(const struct gf_store *store)
{
    return store->format.units * store_unit_bytes(store);
}

/* Strips may end only at multiples of this many units. */
static int64_t strip_grain(const struct gf_pass *pass)
{
    return pass->measure.used ? gf_op_records(pass->measure.step.op, pass->measure.step.params).block_units : 1;
}

/* A frame of luma and chroma is made in one piece, for its planes lie one behind another. */
static int64_t grain_of(const struct gf_pass *pass)
{
    return pass->to.file_units > 0 ? pass->to.format.units : strip_grain(pass);
}

/* And taken apart in one: each segment would have to see all of it. */
static bool takes_yuv(const struct gf_pass *pass)
{
    return pass->steps > 0 && pass->step[0].op == GF_OP_YUV && pass->step[0].planar;
}

/* The largest of the blocks that operations make, as far as they keep their places to the end of the pass. */
static int64_t block_of(const struct gf_pass *pass)
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

/* Fewer units, if there are some blocks of them: a block that two segments or strips touch is made twice. */
static int64_t whole_blocks(const struct gf_pass *pass, int64_t units)
{
    const int64_t block = block_of(pass);

    return units > block ? units / block * block : units;
}

static int64_t round_up(int64_t n, int64_t grain)
{
    return (n + grain - 1) / grain * grain;
}

static int64_t at_least(int64_t n, int64_t least)
{
    return n < least ? least : n;
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n > most ? most : n;
}

/* The heavier of the two ends, in bytes a unit of output. */
static int64_t unit_bytes_at_ends(const struct gf_pass *pass)
{
    const int64_t in = (int64_t)gf_unit_bytes(&pass->from.format) * gf_plan_units_under(pass);
    const int64_t out = (int64_t)gf_unit_bytes(&pass->to.format);

    return at_least(in > out ? in : out, 1);
}

static int64_t choose_segment(const struct gf_pass *pass, const struct gf_limits *limits, bool cuda, int lanes)
{
    const int64_t unit = unit_bytes_at_ends(pass), all = pass->to.format.units;
    int64_t units;

    if (limits->segment_bytes > 0) {
        units = limits->segment_bytes / unit;
    } else if (takes_yuv(pass) && all != GF_UNKNOWN) {
        units = all;
    } else {
        units = (cuda ? GPU_SEGMENT_BYTES : CPU_SEGMENT_BYTES) / unit;
        if (all != GF_UNKNOWN)                       /* a small signal still feeds every lane */
            units = at_most(units, all / (lanes * (cuda ? 1 : 3)) + 1);
        units = at_least(units, LEAST_SEGMENT_BYTES / unit);
        units = at_least(units, 4 * gf_plan_halo_units(pass));
        units = at_least(units, block_of(pass));
        if (pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole)
            units = at_least(units, GF_TILE_COLUMNS / 2);
    }
    if (limits->latency_ms > 0 && pass->to.format.rate > 0)
        units = at_most(units, (int64_t)pass->to.format.rate * limits->latency_ms / 1000);
    units = round_up(at_least(whole_blocks(pass, units), 1), grain_of(pass));
    return all == GF_UNKNOWN ? units : at_most(units, at_least(all, 1));
}

/* A running mean or a rank starts each strip anew, at the price of the rows its windows reach over: no strip is shorter than those. */
static int64_t least_strip(const struct gf_pass *pass)
{
    int64_t least = 1;

    for (int k = 0; k < pass->steps; k++)
        if (gf_op_facts(pass->step[k].op)->starts_anew)
            least = at_least(least, pass->step[k].need.before + pass->step[k].need.after);
    return least;
}

static int64_t choose_strip(const struct gf_pass *pass)
{
    int64_t unit = 1, least;

    for (int k = 0; k < pass->steps; k++)
        unit = at_least(unit, step_unit_bytes(&pass->step[k]));
    unit = at_least(unit, unit_bytes_between(&pass->from.format, pass->from.planar, pass->from.pitch_samples));
    if (pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole)   /* tiles are read: let them be square */
        return at_most(GF_TILE_COLUMNS / 2, pass->segment_units);
    least = at_least(at_least(CPU_STRIP_BYTES / unit, least_strip(pass)), block_of(pass));
    return at_most(round_up(whole_blocks(pass, least), strip_grain(pass)), pass->segment_units);
}

static int64_t whole_lines(int64_t bytes)
{
    return round_up(bytes, 512);
}

/*
 * Where state stands: a step's own, then the last units of its result. On a CPU lanes wait for
 * each other from the first step that carries to the last; what is before is made ahead, and the
 * turn goes on before what comes behind, unless that is next to nothing.
 */
static void place_states(struct gf_pass *pass)
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
        pass->carry_bytes = (size_t)(s->history_at + whole_lines(s->history_units * step_unit_bytes(s)));
    }
    if (pass->carry_bytes == 0)
        return;
    pass->work_ahead = pass->carry_first - 1;
    for (int k = pass->carry_last + 1; k < pass->steps; k++)
        if (pass->step[k].op != GF_OP_POINT)
            pass->work_in_turn = pass->carry_last;
}

/*
 * Units of step k's result that are in memory at once, where `made` of the pass's are made at
 * a time. What a CPU makes ahead is all that the segment needs.
 */
static int64_t units_at_once(const struct gf_pass *pass, int k, int64_t made)
{
    const bool ahead = k == pass->work_ahead || k == pass->work_in_turn;

    return gf_plan_units_before(pass, k + 1, ahead ? pass->segment_units : made);
}

/* Scratch of a step's body for `units` of its result. */
static size_t step_scratch(const struct gf_pass *pass, int k, int64_t units, bool cuda)
{
    const struct gf_step *s = &pass->step[k];
    const struct gf_step *before = k > 0 ? &pass->step[k - 1] : NULL;
    struct gf_io shape = { .load = &s->load, .store = &s->store, .src_units = GF_FAR };
    const bool unknown = s->need.whole && (s->in.units == GF_UNKNOWN || pass->from.spooled);     /* a tile's region is counted by itself */
    const struct gf_span out = { 0, units }, in = { 0, unknown ? units : gf_plan_step_units(s, units) };

    if (before ? before->planar : pass->from.planar)
        shape.src = gf_block_planar(NULL, &s->in, in, s->pitch_samples, 0);
    else
        shape.src = gf_block_packed(NULL, &s->in, in);
    shape.dst = s->planar ? gf_block_planar(NULL, &s->out, out, s->pitch_samples, 0) : gf_block_packed(NULL, &s->out, out);
    if (s->side != NULL)
        gf_step_beside(s, in, NULL, &shape);
    return (cuda ? gf_op_borrowed_bytes : gf_op_scratch_bytes)(s->op, s->params, &shape);
}

/* Of one tile's region, where the first step reads such from the disk. */
static size_t region_bytes(const struct gf_pass *pass, int64_t rows)
{
    const struct gf_step *s = &pass->step[0];

    if (!pass->from.spooled || pass->steps == 0 || !s->need.whole || !gf_region_possible(s))
        return 0;
    return (size_t)gf_region_samples(s, gf_plan_units_before(pass, 1, rows), pass->from.planar)
         * gf_type_bytes(pass->from.planar ? GF_F32 : pass->from.format.type);
}

/* Records of a segment, and scratch; counts are as many as they were. */
static void size_measure(struct gf_pass *pass, bool cuda)
{
    struct gf_step *s = &pass->measure.step;
    const struct gf_records records = gf_op_records(s->op, s->params);
    const int64_t units = cuda ? pass->segment_units : pass->strip_units;
    const bool planar = pass->steps > 0 ? pass->step[pass->steps - 1].planar : pass->from.planar;
    struct gf_io shape = { .load = &s->load, .src_units = GF_FAR };
    size_t scratch;

    if (records.bytes > 0)
        pass->measure.result_bytes = (size_t)(round_up(pass->segment_units, records.block_units) / records.block_units * records.channels)
                                   * records.bytes;
    if (records.keep && s->in.units != GF_UNKNOWN) {
        const int64_t block = records.block_units * at_least(records.joined, 1);

        pass->measure.kept_blocks = round_up(s->in.units, block) / block;
        pass->measure.kept_bytes = (size_t)(pass->measure.kept_blocks * records.channels) * records.bytes;
    }
    shape.src = planar ? gf_block_planar(NULL, &s->in, (struct gf_span) { 0, units }, s->in.width, 0)
                       : gf_block_packed(NULL, &s->in, (struct gf_span) { 0, units });
    shape.dst = shape.src;
    if (s->side != NULL)
        gf_step_beside(s, (struct gf_span) { 0, units }, NULL, &shape);
    scratch = (cuda ? gf_op_borrowed_bytes : gf_op_scratch_bytes)(s->op, s->params, &shape);
    pass->lane_scratch_bytes = scratch > pass->lane_scratch_bytes ? scratch : pass->lane_scratch_bytes;
}

/* Rows of a step's second source, for `units` of what it reads, behind those of the steps before. */
static void size_side(struct gf_pass *pass, struct gf_step *s, int64_t units)
{
    if (s->side == NULL)
        return;
    s->side_at = (int64_t)pass->lane_side_bytes;
    pass->lane_side_bytes += (size_t)whole_lines(at_most(units, s->side->format.units) * (int64_t)gf_unit_bytes(&s->side->format));
}

/* Of all steps, on a GPU: a CPU reads them in their place. */
static void size_sides(struct gf_pass *pass, bool cuda)
{
    pass->lane_side_bytes = 0;
    for (int k = 0; cuda && k < pass->steps; k++)
        size_side(pass, &pass->step[k], gf_plan_units_before(pass, k, pass->segment_units));
    if (cuda && pass->measure.used)
        size_side(pass, &pass->measure.step, pass->segment_units);
}

static void size_lane(struct gf_pass *pass, bool cuda)
{
    const int64_t made = cuda ? pass->segment_units : pass->strip_units;
    int64_t largest = 0, sum = 0;

    pass->lane_scratch_bytes = 0;
    for (int k = 0; k < pass->steps; k++) {
        struct gf_step *s = &pass->step[k];
        const bool last = k == pass->steps - 1;
        size_t scratch;
        int64_t bytes;

        s->segment_units = gf_plan_units_before(pass, k + 1, pass->segment_units);
        s->strip_units = gf_plan_units_before(pass, k + 1, pass->strip_units);
        s->window_units = units_at_once(pass, k, pass->strip_units);
        bytes = last && pass->to.end != GF_END_NOWHERE ? 0 : step_unit_bytes(s) * units_at_once(pass, k, made);
        largest = at_least(largest, bytes);
        sum += bytes;
        scratch = step_scratch(pass, k, cuda ? s->segment_units : s->strip_units, cuda);
        pass->lane_scratch_bytes = scratch > pass->lane_scratch_bytes ? scratch : pass->lane_scratch_bytes;
    }
    pass->lane_work_bytes = (size_t)(cuda ? 2 * largest : sum);
    size_sides(pass, cuda);
    pass->in_units = gf_plan_units_before(pass, 0, pass->segment_units);
    pass->lane_region_bytes = region_bytes(pass, made);
    pass->lane_in_bytes = pass->from.end == GF_END_FILE ? (size_t)pass->in_units * gf_unit_bytes(&pass->from.format) : 0;
    pass->lane_out_bytes = pass->to.end == GF_END_FILE ? (size_t)pass->segment_units * gf_unit_bytes(&pass->to.format) : 0;
    if (cuda && pass->to.spooled)                            /* on its way to the disk and from there */
        pass->lane_out_bytes = (size_t)(pass->segment_units * store_unit_bytes(&pass->to));
    if (cuda && pass->from.spooled && pass->lane_region_bytes == 0)
        pass->lane_in_bytes = (size_t)(pass->in_units * store_unit_bytes(&pass->from));
    if (pass->measure.used)
        size_measure(pass, cuda);
}

/* ---- limits ---- */

static int64_t resident_bytes(const struct gf_pass *pass)
{
    int64_t bytes = 0;

    if (pass->from.end == GF_END_RESIDENT && !pass->from.spooled)
        bytes += store_bytes(&pass->from);
    if (pass->to.end == GF_END_RESIDENT && !pass->to.spooled)
        bytes += store_bytes(&pass->to);
    return bytes;
}

static int64_t host_bytes(const struct gf_pass *pass, bool cuda)
{
    int64_t lane = (int64_t)(pass->lane_in_bytes + pass->lane_out_bytes + pass->lane_region_bytes + pass->measure.result_bytes);
    int64_t overlap = (int64_t)gf_unit_bytes(&pass->from.format) * (pass->in_units - pass->segment_units);

    if (!cuda)
        lane += (int64_t)(pass->lane_work_bytes + pass->lane_scratch_bytes);
    lane = lane * pass->lanes + (int64_t)(pass->measure.result_bytes + pass->measure.kept_bytes);
    return lane + (cuda ? 0 : resident_bytes(pass) + (int64_t)pass->carry_bytes) + (pass->from.end == GF_END_FILE && overlap > 0 ? overlap : 0);
}

static int64_t device_bytes(const struct gf_pass *pass)
{
    return (int64_t)(pass->lane_in_bytes + pass->lane_out_bytes + pass->lane_work_bytes + pass->lane_scratch_bytes
                     + pass->lane_region_bytes + pass->lane_side_bytes + pass->measure.result_bytes) * pass->lanes
         + resident_bytes(pass) + (int64_t)pass->carry_bytes;
}

static int over_memory(const struct gf_pass *pass, const char *who, int64_t need, int64_t ceiling, struct gf_error *err)
{
    char needed[40], given[40];

    gf_bytes_text(need, needed);
    gf_bytes_text(ceiling, given);
    if ((int64_t)pass->measure.kept_bytes > ceiling / 2)
        return gf_fail(err, GF_FAILED, "%s: what is kept of the signal takes %s, but there is room for %s; raise --memory, or ask for less",
                       who, needed, given);
    if (resident_bytes(pass) > 0)
        return gf_fail(err, GF_FAILED, "%s needs all of the signal in memory: %s, but there is room for %s; "
                       "raise --memory or make the input smaller", who, needed, given);
    return gf_fail(err, GF_FAILED, "the chain needs %s of memory at least, but there is room for %s; raise --memory", needed, given);
}

/* Up to three quarters of the machine's memory, where nothing is said; less what weights and tables take. */
static int64_t host_ceiling(const struct gf_limits *limits, const struct gf_device_facts *facts, bool cuda)
{
    if (limits->memory_bytes > 0)
        return limits->memory_bytes - limits->pool_bytes - limits->list_bytes - limits->side_bytes;
    return !cuda && facts->memory_bytes > 0 ? facts->memory_bytes / 4 * 3 - limits->pool_bytes - limits->list_bytes - limits->side_bytes : GF_FAR;
}

/* Of the device's own memory some is left to the driver. */
static int64_t device_ceiling(const struct gf_limits *limits, const struct gf_device_facts *facts, bool cuda)
{
    const int64_t host = host_ceiling(limits, facts, cuda);
    const int64_t own = cuda && facts->memory_bytes > 0 ? facts->memory_bytes - facts->memory_bytes / 16 - limits->pool_bytes : GF_FAR;

    return host < own ? host : own;
}

static bool reads_from(const struct gf_plan *plan, int q, int p)
{
    return plan->pass[q].from.end == GF_END_RESIDENT && plan->pass[q].from_pass == p;
}

int gf_plan_last_reader(const struct gf_plan *plan, int p)
{
    int last = p;

    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p))
            last = q;
    return last;
}

/* Whether a pass needs all of what pass p leaves at once. */
static bool has_whole_reader(const struct gf_plan *plan, int p)
{
    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p) && plan->pass[q].steps > 0 && plan->pass[q].step[0].need.whole)
            return true;
    return false;
}

/*
 * A signal that is to stay in memory but can't: an input that was only measured is read
 * again; anything else goes to disk.
 */
static void make_room(struct gf_plan *plan, int p, const struct gf_limits *limits, const struct gf_device_facts *facts)
{
    struct gf_pass *pass = &plan->pass[p], *next = p + 1 < plan->passes ? &plan->pass[p + 1] : NULL;
    const int64_t host = host_ceiling(limits, facts, plan->cuda);
    const int64_t device = plan->cuda && facts->memory_bytes > 0 && facts->memory_bytes < host ? facts->memory_bytes / 16 * 15 : host;

    if (pass->to.end != GF_END_RESIDENT || next == NULL || resident_bytes(pass) + resident_bytes(next) < device / 8 * 7)
        return;
    if (limits->again && pass->steps == 0 && pass->from.end == GF_END_FILE && !has_whole_reader(plan, p)) {
        for (int q = p + 1; q < plan->passes; q++)
            if (reads_from(plan, q, p))
                plan->pass[q].from = pass->from;
        pass->to.end = GF_END_NOWHERE;
        return;
    }
    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p))
            plan->pass[q].from.spooled = true;
    pass->to.spooled = true;
}

/* Smaller segments, then fewer lanes, until the pass fits under the ceiling. */
static int fit_pass(struct gf_pass *pass, const char *who, const struct gf_limits *limits, const struct gf_device_facts *facts,
                    bool cuda, struct gf_error *err)
{
    const int64_t host = host_ceiling(limits, facts, cuda), device = device_ceiling(limits, facts, cuda);
    const int64_t grain = at_least(grain_of(pass), at_most(block_of(pass), pass->segment_units));    /* part of a block costs as much as all of it */

    for (;;) {
        pass->strip_units = choose_strip(pass);
        size_lane(pass, cuda);
        if (host_bytes(pass, cuda) <= host && (!cuda || device_bytes(pass) <= device))
            return 0;
        if (pass->segment_units > grain && pass->segment_units > gf_plan_halo_units(pass) / 8)
            pass->segment_units = round_up(at_least(whole_blocks(pass, pass->segment_units / 2), 1), grain);
        else if (pass->lanes > 1)
            pass->lanes--;
        else if (pass->segment_units > grain)
            pass->segment_units = round_up(at_least(whole_blocks(pass, pass->segment_units / 2), 1), grain);
        else if (host_bytes(pass, cuda) > host)
            return over_memory(pass, who, host_bytes(pass, cuda), host, err);
        else
            return over_memory(pass, who, device_bytes(pass), device, err);
    }
}

/* The stage for whose sake pass p keeps, or reads, the whole signal. */
static const char *who_needs(const struct gf_plan *plan, int p)
{
    const struct gf_pass *pass = &plan->pass[p];

    if (pass->measure.used)
        return pass->measure.step.stage;
    if (pass->to.end == GF_END_RESIDENT && p + 1 < plan->passes && plan->pass[p + 1].steps > 0)
        return plan->pass[p + 1].step[0].stage;
    return pass->steps > 0 ? pass->step[0].stage : "the chain";
}

/* With --latency nothing may wait for the end of sound on a pipe, nor of a picture that goes to disk. */
static int check_latency(const struct gf_plan *plan, int p, const struct gf_limits *limits, struct gf_error *err)
{
    const struct gf_pass *pass = &plan->pass[p];
    const bool waits = plan->in.kind == GF_AUDIO ? pass->to.end != GF_END_FILE : pass->to.spooled;

    if (limits->latency_ms == 0 || limits->again || !waits)
        return 0;
    return gf_fail(err, GF_MISUSED, "--latency: %s has to see all of a pipe first; leave it out, or name a file with -i",
                   who_needs(plan, p));
}

/*
 * Where all of it fits, every pass keeps its lanes and what it leaves, for the next signal.
 * Else the lanes of a pass go when it has run, and a signal with the last pass that reads it:
 * at once there is no more than one pass with what it starts from and what it leaves.
 */
static void sum_up(struct gf_plan *plan, const struct gf_limits *limits, const struct gf_device_facts *facts)
{
    int64_t host = 0, device = 0;

    plan->host_bytes = plan->device_bytes = 0;
    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = &plan->pass[p];
        const int64_t on_host = host_bytes(pass, plan->cuda), on_device = plan->cuda ? device_bytes(pass) : 0;
        const int64_t again = pass->from.end == GF_END_RESIDENT && !pass->from.spooled ? store_bytes(&pass->from) : 0;

        if (gf_pass_is_idle(pass))
            continue;
        plan->host_bytes = at_least(plan->host_bytes, on_host);
        plan->device_bytes = at_least(plan->device_bytes, on_device);
        host += on_host - (plan->cuda ? 0 : again);          /* counted where it was left */
        device += on_device - (plan->cuda ? again : 0);
    }
    plan->kept = host <= host_ceiling(limits, facts, plan->cuda) && device <= device_ceiling(limits, facts, plan->cuda);
    if (plan->kept) {
        plan->host_bytes = host;
        plan->device_bytes = device;
    }
    plan->host_bytes += limits->pool_bytes + limits->list_bytes + limits->side_bytes;
    plan->device_bytes += plan->cuda ? limits->pool_bytes : 0;
}

/* Weights, tables and spectra stand in memory as long as the chain does; at least a quarter of it is for what passes. */
static int check_pools(const struct gf_limits *limits, struct gf_error *err)
{
    char needed[40], given[40];

    if (limits->memory_bytes == 0 || limits->pool_bytes + limits->list_bytes <= limits->memory_bytes / 4 * 3)
        return 0;
    gf_bytes_text(limits->pool_bytes + limits->list_bytes, needed);
    gf_bytes_text(limits->memory_bytes, given);
    return gf_fail(err, GF_FAILED, "weights and tables of the chain take %s, but there is room for %s in all; raise --memory", needed, given);
}

int gf_plan_sizes(struct gf_plan *plan, const struct gf_limits *limits, const struct gf_device_facts *facts,
                  struct gf_error *err)
{
    const bool cuda = plan->cuda;
    const int threads = limits->threads > 0 ? limits->threads : facts->cores > 0 ? facts->cores : 1;

    if (check_pools(limits, err) != 0)
        return -1;
    for (int p = 0; p < plan->passes; p++) {
        struct gf_pass *pass = &plan->pass[p];

        place_states(pass);
        if (pass->to.end == GF_END_RESIDENT && pass->to.format.units != GF_UNKNOWN)
            make_room(plan, p, limits, facts);
        if (check_latency(plan, p, limits, err) != 0)
            return -1;
        if ((pass->to.end == GF_END_RESIDENT) && pass->to.format.units == GF_UNKNOWN)
            return gf_fail(err, GF_FAILED, "%s has to see all of the input first, but the input does not say how long it is; "
                           "write it to a file and name that with -i", who_needs(plan, p));
        if (cuda && pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole && !gf_region_possible(&pass->step[0]))
            return gf_fail(err, GF_FAILED, "%s: the signal fits neither on the GPU nor works in tiles; --device cpu does it",
                           who_needs(plan, p));
        pass->lanes = limits->lanes > 0 ? limits->lanes : cuda ? GPU_LANES : threads;
        if (cuda && limits->devices > 1 && !gf_pass_stays(pass))
            pass->lanes *= limits->devices;
        pass->segment_units = choose_segment(pass, limits, cuda, pass->lanes);
        if (fit_pass(pass, who_needs(plan, p), limits, facts, cuda, err) != 0)
            return -1;
        if (pass->to.format.units != GF_UNKNOWN)             /* no more lanes than segments */
            pass->lanes = (int)at_least(at_most(pass->lanes, (pass->to.format.units + pass->segment_units - 1) / pass->segment_units), 1);
        pass->resident_bytes = pass->to.end == GF_END_RESIDENT ? (size_t)store_bytes(&pass->to) : 0;
    }
    sum_up(plan, limits, facts);
    return 0;
}
