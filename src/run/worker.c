/* Creates and frees workers. */
#include "run/worker.h"

#include <stdlib.h>

struct gf_worker *gf_worker_new(struct gf_run_context *context, const struct gf_limits *limits, int number,
                                struct gf_error *err)
{
    struct gf_worker *w = calloc(1, sizeof *w);
    struct gf_run_context now;

    if (w == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    w->context = context;
    w->limits = *limits;
    w->sides_in_use = &w->sides;
    w->sides = (struct gf_sides) { .context = context, .limits = &w->limits };
    w->engine.report = context->report;
    w->engine.progress = context->progress;
    if (context->report != NULL)
        gf_report_lanes(context->report, &w->engine.first_lane, &w->engine.lane_count, 1);
    gf_run_context_copy(context, &now);
    w->number = number;
    w->gpus = now.gpus;
    return w;
}

void gf_worker_give_back_lanes(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    if (w->task.planned)
        gf_engine_forget_plan(&w->engine, &w->task.plan);
}

bool gf_worker_has_gpu(const struct gf_worker *w)
{
    return w->engine.count > 0 && w->engine.device[0].kind->cuda;
}

void gf_worker_free(struct gf_worker *w)
{
    if (w == NULL)
        return;
    gf_task_release(w);
    gf_worker_close_engine(w);
    gf_sides_close(&w->sides);
    free(w);
}
