/* Converts a signal to samples of another format in memory, by a plan without stages on the CPU. */
#include "run/unpack.h"

#include "base/memory_share.h"
#include "io/memory.h"
#include "run/execute.h"

#include <stdlib.h>

/* Everything that a run for one signal needs. */
struct unpacking {
    struct gf_run_context context;       /* as it is at once */
    struct gf_limits limits;
    struct gf_binding binding;
    struct gf_plan plan;
    struct gf_engine engine;
};

static int make_plan(struct unpacking *u, const struct gf_reader *r, const struct gf_format *to, struct gf_error *err)
{
    const struct gf_outputs outputs = { .stored = { *to } };
    const struct gf_bind_options options = { 0 };
    const struct gf_plan_request request = { .binding = &u->binding, .outputs = &outputs, .limits = &u->limits,
                                             .source = { .again = r->random }, .where = GF_CPU,
                                             .workers = u->context.inputs, .cpu = &u->context.cpu,
                                             .cuda = &u->context.cuda };

    return gf_bind(&u->binding, NULL, &r->format, &options, r->name, err) != 0 ? -1
        : gf_plan_make(&u->plan, &request, err);
}

static int run_plan(struct unpacking *u, struct gf_reader *r, const struct gf_format *to, void *samples,
                    struct gf_error *err)
{
    struct gf_run run = { .plan = &u->plan, .binding = &u->binding };
    struct gf_run_results none;
    struct gf_writer w, *writers[] = { &w };
    int result = -1;

    gf_memory_writer(&w, to, samples, r->name);
    r->watched = 0;
    if (gf_engine_open(&u->engine, &gf_device_cpu, &u->context.gpus, err) == 0)
        result = gf_execute(&u->engine, &run, r, writers, &none, err);
    gf_engine_forget_plan(&u->engine, &u->plan);
    gf_engine_close(&u->engine);
    return result;
}

int gf_unpack(struct gf_reader *r, const struct gf_format *to, void *samples, const struct gf_run_context *context,
              const struct gf_limits *limits, struct gf_error *err)
{
    struct unpacking *u = calloc(1, sizeof *u);
    int result;

    if (u == NULL)
        return gf_fail_memory(err, NULL);
    gf_run_context_copy(context, &u->context);
    u->limits = *limits;
    u->limits.memory_bytes = gf_memory_share(GF_MEMORY_UNPACKING, limits->memory_bytes);
    result = make_plan(u, r, to, err) == 0 ? run_plan(u, r, to, samples, err) : -1;
    gf_plan_release(&u->plan);
    gf_binding_release(&u->binding);
    free(u);
    return result;
}
