/* Counts units: which span of its input a span of output needs, step by step. */
#include "plan/plan_units.h"

#include "plan/plan_bytes.h"

static int64_t at_least_1(int64_t n)
{
    return n > 0 ? n : 1;
}

/* Returns n · times / per, rounded down or up, but no more than the longest signal. */
static int64_t scaled(int64_t n, int64_t times, int64_t per, bool up)
{
    const int64_t whole = n / per, rest = n % per * times;

    return whole > GF_PLAN_FAR / times ? GF_PLAN_FAR : whole * times + (rest + (up ? per - 1 : 0)) / per;
}

/* Returns the whole blocks that a span touches. */
static struct gf_span widened(struct gf_span s, int64_t grain)
{
    if (grain <= 1 || s.end <= s.start)
        return s;
    return (struct gf_span) { s.start / grain * grain, gf_round_up(s.end, grain) };
}

/* Returns how many units of input correspond to `units` of output, wherever these begin. */
static int64_t under(const struct gf_need *need, int64_t units)
{
    const int64_t times = at_least_1(need->times), per = at_least_1(need->per);

    if (need->grain > 1 && units > 0)
        units = ((units - 2 + need->grain) / need->grain + 1) * need->grain;
    return scaled(units, times, per, true) + (times % per != 0);
}

struct gf_span gf_need_span(const struct gf_need *need, struct gf_span out, int64_t in_units)
{
    const int64_t times = at_least_1(need->times), per = at_least_1(need->per);
    const struct gf_span blocks = widened(out, need->grain);
    struct gf_span in = { scaled(blocks.start, times, per, false) + need->shift - need->before,
                          scaled(blocks.end, times, per, true) + need->shift + need->after };

    if (need->whole || in_units == 0)                    /* an empty signal has no place to read */
        return (struct gf_span) { 0, in_units };
    in.start = in.start < 0 ? 0 : in.start;
    in.end = in.end > in_units ? in_units : in.end;
    /* outside the signal: read the nearest unit, so that there is one */
    if (in.end <= in.start && out.end > out.start && in_units > 0) {
        in.start = in.start < in_units ? in.start : in_units - 1;
        in.end = in.start + 1;
    }
    in.end = in.end < in.start ? in.start : in.end;
    return in;
}

void gf_step_beside(const struct gf_step *s, struct gf_span rows, const void *data, struct gf_io *io)
{
    io->beside = gf_block_packed((void *)(uintptr_t)data, &s->side.format, rows);
    io->beside_units = s->side.format.units;
    io->beside_shift = s->side.shift;
}

void gf_step_shape_frames(const struct gf_step *s, struct gf_span rows, struct gf_block blocks[GF_MOST_FRAMES],
                          struct gf_io *io)
{
    io->frame = s->frames.luma ? NULL : blocks;
    io->frames = gf_step_window(s);
    io->frame_now = s->frames.before;
    for (int i = 0; i < io->frames; i++)
        blocks[i] = gf_block_packed(NULL, &s->frames.format, rows);
}

int64_t gf_step_output_units(const struct gf_step *step, int64_t in_units)
{
    if (step->in.units != GF_UNKNOWN)
        return step->out.units;
    in_units = scaled(in_units, at_least_1(step->need.per), at_least_1(step->need.times), true) + step->need.longer;
    in_units = in_units < 0 ? 0 : in_units;
    return step->need.most > 0 && in_units > step->need.most ? step->need.most : in_units;
}

int64_t gf_pass_units_to(const struct gf_pass *pass, int steps, int64_t in_units)
{
    for (int k = 0; k < steps; k++)
        in_units = gf_step_output_units(&pass->step[k], in_units);
    return in_units;
}

int64_t gf_pass_units(const struct gf_pass *pass, int64_t in_units)
{
    return gf_pass_units_to(pass, pass->steps, in_units);
}

struct gf_span gf_pass_segment(const struct gf_pass *pass, int64_t place, int *steps)
{
    for (int k = 0; k < pass->steps; k++) {
        const int64_t lead = pass->step[k].lead_units, units = at_least_1(pass->step[k].segment_units);
        const int64_t segments = gf_ceil_div(lead, units);

        if (place < segments) {
            *steps = k + 1;
            return (struct gf_span) { place * units, (place + 1) * units < lead ? (place + 1) * units : lead };
        }
        place -= segments;
    }
    *steps = pass->steps;
    return (struct gf_span) { place * pass->segment_units, (place + 1) * pass->segment_units };
}

/*
 * Walks from the output back to the input. It also follows how far earlier segments have come: a
 * step with state computes only new units and remembers the rest. Its lead-in was computed before
 * the first segment, except in the segments that compute it.
 */
void gf_pass_fill_walk_to(const struct gf_pass *pass, int steps, struct gf_span out, int64_t in_units,
                          struct gf_pass_walk *walk)
{
    int64_t come = out.start;

    walk->length[0] = in_units;
    for (int k = 0; k < steps; k++)
        walk->length[k + 1] = gf_step_output_units(&pass->step[k], walk->length[k]);
    walk->span[steps] = out;
    for (int k = steps - 1; k >= 0; k--) {
        const struct gf_need *need = &pass->step[k].need;
        struct gf_span *made = &walk->made[k];

        *made = walk->span[k + 1];
        if (k < steps - 1 && come < pass->step[k].lead_units)
            come = pass->step[k].lead_units;
        if (need->carry_bytes > 0)
            made->start = come < made->end ? come : made->end;
        come = come > 0 ? gf_need_span(need, (struct gf_span) { come - 1, come }, walk->length[k]).end : 0;
        walk->span[k] = made->start < made->end ? gf_need_span(need, *made, walk->length[k])
                        : (struct gf_span) { come, come };
    }
}

struct gf_span gf_pass_span(const struct gf_pass *pass, struct gf_span out, int64_t in_units)
{
    struct gf_pass_walk walk;

    gf_pass_fill_walk_to(pass, pass->steps, out, in_units, &walk);
    return walk.span[0];
}

int64_t gf_plan_most_input_units(const struct gf_step *s, int64_t units)
{
    const int64_t all = s->in.units == GF_UNKNOWN ? GF_PLAN_FAR : s->in.units;

    units = s->need.whole ? all : under(&s->need, units) + s->need.before + s->need.after;
    return units > all ? all : units;
}

int64_t gf_plan_units_before(const struct gf_pass *pass, int from, int64_t units)
{
    for (int k = pass->steps - 1; k >= from; k--)
        units = gf_plan_most_input_units(&pass->step[k], units);
    return units;
}

int64_t gf_plan_history_units(const struct gf_pass *pass, int k)
{
    int64_t units = 0;

    for (int j = pass->steps - 1; j > k; j--) {
        const struct gf_step *s = &pass->step[j];

        units = s->need.carry_bytes > 0 ? 0 : units;
        if (units == 0 && s->need.grain > 1)             /* both ends may touch the same block */
            units = 1;
        units = gf_plan_most_input_units(s, units);
        if (units == 0 && (s->need.shift != 0 || s->need.longer != 0 || s->in.units != s->out.units))
            units = 1;                                   /* a step that reads beyond its input gets the nearest unit */
    }
    return units;
}

int64_t gf_plan_lead_units(const struct gf_pass *pass, int k)
{
    struct gf_span first = { 0, 1 };
    int after = k + 1;

    while (after < pass->steps && pass->step[after].need.carry_bytes == 0)
        after++;
    if (after == pass->steps)
        after--;
    for (int j = after; j > k; j--) {
        const struct gf_step *s = &pass->step[j];

        first = gf_need_span(&s->need, first, s->in.units == GF_UNKNOWN ? GF_PLAN_FAR : s->in.units);
    }
    return first.start;
}

int64_t gf_plan_units_after(const struct gf_need *need, int64_t units)
{
    return scaled(units, at_least_1(need->per), at_least_1(need->times), true);
}

int64_t gf_plan_halo_units(const struct gf_pass *pass)
{
    int64_t halo = 0;

    for (int k = 0; k < pass->steps; k++) {
        const struct gf_need *need = &pass->step[k].need;

        halo = gf_plan_units_after(need, halo + need->before + need->after);
    }
    return halo;
}

/*
 * For one unit of the output, each signal of the pass has `units`, and each segment needs `halo` more of them. If all
 * signals have the same size, half of all bytes are read by the first step, so twice their share is the whole halo.
 */
int64_t gf_plan_repeated_units(const struct gf_pass *pass)
{
    const int64_t most = gf_plan_halo_units(pass);
    double units = 1, halo = 0, once = (double)gf_plan_store_unit_bytes(&pass->to), again = 0;

    for (int k = pass->steps - 1; k >= 0 && !pass->step[k].need.whole; k--) {
        const struct gf_need *need = &pass->step[k].need;
        const double bytes = (double)(k > 0 ? gf_plan_step_bytes(&pass->step[k - 1])
                                            : gf_plan_store_unit_bytes(&pass->from));
        const double times = (double)at_least_1(need->times) / (double)at_least_1(need->per);

        units *= times;
        halo = halo * times + (double)(need->before + need->after);
        once += bytes * units;
        again += bytes * halo;
    }
    return gf_plan_min(most, once > 0 ? (int64_t)(2 * again / once) : most);
}

int64_t gf_plan_units_under(const struct gf_pass *pass)
{
    int64_t units = 1;

    for (int k = pass->steps - 1; k >= 0 && !pass->step[k].need.whole; k--)
        units = scaled(units, at_least_1(pass->step[k].need.times), at_least_1(pass->step[k].need.per), true);
    return units;
}
