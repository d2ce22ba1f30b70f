/* Draws up a plan: where an operation ends, how its result is stored, and which point programs it runs. */
#include "plan/plan_draft.h"

#include "chain/binding.h"
#include "kernels/base/program_run.h"

#include <stdlib.h>
#include <string.h>

int gf_draft_too_long(struct gf_error *err)
{
    return gf_fail(err, GF_MISUSED, "the chain is too long: it needs more than %d passes or %d operations in one",
                   GF_PASSES, GF_PASS_STEPS);
}

/*
 * Rows of images between operations start at multiples of 512 bytes, which textures need, but not
 * of 4096 bytes: a column would then map to few lines of a CPU's cache. Audio frames are
 * contiguous.
 */
static int64_t pitch_of(const struct gf_format *f)
{
    int64_t pitch = gf_round_up(f->width, GF_PITCH_SAMPLES);

    if (f->kind == GF_AUDIO)
        return 1;
    return pitch % (8 * GF_PITCH_SAMPLES) == 0 ? pitch + GF_PITCH_SAMPLES : pitch;
}

static struct gf_format as_planar(const struct gf_format *f)
{
    struct gf_format p = *f;

    p.type = GF_F32;
    p.bits = 32;
    p.maxval = 1;
    return p;
}

struct gf_pass_end gf_draft_pass_end(const struct gf_draft *d, enum gf_pass_end_kind end)
{
    return (struct gf_pass_end) { .end = end, .format = d->now, .planar = d->planar,
                                  .pitch_samples = d->planar ? pitch_of(&d->now) : d->now.width * d->now.channels };
}

int gf_draft_open_pass(struct gf_draft *d, enum gf_pass_end_kind from, struct gf_error *err)
{
    if (d->plan->passes == GF_PASSES)
        return gf_draft_too_long(err);
    d->pass = calloc(1, sizeof *d->pass);
    if (d->pass == NULL)
        return gf_fail_memory(err, NULL);
    d->plan->pass[d->plan->passes++] = d->pass;
    d->pass->from = gf_draft_pass_end(d, from);
    for (int p = d->plan->passes - 2; from == GF_END_RESIDENT && p >= 0; p--)
        if (d->plan->pass[p]->to.end == GF_END_RESIDENT) {
            d->pass->from_pass = p;
            break;
        }
    return 0;
}

int gf_draft_close_pass(struct gf_draft *d, enum gf_pass_end_kind to, struct gf_error *err)
{
    struct gf_pass **pass = &d->plan->pass[d->plan->passes - 1];
    const int result = gf_pass_close(pass, d->step, err);

    d->pass = *pass;
    d->pass->to = gf_draft_pass_end(d, to);
    return result;
}

struct gf_step_draft *gf_draft_new_step(struct gf_draft *d, const struct gf_operation *op, const char *stage,
                                        struct gf_error *err)
{
    struct gf_step_draft *s;

    if (d->pass->steps == GF_PASS_STEPS) {
        gf_draft_too_long(err);
        return NULL;
    }
    s = &d->step[d->pass->steps++];
    memset(s, 0, sizeof *s);
    s->op = op;
    s->stage = stage;
    s->step.in = d->now;
    s->step.out = d->now;
    gf_point_init(&s->load, d->now.channels);
    return s;
}

void gf_draft_end_step(struct gf_draft *d, struct gf_step_draft *s, const struct gf_format *out, bool planar)
{
    d->planar = planar;
    d->now = planar ? as_planar(out) : *out;
    s->step.out = d->now;
    s->step.planar = planar;
    s->step.pitch_samples = planar ? pitch_of(&d->now) : d->now.width * d->now.channels;
    gf_point_init(&s->store, d->now.channels);
}

void gf_draft_forget(struct gf_draft *d)
{
    gf_point_init(&d->pending, d->now.channels);
    d->pending_stage = NULL;
}

struct gf_format gf_draft_after_program(const struct gf_draft *d)
{
    struct gf_format f = d->now;

    if (d->pending.count > 0) {
        f.channels = d->after_program.channels;
        f.alpha = d->after_program.alpha;
    }
    return f;
}

int gf_draft_point(struct gf_draft *d, const struct gf_format *packed, struct gf_error *err)
{
    struct gf_step_draft *s = gf_draft_new_step(d, &gf_op_point,
                                                d->pending_stage ? d->pending_stage : packed ? "store" : "load", err);
    struct gf_format out = gf_draft_after_program(d);

    if (s == NULL)
        return -1;
    s->load = d->pending;
    gf_draft_end_step(d, s, packed ? packed : &out, packed == NULL);
    gf_draft_forget(d);
    return 0;
}

const struct gf_op_device *gf_draft_can(const struct gf_draft *d, const struct gf_operation *op)
{
    return d->fuses ? &op->cuda : &op->cpu;
}

bool gf_draft_takes_packed(const struct gf_draft *d, const struct gf_link *link)
{
    const enum gf_reads reads = gf_draft_can(d, link->op)->reads;

    return reads == GF_READS_PACKED || (reads == GF_READS_INTEGERS && (d->now.type == GF_U8 || d->now.type == GF_U16));
}

bool gf_draft_reads_plane(const struct gf_draft *d, const struct gf_link *link)
{
    return d->plane && !d->fuses && d->pass->steps == 0 && d->pass->from.end == GF_END_FILE
        && gf_draft_takes_packed(d, link);
}

bool gf_draft_ride(struct gf_draft *d)
{
    struct gf_step_draft *last = d->pass->steps > 0 ? &d->step[d->pass->steps - 1] : NULL;
    struct gf_format out = gf_draft_after_program(d);

    if (d->pending.count == 0)
        return true;
    if (!d->fuses || last == NULL || !gf_draft_can(d, last->op)->stores_program || !last->step.planar)
        return false;
    if (gf_point_join(last->op->only_programs ? &last->load : &last->store, &d->pending) != 0)
        return false;
    d->now = as_planar(&out);
    last->step.out = d->now;
    if (last->op->only_programs)
        gf_point_init(&last->store, d->now.channels);
    last->step.pitch_samples = pitch_of(&d->now);
    gf_draft_forget(d);
    return true;
}

int gf_draft_settle(struct gf_draft *d, bool takes_packed, struct gf_error *err)
{
    if (gf_draft_ride(d) && (d->planar || takes_packed))
        return 0;
    return gf_draft_point(d, NULL, err);
}

int gf_draft_keep_whole(struct gf_draft *d, struct gf_error *err)
{
    if (d->pass->steps == 0 && d->pass->from.end == GF_END_RESIDENT && !d->pass->measure.used)
        return 0;
    return gf_draft_close_pass(d, GF_END_RESIDENT, err) != 0 ? -1 : gf_draft_open_pass(d, GF_END_RESIDENT, err);
}
