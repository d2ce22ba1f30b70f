/* Makes a plan: draws up the passes, estimates how long each device would take, and chooses one. */
#include "plan/plan.h"

#include "chain/binding.h"
#include "plan/plan_estimate.h"
#include "plan/plan_memory.h"
#include "plan/plan_passes.h"

#include <stdlib.h>

/* Returns the limits, less the memory that the chain itself needs under any plan. */
static struct gf_limits limits_of(const struct gf_binding *binding, const struct gf_limits *given,
                                  const struct gf_device_facts *cpu)
{
    struct gf_limits own = *given;

    own.pool_bytes = (int64_t)sizeof(float) * (binding->masks.count + binding->tables.count);
    for (int k = 0; k < 2; k++)
        if (binding->plane[k] != NULL)
            own.pool_bytes += (int64_t)sizeof(float) * (binding->plane[k]->masks.count
                                                        + binding->plane[k]->tables.count);
    own.list_bytes = binding->chain != NULL ? binding->chain->list_bytes : 0;
    own.host_threads = given->threads > 0 ? given->threads : cpu->cores;
    own.side_bytes = 0;
    for (int i = 0; i < binding->sides; i++)
        own.side_bytes += binding->side[i].spool == NULL
                          ? binding->side[i].format.units * (int64_t)gf_unit_bytes(&binding->side[i].format) : 0;
    return own;
}

void gf_plan_release(struct gf_plan *plan)
{
    while (plan->passes > 0)
        free(plan->pass[--plan->passes]);
}

/* Plans for one kind of device and fits the memory; *seconds gets the estimate. */
static int plan_on(struct gf_plan *plan, const struct gf_binding *binding, const struct gf_format *out,
                   const struct gf_limits *limits, bool cuda, const struct gf_device_facts *facts, double *seconds,
                   struct gf_error *err)
{
    plan->cuda = cuda;
    if (gf_plan_make_passes(plan, binding, out, limits, cuda, err) != 0
        || gf_plan_fit_memory(plan, limits, facts, err) != 0)
        return -1;
    *seconds = gf_plan_estimate(plan, limits, facts);
    return 0;
}

/* Plans for both devices, and again for the chosen one. */
static int choose_device(struct gf_plan *plan, const struct gf_binding *binding, const struct gf_format *out,
                         const struct gf_limits *limits, const struct gf_device_facts *cpu,
                         const struct gf_device_facts *cuda, struct gf_error *err)
{
    struct gf_error refused;
    const bool fits = plan_on(plan, binding, out, limits, true, cuda, &plan->cuda_seconds, &refused) == 0;
    const bool cpu_fits = plan_on(plan, binding, out, limits, false, cpu, &plan->cpu_seconds, err) == 0;

    plan->why = fits ? "the CPU should finish first" : "the GPU has too little memory";
    if (!fits && !cpu_fits)
        return -1;
    if (!fits || (cpu_fits && plan->cpu_seconds <= plan->cuda_seconds))
        return 0;
    plan->why = cpu_fits ? "the GPU should finish first" : "the CPU has too little memory";
    return plan_on(plan, binding, out, limits, true, cuda, &plan->cuda_seconds, err);
}

int gf_plan_make(struct gf_plan *plan, const struct gf_binding *binding, const struct gf_format *out,
                 const struct gf_limits *given, enum gf_device_choice where,
                 const struct gf_device_facts *cpu, const struct gf_device_facts *cuda, struct gf_error *err)
{
    const struct gf_limits limits = limits_of(binding, given, cpu);

    plan->latency_ms = limits.latency_ms;
    plan->cpu_seconds = plan->cuda_seconds = 0;
    plan->cpu_measured = cpu->measured;
    plan->cuda_measured = cuda->measured;
    plan->why = given->untrusted ? "set by --untrusted" : where != GF_AUTO ? "set by --device" : "no GPU found";
    if (where == GF_CUDA)
        return plan_on(plan, binding, out, &limits, true, cuda, &plan->cuda_seconds, err);
    if (where == GF_CPU || !cuda->present)
        return plan_on(plan, binding, out, &limits, false, cpu, &plan->cpu_seconds, err);
    return choose_device(plan, binding, out, &limits, cpu, cuda, err);
}
