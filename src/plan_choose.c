/* The plan, last part: how long each device would take, and which one it is. */
#include "plan.h"

#include "chain.h"
#include "plan_parts.h"
#include "rank.h"
#include "resample.h"
#include "resize.h"

#define GUESSED_UNITS (INT64_C(64) << 20)    /* what to expect of a pipe that does not say */

#define CONV_RATE 6.0                       /* weights in the time of a light operation, where nobody measured */

/* A median of a large square takes long; of samples that are not bytes, longer with its side. */
static double rank_weight(const struct gf_step *s)
{
    const struct gf_rank *rank = s->params;

    if (rank->pick != GF_RANK_MIDDLE)
        return 2.0;
    if (rank->radius <= 4)
        return 1.0 + rank->radius;
    return s->out.type == GF_U8 ? 16.0 : 16.0 + 4.0 * rank->radius;
}

/* How many times the bytes of its result an operation costs, in bytes of a light one. */
static double weight(const struct gf_step *s)
{
    switch (s->op) {
    case GF_OP_RANK: return rank_weight(s);
    case GF_OP_SAMPLE:
    case GF_OP_BOX: return 4.0;
    default: return 1.0;
    }
}

/* Weights that a convolution, or a change of size, adds up for each sample; they come on top of a light operation. */
static double taps(const struct gf_step *s)
{
    const struct gf_conv *conv = s->params;
    const struct gf_resize *resize = s->params;

    if (s->op == GF_OP_RESIZE)                   /* the rows are as wide as they were when they are summed */
        return resize->x.taps + resize->y.taps * (double)s->in.width / (double)s->out.width;
    if (s->op == GF_OP_RESAMPLE)
        return ((const struct gf_resample *)s->params)->taps;
    return s->op != GF_OP_CONV ? 0 : conv->full ? conv->nx * conv->ny : conv->nx + conv->ny;
}

static double units_of(const struct gf_format *f)
{
    return (double)(f->units == GF_UNKNOWN ? GUESSED_UNITS : f->units);
}

/* Seconds a device would take, or so. */
static double seconds(const struct gf_plan *plan, const struct gf_device_facts *facts)
{
    const double conv_rate = facts->conv_bytes_per_second > 0 ? facts->conv_bytes_per_second : CONV_RATE * facts->work_bytes_per_second;
    double copied = 0, worked = 0, convolved = 0;

    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = &plan->pass[p];
        const struct gf_store *ends[] = { &pass->from, &pass->to };

        for (int e = 0; e < 2; e++)
            if (ends[e]->end == GF_END_FILE)
                copied += (double)gf_unit_bytes(&ends[e]->format) * units_of(&ends[e]->format);
        for (int k = 0; k < pass->steps; k++) {
            const struct gf_step *s = &pass->step[k];
            const double bytes = units_of(&s->out) * (double)s->out.width * s->out.channels * 4.0;

            worked += weight(s) * bytes;
            convolved += taps(s) * bytes;
        }
    }
    return facts->start_seconds + (facts->copy_bytes_per_second > 0 ? copied / facts->copy_bytes_per_second : 0)
         + (copied + worked) / facts->work_bytes_per_second + convolved / conv_rate;
}

int gf_plan_make(struct gf_plan *plan, const struct gf_chain *chain, const struct gf_format *out,
                 const struct gf_limits *given, enum gf_where where,
                 const struct gf_device_facts *cpu, const struct gf_device_facts *cuda, struct gf_error *err)
{
    struct gf_limits own = *given;
    const struct gf_limits *limits = &own;

    own.pool_bytes = (int64_t)sizeof(float) * (chain->masks.count + chain->tables.count);
    own.list_bytes = chain->list_bytes;
    plan->latency_ms = limits->latency_ms;
    plan->cuda = false;
    plan->cuda_seconds = 0;
    plan->cpu_measured = cpu->measured;
    plan->cuda_measured = cuda->measured;
    if (where != GF_CPU && cuda->present) {
        if (gf_plan_passes(plan, chain, out, true, err) != 0)
            return -1;
        plan->cuda_seconds = seconds(plan, cuda);
        plan->cuda = true;
    }
    if (where == GF_CUDA) {
        plan->why = "as --device says";
        return gf_plan_sizes(plan, limits, cuda, err);
    }
    if (gf_plan_passes(plan, chain, out, false, err) != 0)
        return -1;
    plan->cpu_seconds = seconds(plan, cpu);
    if (where == GF_CPU || !cuda->present) {
        plan->cuda = false;
        plan->why = where == GF_CPU ? "as --device says" : "no GPU answers";
        return gf_plan_sizes(plan, limits, cpu, err);
    }
    plan->cuda = plan->cuda_seconds < plan->cpu_seconds;
    plan->why = plan->cuda ? "the GPU should finish first" : "the CPU should finish first";
    if (plan->cuda) {
        if (gf_plan_passes(plan, chain, out, true, err) != 0)
            return -1;
        if (gf_plan_sizes(plan, limits, cuda, err) == 0)
            return 0;
        plan->cuda = false;                          /* it does not fit there */
        plan->why = "the GPU has too little memory";
        if (gf_plan_passes(plan, chain, out, false, err) != 0)
            return -1;
    }
    return gf_plan_sizes(plan, limits, cpu, err);
}
