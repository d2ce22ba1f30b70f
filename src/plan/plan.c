/* Makes a plan: draws up the passes, estimates how long each device would take, and chooses one. */
#include "plan/plan.h"

#include "chain/chain.h"
#include "kernels/operations.h"
#include "plan/plan_memory.h"
#include "plan/plan_passes.h"

#include <stdlib.h>

#define GUESSED_UNITS (INT64_C(64) << 20)    /* assumed length of a pipe that does not give its length */

#define CONV_RATE 6.0                       /* weights that take as long as one light operation, unless measured */

static double units_of(const struct gf_format *f)
{
    return (double)(f->units == GF_UNKNOWN ? GUESSED_UNITS : f->units);
}

/* Bytes of a signal as floats. */
static double float_bytes(const struct gf_format *f)
{
    return units_of(f) * (double)f->width * f->channels * 4.0;
}

/* Adds the work of a step on `bytes` of floats: bytes of light operations, and bytes times weights. */
static void add_cost(const struct gf_step *s, double bytes, struct gf_cost *sum)
{
    const struct gf_cost cost = gf_op_cost(gf_step_op(s), gf_step_params(s), &s->in, &s->out);

    sum->light += cost.light * bytes;
    sum->weights += cost.weights * bytes;
}

/* Bytes of a step's second source. */
static double side_bytes(const struct gf_step *s)
{
    return s->side.used ? (double)gf_unit_bytes(&s->side.format) * (double)s->side.format.units : 0;
}

/* Estimates the seconds that a device would take. */
static double estimate_seconds(const struct gf_plan *plan, const struct gf_device_facts *facts)
{
    const double conv_rate = facts->conv_bytes_per_second > 0 ? facts->conv_bytes_per_second
                             : CONV_RATE * facts->work_bytes_per_second;
    struct gf_cost worked = { 0, 0 };
    double copied = 0;

    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];
        const struct gf_pass_end *ends[] = { &pass->from, &pass->to };

        for (int e = 0; e < 2; e++)
            if (ends[e]->end == GF_END_FILE)
                copied += (double)gf_unit_bytes(&ends[e]->format) * units_of(&ends[e]->format);
        for (int k = 0; k < pass->steps + pass->measure.used; k++) {
            add_cost(&pass->step[k], float_bytes(&pass->step[k].out), &worked);
            copied += side_bytes(&pass->step[k]);
        }
    }
    return facts->start_seconds + (facts->copy_bytes_per_second > 0 ? copied / facts->copy_bytes_per_second : 0)
         + (copied + worked.light) / facts->work_bytes_per_second + worked.weights / conv_rate;
}

/* Returns the limits, less the memory that the chain itself needs under any plan. */
static struct gf_limits limits_of(const struct gf_chain *chain, const struct gf_limits *given)
{
    struct gf_limits own = *given;

    own.pool_bytes = (int64_t)sizeof(float) * (chain->masks.count + chain->tables.count);
    own.list_bytes = chain->list_bytes;
    own.side_bytes = 0;
    for (int i = 0; i < chain->sides; i++)
        own.side_bytes += chain->side[i].spool == NULL
                          ? chain->side[i].format.units * (int64_t)gf_unit_bytes(&chain->side[i].format) : 0;
    return own;
}

void gf_plan_release(struct gf_plan *plan)
{
    while (plan->passes > 0)
        free(plan->pass[--plan->passes]);
}

int gf_plan_make(struct gf_plan *plan, const struct gf_chain *chain, const struct gf_format *out,
                 const struct gf_limits *given, enum gf_device_choice where,
                 const struct gf_device_facts *cpu, const struct gf_device_facts *cuda, struct gf_error *err)
{
    const struct gf_limits limits = limits_of(chain, given);

    plan->latency_ms = limits.latency_ms;
    plan->cuda_seconds = 0;
    plan->cpu_measured = cpu->measured;
    plan->cuda_measured = cuda->measured;
    plan->cuda = where == GF_CUDA;
    plan->why = where != GF_AUTO ? "set by --device" : "no GPU found";
    if (where != GF_CPU && cuda->present) {
        if (gf_plan_make_passes(plan, chain, out, &limits, true, err) != 0)
            return -1;
        plan->cuda_seconds = estimate_seconds(plan, cuda);
    }
    if (where == GF_CUDA)
        return gf_plan_fit_memory(plan, &limits, cuda, err);
    if (gf_plan_make_passes(plan, chain, out, &limits, false, err) != 0)
        return -1;
    plan->cpu_seconds = estimate_seconds(plan, cpu);
    if (where == GF_AUTO && cuda->present) {
        plan->cuda = plan->cuda_seconds < plan->cpu_seconds;
        plan->why = plan->cuda ? "the GPU should finish first" : "the CPU should finish first";
    }
    if (plan->cuda) {
        if (gf_plan_make_passes(plan, chain, out, &limits, true, err) != 0)
            return -1;
        if (gf_plan_fit_memory(plan, &limits, cuda, err) == 0)
            return 0;
        plan->cuda = false;                          /* it does not fit in the GPU's memory */
        plan->why = "the GPU has too little memory";
        if (gf_plan_make_passes(plan, chain, out, &limits, false, err) != 0)
            return -1;
    }
    return gf_plan_fit_memory(plan, &limits, cpu, err);
}
