/* Makes a plan: draws up the passes, estimates how long each device would take, and chooses one. */
#include "plan/plan.h"

#include "chain/binding.h"
#include "plan/plan_estimate.h"
#include "plan/plan_memory.h"
#include "plan/plan_passes.h"

#include <stdlib.h>

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

void gf_plan_release(struct gf_plan *plan)
{
    while (plan->passes > 0)
        free(plan->pass[--plan->passes]);
}

/* Plans for one kind of device and fits the memory; sets the estimate for it. */
static int plan_on(struct gf_plan *plan, const struct gf_plan_request *r, bool cuda, struct gf_error *err)
{
    const struct gf_device_facts *facts = cuda ? r->cuda : r->cpu;
    const struct gf_plan_terms terms = terms_of(r);

    plan->cuda = cuda;
    if (gf_plan_make_passes(plan, r, cuda, err) != 0 || gf_plan_fit_memory(plan, &terms, facts, err) != 0)
        return -1;
    *(cuda ? &plan->cuda_seconds : &plan->cpu_seconds) = gf_plan_estimate(plan, &terms, facts);
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
