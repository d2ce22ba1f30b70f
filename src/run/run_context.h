/* What is the same for all workers of a run: the words, the limits, and what there is to run on. */
#ifndef GF_RUN_RUN_CONTEXT_H
#define GF_RUN_RUN_CONTEXT_H

#include "device/device.h"
#include "plan/plan.h"

struct gf_chain_origin;
struct gf_progress;
struct gf_report;

struct gf_run_context {
    const char *const *words;
    const struct gf_chain_origin *origins;     /* of each */
    int word_count;
    unsigned kinds;                      /* bits 1 << KIND of what the input seems to be, for hints; 0: nobody knows */
    struct gf_limits limits;
    enum gf_device_choice where;
    struct gf_device_list gpus;
    struct gf_device_facts cpu, cuda;
    struct gf_device_facts rated_cpu;    /* the CPU's, by measured rates if there are any */
    bool all_gpus;                       /* --device all: the list is made when the driver is asked */
    bool gpu_asked;                      /* cuda is known; with --device auto only once there is enough to do */
    bool gpu_looked, gpu_kept;           /* cuda is what was kept of it, if anything was */
    int files, workers;                  /* that share the start and the memory of a GPU; 0 is 1 */
    struct gf_report *report;            /* NULL: nobody asks */
    struct gf_progress *progress;        /* likewise */
};

/* What --device auto may choose from. */
struct gf_devices_seen {
    struct gf_device_facts cpu, cuda;
    bool asked;                          /* the driver, just now; else cuda is good for choosing alone */
    const char *why_not;                 /* where cuda is not present */
};

/* Finds out what there is to run on; with --device auto the CPU alone. */
int gf_run_context_find_devices(struct gf_run_context *c, struct gf_error *err) GF_MUST_CHECK;
/*
 * What a GPU is, if the CPU has enough to do to care: by what is kept of it, or with `ask`, or
 * where nothing is kept, by asking the driver. Several workers may want to know at once.
 */
void gf_run_context_see_devices(struct gf_run_context *c, double cpu_seconds, bool ask, struct gf_devices_seen *seen);
/* The context as it is at once, though other workers may be looking. */
void gf_run_context_copy(const struct gf_run_context *c, struct gf_run_context *copy);
/* Returns the ceiling of host memory: that of the limits, else the default share. */
int64_t gf_run_context_host_bytes(const struct gf_run_context *c, const struct gf_limits *limits);

#endif
