/*
 * Chooses segments and lanes so that each pass fits into memory. What does not fit goes to disk or
 * is refused.
 */
#include "plan/plan_memory.h"

#include "base/memory_share.h"
#include "base/words.h"
#include "plan/plan_bytes.h"
#include "plan/plan_lane.h"
#include "plan/plan_region.h"
#include "plan/plan_segments.h"
#include "plan/plan_units.h"

#define GPU_LANES 4                      /* at least: one reads, one uploads or downloads, one computes, one writes */
#define MOST_GPU_LANES 12                /* the same for machines with enough cores to copy for that many */
#define MOST_UNITS (INT64_C(1) << 31)    /* that count; an input of unknown length has more */
#define GPU_LANES_BYTES (INT64_C(128) << 20)     /* of segments in all lanes; more takes long to allocate */

static int64_t resident_bytes(const struct gf_pass *pass)
{
    int64_t bytes = 0;

    if (pass->from.end == GF_END_RESIDENT && !pass->from.spooled)
        bytes += gf_plan_store_bytes(&pass->from);
    if (pass->to.end == GF_END_RESIDENT && !pass->to.spooled)
        bytes += gf_plan_store_bytes(&pass->to);
    return bytes;
}

static int64_t host_bytes(const struct gf_pass *pass, bool cuda)
{
    int64_t lane = (int64_t)(pass->lane_in_bytes + pass->lane_out_bytes + pass->lane_region_bytes
                             + pass->measure.result_bytes);
    int64_t overlap = (int64_t)gf_unit_bytes(&pass->from.format) * (pass->in_units - pass->segment_units);

    if (!cuda)
        lane += (int64_t)(pass->lane_work_bytes + pass->lane_scratch_bytes);
    lane = lane * pass->lanes + (int64_t)(pass->measure.result_bytes + pass->measure.kept_bytes);
    return lane + (cuda ? 0 : resident_bytes(pass) + (int64_t)pass->carry_bytes)
           + (pass->from.end == GF_END_FILE && overlap > 0 ? overlap : 0);
}

static int64_t device_bytes(const struct gf_pass *pass)
{
    return (int64_t)(pass->lane_in_bytes + pass->lane_out_bytes + pass->lane_work_bytes + pass->lane_scratch_bytes
                     + pass->lane_region_bytes + pass->lane_side_bytes + pass->lane_frame_bytes
                     + pass->measure.result_bytes) * pass->lanes
         + resident_bytes(pass) + (int64_t)pass->carry_bytes;
}

static int no_room(struct gf_error *err)
{
    err->cause = GF_CAUSE_MEMORY_LIMIT;
    return -1;
}

static int over_memory(const struct gf_pass *pass, const char *who, int64_t need, int64_t ceiling, struct gf_error *err)
{
    char needed[40], given[40];

    gf_bytes_text(need, needed);
    gf_bytes_text(ceiling, given);
    if ((int64_t)pass->measure.kept_bytes > ceiling / 2)
        gf_fail(err, GF_FAILED,
                "%s: needs %s to keep part of the signal, but only %s is available;; raise --memory, or "
                "use a smaller input",
                who, needed, given);
    else if (resident_bytes(pass) > 0)
        gf_fail(err, GF_FAILED, "%s: needs the whole signal in memory (%s), but only %s is available;; "
                "raise --memory, or use a smaller input", who, needed, given);
    else
        gf_fail(err, GF_FAILED, "the chain needs at least %s of memory, but only %s is available;; raise --memory",
                needed, given);
    return no_room(err);
}

/* Returns the limit without the memory for weights, tables and second images. */
static int64_t host_ceiling(const struct gf_plan_terms *terms, const struct gf_device_facts *facts, bool cuda)
{
    const int64_t all = terms->limits->memory_bytes > 0 || cuda ? terms->limits->memory_bytes
                                                         : gf_memory_share(GF_MEMORY_HOST, facts->memory_bytes);

    return all > 0 ? all - terms->pool_bytes - terms->list_bytes - terms->side_bytes : GF_PLAN_FAR;
}

static int64_t device_ceiling(const struct gf_plan_terms *terms, const struct gf_device_facts *facts, bool cuda)
{
    const int64_t host = host_ceiling(terms, facts, cuda);
    const int64_t own = cuda && facts->memory_bytes > 0 ? gf_memory_share(GF_MEMORY_GPU, facts->memory_bytes)
                        - terms->pool_bytes
                                                        : GF_PLAN_FAR;

    return host < own ? host : own;
}

static bool reads_from(const struct gf_plan *plan, int q, int p)
{
    return plan->pass[q]->from.end == GF_END_RESIDENT && plan->pass[q]->from_pass == p;
}

int gf_plan_last_reader(const struct gf_plan *plan, int p)
{
    int last = p;

    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p))
            last = q;
    return last;
}

/* Returns true if a pass needs the whole result of pass p at once. */
static bool has_whole_reader(const struct gf_plan *plan, int p)
{
    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p) && plan->pass[q]->steps > 0 && plan->pass[q]->step[0].need.whole)
            return true;
    return false;
}

/* Returns true if pass p only measures the input, so that later passes can read the input instead of its result. */
static bool may_read_again(const struct gf_plan *plan, int p, const struct gf_plan_terms *terms)
{
    const struct gf_pass *pass = plan->pass[p];

    return terms->source.again && pass->steps == 0 && pass->from.end == GF_END_FILE && !has_whole_reader(plan, p);
}

/*
 * Handles a signal that should stay in memory. An input that was only measured is read again if the
 * signal does not fit, or if that is faster: a CPU reads stored samples in less time than the system
 * takes to clear as much memory. Anything else that does not fit goes to disk.
 */
static void make_room(struct gf_plan *plan, int p, const struct gf_plan_terms *terms,
                      const struct gf_device_facts *facts)
{
    struct gf_pass *pass = plan->pass[p], *next = p + 1 < plan->passes ? plan->pass[p + 1] : NULL;
    const int64_t host = host_ceiling(terms, facts, plan->cuda);
    const int64_t device = plan->cuda && facts->memory_bytes > 0 && facts->memory_bytes < host
                         ? gf_memory_share(GF_MEMORY_GPU, facts->memory_bytes) : host;
    const bool again = may_read_again(plan, p, terms);
    const bool quick = again && (terms->source.on_device || (!plan->cuda && !terms->source.decodes));

    if (pass->to.end != GF_END_RESIDENT || next == NULL
        || (resident_bytes(pass) + resident_bytes(next) < gf_memory_share(GF_MEMORY_LEFT, device) && !quick))
        return;
    for (int q = p + 1; q < plan->passes; q++)
        if (reads_from(plan, q, p) && again)
            plan->pass[q]->from = pass->from;
        else if (reads_from(plan, q, p))
            plan->pass[q]->from.spooled = true;
    if (again)
        pass->to.end = GF_END_NOWHERE;
    else
        pass->to.spooled = true;
}

/* Tries smaller segments, then fewer lanes, until the pass fits under the limit. */
static int fit_pass(struct gf_pass *pass, const char *who, const struct gf_plan_terms *terms,
                    const struct gf_device_facts *facts,
                    bool cuda, struct gf_error *err)
{
    const int64_t host = host_ceiling(terms, facts, cuda), device = device_ceiling(terms, facts, cuda);
    /* part of a block costs as much as the whole block */
    const int64_t grain = gf_plan_max(gf_plan_grain_units(pass),
                                      gf_plan_min(gf_plan_block_units(pass), pass->segment_units));

    for (;;) {
        pass->strip_units = gf_plan_choose_strip(pass);
        gf_plan_size_lane(pass, cuda);
        if (host_bytes(pass, cuda) <= host && (!cuda || device_bytes(pass) <= device))
            return 0;
        if (pass->segment_units > grain && pass->segment_units > gf_plan_repeated_units(pass) / 8)
            pass->segment_units = gf_round_up(gf_plan_max(gf_plan_whole_blocks(pass, pass->segment_units / 2), 1),
                                              grain);
        else if (pass->lanes > 1)
            pass->lanes--;
        else if (pass->segment_units > grain)
            pass->segment_units = gf_round_up(gf_plan_max(gf_plan_whole_blocks(pass, pass->segment_units / 2), 1),
                                              grain);
        else if (host_bytes(pass, cuda) > host)
            return over_memory(pass, who, host_bytes(pass, cuda), host, err);
        else
            return over_memory(pass, who, device_bytes(pass), device, err);
    }
}

/* Returns the stage that makes pass p keep, or read, the whole signal. */
static const char *who_needs(const struct gf_plan *plan, int p)
{
    const struct gf_pass *pass = plan->pass[p];

    if (pass->measure.used)
        return gf_step_stage(&pass->step[pass->steps]);
    if (pass->to.end == GF_END_RESIDENT && p + 1 < plan->passes && plan->pass[p + 1]->steps > 0)
        return gf_step_stage(&plan->pass[p + 1]->step[0]);
    return pass->steps > 0 ? gf_step_stage(&pass->step[0]) : "the chain";
}

/* With --latency, nothing may wait for the end of audio on a pipe, or of an image that goes to disk. */
static int check_latency(const struct gf_plan *plan, int p, const struct gf_plan_terms *terms, struct gf_error *err)
{
    const struct gf_pass *pass = plan->pass[p];
    const bool waits = plan->in.kind == GF_AUDIO ? pass->to.end != GF_END_FILE : pass->to.spooled;

    if (terms->limits->latency_ms == 0 || terms->source.again || !waits)
        return 0;
    return gf_fail(err, GF_MISUSED,
                   "--latency: %s needs the whole input first, and this is a pipe; remove that stage, or read a file "
                   "with -i",
                   who_needs(plan, p));
}

/*
 * If everything fits, each pass keeps its lanes and its result for the next signal. Otherwise lanes
 * are freed when their pass has run, and a signal after the last pass that reads it. Then only one
 * pass, its input and its output are in memory at a time.
 */
static void sum_up(struct gf_plan *plan, const struct gf_plan_terms *terms, const struct gf_device_facts *facts)
{
    int64_t host = 0, device = 0;

    plan->host_bytes = plan->device_bytes = 0;
    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];
        const int64_t on_host = host_bytes(pass, plan->cuda), on_device = plan->cuda ? device_bytes(pass) : 0;
        const int64_t again = pass->from.end == GF_END_RESIDENT
                              && !pass->from.spooled ? gf_plan_store_bytes(&pass->from) : 0;

        if (gf_pass_is_idle(pass))
            continue;
        plan->host_bytes = gf_plan_max(plan->host_bytes, on_host);
        plan->device_bytes = gf_plan_max(plan->device_bytes, on_device);
        host += on_host - (plan->cuda ? 0 : again);          /* its input was counted with the pass that produced it */
        device += on_device - (plan->cuda ? again : 0);
    }
    plan->kept = host <= host_ceiling(terms, facts, plan->cuda) && device <= device_ceiling(terms, facts, plan->cuda);
    if (plan->kept) {
        plan->host_bytes = host;
        plan->device_bytes = device;
    }
    plan->host_bytes += terms->pool_bytes + terms->list_bytes + terms->side_bytes;
    plan->device_bytes += plan->cuda ? terms->pool_bytes : 0;
}

/* Weights, tables and spectra stay in memory as long as the chain does. */
static int check_pools(const struct gf_plan_terms *terms, struct gf_error *err)
{
    const int64_t taken = terms->pool_bytes + terms->list_bytes;
    const int64_t room = gf_memory_share(GF_MEMORY_WEIGHTS, terms->limits->memory_bytes);
    char needed[40], given[40];

    if (terms->limits->memory_bytes == 0 || taken <= room)
        return 0;
    gf_bytes_text(taken, needed);
    gf_bytes_text(room, given);
    gf_fail(err, GF_FAILED, "the weights and tables of the chain need %s of memory, but only %s is available;; "
            "raise --memory",
            needed, given);
    return no_room(err);
}

/* Returns how many lanes of a GPU are worth their memory for copies from and to files: few if segments are long. */
static int lanes_worth(const struct gf_pass *pass)
{
    const int64_t units = pass->from.end == GF_END_FILE ? gf_plan_units_before(pass, 0, pass->segment_units) : 0;
    const int64_t in = (int64_t)gf_unit_bytes(&pass->from.format) * gf_plan_min(units, MOST_UNITS);
    const int64_t out = pass->to.end == GF_END_FILE
                        ? (int64_t)gf_unit_bytes(&pass->to.format) * pass->segment_units : 0;
    const int64_t worth = GPU_LANES_BYTES / gf_plan_max(gf_plan_max(in, out), 1);

    return (int)gf_plan_min(pass->lanes, gf_plan_max(worth, GPU_LANES));
}

int gf_plan_fit_memory(struct gf_plan *plan, const struct gf_plan_terms *terms, const struct gf_device_facts *facts,
                       struct gf_error *err)
{
    const bool cuda = plan->cuda;
    const int threads = terms->limits->threads > 0 ? terms->limits->threads : facts->cores > 0 ? facts->cores : 1;

    if (check_pools(terms, err) != 0)
        return -1;
    for (int p = 0; p < plan->passes; p++) {
        struct gf_pass *pass = plan->pass[p];
        int devices;

        gf_plan_place_states(pass);
        if (pass->to.end == GF_END_RESIDENT && pass->to.format.units != GF_UNKNOWN)
            make_room(plan, p, terms, facts);
        if (check_latency(plan, p, terms, err) != 0)
            return -1;
        if ((pass->to.end == GF_END_RESIDENT) && pass->to.format.units == GF_UNKNOWN)
            return gf_fail(err, GF_FAILED,
                           "%s: needs the whole input, but its length is unknown; save it to a file and read that with "
                           "-i", who_needs(plan, p));
        if (cuda && pass->from.spooled && pass->steps > 0 && pass->step[0].need.whole
            && !gf_region_possible(&pass->step[0]))
            return gf_fail(err, GF_FAILED,
                           "%s: the signal does not fit in the GPU's memory, and this stage cannot work in tiles;; use "
                           "--device cpu",
                           who_needs(plan, p));
        devices = cuda && terms->devices > 1 && !gf_pass_stays(pass) ? terms->devices : 1;
        pass->lanes = terms->limits->lanes > 0 ? terms->limits->lanes
                      : cuda ? (int)gf_plan_min(gf_plan_max(terms->host_threads, GPU_LANES), MOST_GPU_LANES) : threads;
        pass->segment_units = gf_plan_choose_segment(pass, terms, cuda, pass->lanes * devices);
        if (cuda && terms->limits->lanes == 0)
            pass->lanes = lanes_worth(pass);
        pass->lanes *= devices;
        if (fit_pass(pass, who_needs(plan, p), terms, facts, cuda, err) != 0)
            return -1;
        if (pass->to.format.units != GF_UNKNOWN)             /* no more lanes than segments */
            pass->lanes = (int)gf_plan_max(gf_plan_min(pass->lanes,
                                                       gf_ceil_div(pass->to.format.units, pass->segment_units)), 1);
        pass->resident_bytes = pass->to.end == GF_END_RESIDENT ? (size_t)gf_plan_store_bytes(&pass->to) : 0;
    }
    sum_up(plan, terms, facts);
    return 0;
}
