/* Makes a plan: draws up the passes, estimates how long each device would take, and chooses one. */
#include "plan/plan.h"

#include "chain/binding.h"
#include "kernels/geometry/yuv.h"
#include "plan/plan_draft.h"
#include "plan/plan_estimate.h"
#include "plan/plan_memory.h"

#include <stdlib.h>

/* ---- the links of a chain as passes of steps ---- */

static int add_point(struct gf_draft *d, const struct gf_link *link, struct gf_error *err)
{
    if (gf_point_add(&d->pending, &link->point) != 0) {
        if (!gf_draft_ride(d) && gf_draft_point(d, NULL, err) != 0)
            return -1;
        if (gf_point_add(&d->pending, &link->point) != 0)
            return gf_draft_too_long(err);
    }
    d->after_program = link->out;
    if (d->pending_stage == NULL)
        d->pending_stage = link->stage;
    return 0;
}

/*
 * Adds the first half of an operation, for devices that run it as two steps. Its result has `times`
 * as many channels.
 */
static int add_first_half(struct gf_draft *d, const struct gf_link *link,
                          const union gf_op_changed *params, int times,
                          struct gf_error *err)
{
    struct gf_step_draft *s = gf_draft_new_step(d, link->op, link->stage, err);
    struct gf_format out = link->out;

    if (s == NULL)
        return -1;
    s->own = *params;
    s->params = &s->own;
    s->load = d->pending;
    out.channels *= times;
    gf_draft_end_step(d, s, &out, true);
    gf_draft_forget(d);
    return 0;
}

/* Returns the link's second source, if it has one. */
static struct gf_step_side side_of(const struct gf_draft *d, const struct gf_link *link)
{
    if (link->side == NULL)
        return (struct gf_step_side) { 0 };
    return (struct gf_step_side) { true, (int)(link->side - d->binding->options.side), link->side_shift,
                                   link->side->format };
}

/* Returns the window of a link, in the format in which its images are kept. */
static struct gf_step_frames frames_of(const struct gf_draft *d, const struct gf_link *link)
{
    return !link->windowed ? (struct gf_step_frames) { 0 }
        : (struct gf_step_frames) { true, link->frames.before, link->frames.after, link->frames.luma,
                                    gf_unpacked_format(&d->binding->in) };
}

/* Lets the last operation store packed samples itself, if the device's body can. */
static bool pack_in_last(struct gf_draft *d, const struct gf_format *out)
{
    struct gf_step_draft *last = d->pass->steps > 0 ? &d->step[d->pass->steps - 1] : NULL;

    if (last == NULL || !last->step.planar || !(last->at_once || gf_draft_can(d, last->op)->stores_packed))
        return false;
    if (d->pending.count > 0 && !gf_draft_can(d, last->op)->stores_program)
        return false;
    if (gf_point_join(&last->store, &d->pending) != 0)
        return false;
    last->step.out = *out;
    last->step.planar = false;
    last->step.pitch_samples = out->width * out->channels;
    return true;
}

/* Stores the signal as packed samples at the end of the open pass. */
static int pack(struct gf_draft *d, const struct gf_format *out, struct gf_error *err)
{
    if (!pack_in_last(d, out) && gf_draft_point(d, out, err) != 0)
        return -1;
    d->planar = false;
    d->now = *out;
    return 0;
}

static bool same_samples(const struct gf_format *a, const struct gf_format *b)
{
    if (a->type != b->type)
        return false;
    return gf_type_is_float(a->type) || (a->kind == GF_AUDIO ? a->bits == b->bits : a->maxval == b->maxval);
}

/* Returns true if the last operation computes the samples of the output from samples of the same format. */
static bool works_at_once(const struct gf_draft *d, const struct gf_link *link)
{
    return !d->fuses && link->op->at_once != NULL && link == &d->binding->link[d->binding->links - 1] && d->out != NULL
        && !d->planar && d->pending.count == 0 && same_samples(&d->now, d->out)
        && !d->out->yuv.used && d->now.channels == d->out->channels
        && link->out.alpha == d->out->alpha && link->op->at_once(link->params, &d->now);
}

static int add_op(struct gf_draft *d, const struct gf_link *link, struct gf_error *err)
{
    union gf_op_changed first, second;
    const bool at_once = works_at_once(d, link);
    const bool splits = link->op->halves != NULL && !at_once;
    const int halves = splits ? link->op->halves(link->params, d->fuses, &first, &second) : 0;
    const bool loads = gf_draft_can(d, link->op)->loads && (!link->need.whole || halves > 0);
    struct gf_format in;
    struct gf_step_draft *s;

    if (!(loads && d->pass->steps == 0) && gf_draft_settle(d, at_once || gf_draft_takes_packed(d, link), err) != 0)
        return -1;
    if (link->need.whole && halves == 0 && !gf_draft_reads_plane(d, link) && gf_draft_keep_whole(d, err) != 0)
        return -1;
    if (halves > 0 && add_first_half(d, link, &first, halves, err) != 0)
        return -1;
    if (halves > 0 && link->need.whole && gf_draft_keep_whole(d, err) != 0)
        return -1;
    s = gf_draft_new_step(d, link->op, link->stage, err);
    if (s == NULL)
        return -1;
    s->at_once = at_once;
    s->load = d->pending;
    in = gf_draft_after_program(d);
    s->params = link->params;
    s->step.need = link->need;
    s->step.side = side_of(d, link);
    s->step.frames = frames_of(d, link);
    if (halves > 0) {
        s->own = second;
        s->params = &s->own;
    }
    if (link->fit != NULL) {
        if (link->fit(link->params, &s->own, &d->binding->in, d->out != NULL ? d->out : &d->binding->out, err) != 0)
            return -1;
        s->params = &s->own;
    }
    gf_draft_forget(d);
    in.kind = link->out.kind;
    in.rate = link->out.rate;
    in.width = link->out.width;
    in.units = link->out.units;
    in.channels = link->out.channels;
    gf_draft_end_step(d, s, &in, link->op->keeps_layout ? d->planar : true);
    gf_draft_forget(d);
    return 0;
}

static size_t counts_bytes(const struct gf_link *link)
{
    const struct gf_counts c = link->op->counts != NULL ? link->op->counts(link->params) : (struct gf_counts) { 0 };

    return (size_t)c.bins * (size_t)c.lines * sizeof(uint64_t);
}

static int add_measure(struct gf_draft *d, const struct gf_link *link, int index, struct gf_error *err)
{
    struct gf_pass_measure *m;
    struct gf_step_draft *s;

    if (link->settle != NULL) {
        if (d->pending.count > 0 && gf_draft_settle(d, false, err) != 0)
            return -1;
        if (d->pass->measure.used && gf_draft_keep_whole(d, err) != 0)
            return -1;
    } else if (d->pass->steps > 0 && d->pending.count > 0 && gf_draft_settle(d, false, err) != 0) {
        return -1;
    }
    m = &d->pass->measure;
    m->used = true;
    m->link = index;
    m->result_bytes = counts_bytes(link);           /* for records, set when the segments are known */
    s = &d->step[d->pass->steps];
    *s = (struct gf_step_draft) { .step = { .in = d->now, .out = d->now, .side = side_of(d, link) },
                                  .op = link->op, .stage = link->stage, .params = link->params, .load = d->pending };
    gf_draft_forget(d);
    if (gf_point_join(&s->load, &link->view) != 0)
        return gf_draft_too_long(err);
    if (link->report != NULL)
        return gf_draft_close_pass(d, GF_END_NOWHERE, err);
    if (d->pass->steps == 0 && d->pass->from.end == GF_END_RESIDENT)      /* it is already in memory */
        return gf_draft_close_pass(d, GF_END_NOWHERE, err) != 0 ? -1 : gf_draft_open_pass(d, GF_END_RESIDENT, err);
    return gf_draft_keep_whole(d, err);
}

/* Adapts the last operation if its result is stored in 8 bits. */
static void adapt_to_bytes(struct gf_draft *d, const struct gf_format *out)
{
    struct gf_step_draft *last = d->pass->steps > 0 ? &d->step[d->pass->steps - 1] : NULL;
    const struct gf_pass_end *from = &d->pass->from;
    struct gf_op_source source;
    union gf_op_changed changed;             /* a separate variable, because the parameters may already be in `own` */

    if (last == NULL || last->op->to_bytes == NULL || d->pending.count > 0 || last->store.count > 0
        || out->type != GF_U8)
        return;
    source = (struct gf_op_source) {
        .type = from->format.type, .channels = from->format.channels, .planar = from->planar,
        .pitch_bytes = from->pitch_samples * (int64_t)gf_type_bytes(from->format.type),
    };
    last->op->to_bytes(last->params, &source, &changed);
    last->own = changed;
    last->params = &last->own;
}

/* Puts the image over black, for files that have no alpha. */
static int flatten(struct gf_draft *d, const struct gf_format *out, struct gf_error *err)
{
    const struct gf_format now = gf_draft_after_program(d);
    const int colours = gf_colours(&now);
    struct gf_link link = { .stage = "store", .out = now,
                                  .point = { .kind = GF_POINT_PREMULTIPLY, .channels = colours } };

    if (!now.alpha || out->alpha)
        return 0;
    if (add_point(d, &link, err) != 0)
        return -1;
    link.point = (struct gf_point_step) { .kind = GF_POINT_MATRIX, .channels = colours + 1, .outs = colours };
    for (int c = 0; c < colours; c++)
        link.point.m[c][c] = 1;
    link.out.channels = colours;
    link.out.alpha = false;
    return add_point(d, &link, err);
}

/* Copies gray to three channels, for files that have no gray. */
static int widen(struct gf_draft *d, const struct gf_format *out, struct gf_error *err)
{
    const struct gf_format now = gf_draft_after_program(d);
    const struct gf_link link = { .stage = "store", .out = *out,
                                        .point = { .kind = GF_POINT_MATRIX, .channels = 1, .outs = 3,
                                  .m = { { 1, 0 }, { 1, 0 }, { 1, 0 } } } };

    return gf_colours(&now) == 1 && gf_colours(out) == 3 ? add_point(d, &link, err) : 0;
}

/*
 * Splits a frame into planes, for which it needs the whole frame, or joins planes to frames in
 * bands of rows.
 */
static int yuv_step(struct gf_draft *d, const struct gf_format *f, bool to, struct gf_error *err)
{
    struct gf_format outside = to ? gf_yuv_bands(f) : *f;
    struct gf_step_draft *s;

    if (to && gf_draft_settle(d, false, err) != 0)
        return -1;
    s = gf_draft_new_step(d, &gf_op_yuv, to ? "store" : "load", err);
    if (s == NULL)
        return -1;
    gf_yuv_make((void *)&s->own, f, to);
    s->params = &s->own;
    s->step.need = (struct gf_need) { .whole = !to, .times = INT64_C(1) << f->yuv.sub_y };
    outside.yuv = (struct gf_yuv) { 0 };
    gf_draft_end_step(d, s, &outside, !to);
    gf_draft_forget(d);
    return 0;
}

/* Returns true if frames go out exactly as they came in. */
static bool is_same_yuv(const struct gf_binding *binding, const struct gf_format *out)
{
    return binding->links == 0 && out != NULL && binding->in.yuv.used && binding->in.width == out->width
        && binding->in.units == out->units
        && gf_same_yuv(&binding->in.yuv, &out->yuv);
}

/* Ends the last pass in samples as the writer takes them. */
static int finish(struct gf_draft *d, const struct gf_format *out, struct gf_error *err)
{
    bool as_is;

    if (!out->yuv.used)
        adapt_to_bytes(d, out);
    if (flatten(d, out, err) != 0 || widen(d, out, err) != 0)
        return -1;
    if (out->yuv.used) {
        if (yuv_step(d, out, true, err) != 0)
            return -1;
        if (gf_draft_close_pass(d, GF_END_FILE, err) != 0)
            return -1;
        d->pass->to.file_units = gf_stored_format(out).units;
        return 0;
    }
    as_is = !d->planar && d->pending.count == 0 && same_samples(&d->now, out);
    if (!as_is && pack(d, out, err) != 0)
        return -1;
    d->planar = false;
    d->now = *out;
    return gf_draft_close_pass(d, GF_END_FILE, err);
}

/* Keeps the signal at a tee: one pass writes it to the tee's file, and the next starts from it again. */
static int add_tee(struct gf_draft *d, const struct gf_link *link, struct gf_error *err)
{
    struct gf_format now;
    bool planar;

    if ((d->pending.count > 0 && gf_draft_settle(d, false, err) != 0) || gf_draft_keep_whole(d, err) != 0)
        return -1;
    now = d->now;
    planar = d->planar;
    d->pass->exit = link->exit;
    if (finish(d, &d->outputs->stored[link->exit], err) != 0)
        return -1;
    d->now = now;
    d->planar = planar;
    gf_draft_forget(d);
    return gf_draft_open_pass(d, GF_END_RESIDENT, err);
}

static int add_links(struct gf_draft *d, const struct gf_format *out, struct gf_error *err)
{
    const struct gf_binding *binding = d->binding;

    if (gf_draft_open_pass(d, GF_END_FILE, err) != 0)
        return -1;
    if (is_same_yuv(binding, out))
        return gf_draft_close_pass(d, GF_END_FILE, err);
    if (binding->in.yuv.used && yuv_step(d, &binding->in, false, err) != 0)
        return -1;
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];
        const int result = link->kind == GF_LINK_POINT ? add_point(d, link, err)
                   : link->kind == GF_LINK_OP ? add_op(d, link, err)
                   : link->kind == GF_LINK_TEE ? add_tee(d, link, err) : add_measure(d, link, i, err);

        if (result != 0)
            return -1;
    }
    return out != NULL ? finish(d, out, err) : 0;
}

/* Adds the passes of a whole signal, or of a plane from 1 to 3. */
static int add_signal(struct gf_plan *plan, const struct gf_plan_request *request, const struct gf_binding *binding,
                      const struct gf_format *out, bool fuses, int plane, struct gf_error *err)
{
    struct gf_draft d = { .binding = binding, .outputs = request->outputs, .out = out, .plan = plan,
                          .now = gf_stored_format(&binding->in), .fuses = fuses,
                          .plane = plane > 0, .step = calloc(GF_PASS_STEPS + 1, sizeof *d.step) };
    const int first = plan->passes;
    int result;

    gf_point_init(&d.pending, d.now.channels);
    result = d.step == NULL ? gf_fail_memory(err, NULL) : add_links(&d, out, err);
    free(d.step);
    for (int p = first; p < plan->passes; p++)
        plan->pass[p]->plane = plane;
    return result;
}

void gf_plan_release(struct gf_plan *plan)
{
    while (plan->passes > 0)
        free(plan->pass[--plan->passes]);
}

/* Draws up passes and steps for a device that fuses point programs, or for one that does not. */
static int make_passes(struct gf_plan *plan, const struct gf_plan_request *request, bool fuses, struct gf_error *err)
{
    const struct gf_binding *binding = request->binding;
    const struct gf_outputs *outputs = request->outputs;
    int result = 0;

    gf_plan_release(plan);
    plan->in = binding->in;
    plan->out = outputs->stored[0];
    if (outputs->plane[0] == NULL)
        return add_signal(plan, request, binding, outputs->table ? NULL : &outputs->stored[0], fuses, 0, err);
    for (int k = 0; result == 0 && k < gf_planes_count(&outputs->stored[0]); k++) {
        const struct gf_format plane = gf_planes_format(&outputs->stored[0], k > 0);

        result = add_signal(plan, request, outputs->plane[k > 0], &plane, fuses, k + 1, err);
    }
    return result;
}

/* ---- memory, estimate and device ---- */

static int64_t pool_bytes(const struct gf_binding *binding)
{
    return binding != NULL ? (int64_t)sizeof(float) * (binding->masks.count + binding->tables.count) : 0;
}

/* Returns the terms of a request: with the memory that the chain itself needs under any plan. */
static struct gf_plan_terms terms_of(const struct gf_plan_request *r)
{
    const struct gf_limits *l = r->limits;
    struct gf_plan_terms t = {
        .limits = l, .source = r->source, .workers = r->workers, .devices = r->devices,
        .host_threads = l->threads > 0 ? l->threads : r->cpu->cores,
        .pool_bytes = pool_bytes(r->binding) + pool_bytes(r->outputs->plane[0]) + pool_bytes(r->outputs->plane[1]),
        .list_bytes = r->binding->chain != NULL ? r->binding->chain->list_bytes : 0,
    };

    for (int i = 0; i < r->binding->options.sides; i++) {
        const struct gf_side *side = &r->binding->options.side[i];

        t.side_bytes += side->on_disk ? 0 : side->format.units * (int64_t)gf_unit_bytes(&side->format);
    }
    return t;
}

/* Plans for one kind of device and fits the memory; sets the estimate for it. */
static int plan_on(struct gf_plan *plan, const struct gf_plan_request *r, bool cuda, struct gf_error *err)
{
    const struct gf_device_facts *facts = cuda ? r->cuda : r->cpu;
    const struct gf_plan_terms terms = terms_of(r);

    plan->cuda = cuda;
    if (make_passes(plan, r, cuda, err) != 0 || gf_plan_fit_memory(plan, &terms, facts, err) != 0)
        return -1;
    *(cuda ? &plan->cuda_seconds : &plan->cpu_seconds) = gf_plan_estimate(plan, &terms, facts);
    if (cuda)
        plan->start_seconds = facts->start_seconds;
    return 0;
}

/* Plans for both devices, and again for the chosen one. */
static int choose_device(struct gf_plan *plan, const struct gf_plan_request *r, struct gf_error *err)
{
    struct gf_error refused;
    const bool fits = plan_on(plan, r, true, &refused) == 0, cpu_fits = plan_on(plan, r, false, err) == 0;

    plan->why = fits ? "the CPU should finish first" : "the GPU has too little memory";
    if (!fits && !cpu_fits)
        return -1;
    if (!fits || (cpu_fits && plan->cpu_seconds <= plan->cuda_seconds))
        return 0;
    plan->why = cpu_fits ? "the GPU should finish first" : "the CPU has too little memory";
    return plan_on(plan, r, true, err);
}

int gf_plan_make(struct gf_plan *plan, const struct gf_plan_request *r, struct gf_error *err)
{
    plan->latency_ms = r->limits->latency_ms;
    plan->cpu_seconds = plan->cuda_seconds = 0;
    plan->cpu_measured = r->cpu->measured;
    plan->cuda_measured = r->cuda->measured;
    plan->why = r->limits->untrusted ? "set by --untrusted" : r->where != GF_AUTO ? "set by --device" : "no GPU found";
    if (r->where == GF_AUTO && r->cuda->present)
        return choose_device(plan, r, err);
    return plan_on(plan, r, r->where == GF_CUDA, err);
}
