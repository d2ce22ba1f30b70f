/* Shared by all workers of a run: the stages, the limits, and the devices. */
#ifndef GF_RUN_RUN_CONTEXT_H
#define GF_RUN_RUN_CONTEXT_H

#include "device/device.h"
#include "plan/plan.h"

struct gf_chain;
struct gf_progress;
struct gf_report;

struct gf_run_context {
    const struct gf_chain *chain;
    /* --join=fit|pad: the chain for images whose result by `chain` has another size; NULL: they stay as they are */
    const struct gf_chain *sized;
    int64_t width, height;               /* that size */
    unsigned kinds;                      /* bits 1 << KIND of what the input seems to be, for hints; 0: unknown */
    struct gf_limits limits;
    enum gf_device_choice where;
    const char *device;                  /* what --device names, for messages */
    const char *device_option;           /* how messages call that option; NULL: --device */
    struct gf_device_list gpus;
    struct gf_device_facts cpu, cuda;
    struct gf_device_facts rated_cpu;    /* facts of the CPU, with measured rates if there are any */
    int all_cores;                       /* cores that measured rates stand for; with -j, cpu.cores are fewer */
    bool all_gpus;                       /* --device all: the list is completed when the driver is asked */
    /* the driver has been asked; with --device auto only if there is enough work */
    bool gpu_asked;
    bool ends;                           /* the process ends after this input; drivers free a GPU's memory */
    bool estimates;                      /* the run prints an estimate, which uses measured rates of the CPU */
    bool gpu_looked, gpu_kept;           /* `cuda` comes from kept rates, and if there were any */
    double signals;                      /* images that workers divide, about; 0: unknown */
    bool jpeg_on_device;                 /* --jpeg hardware: the GPU decodes and encodes JPEG */
    int inputs;                          /* that run at the same time; 0 means 1 */
    int files, workers;                  /* that share the start and the memory of a GPU; 0 means 1 */
    struct gf_report *report;            /* NULL: no report */
    struct gf_progress *progress;        /* NULL: no progress line */
};

/* The devices that --device auto may choose from. */
struct gf_devices_seen {
    struct gf_device_facts cpu, cuda;
    bool asked;                          /* the driver has been asked; otherwise `cuda` is only good for choosing */
    const char *why_not;                 /* the reason if there is no GPU */
};

/*
 * Finds the CPU. With --device cuda it also starts the first GPU in the background. If several
 * inputs share the GPUs, it waits for the driver's answer; for one input, the plan does.
 */
int gf_run_context_find_devices(struct gf_run_context *c, int inputs, struct gf_error *err) GF_MUST_CHECK;
/* Waits for the driver's facts about the GPUs of --device cuda. Fails if there is none. Any worker may call it. */
int gf_run_context_need_gpus(struct gf_run_context *c, struct gf_error *err) GF_MUST_CHECK;
/*
 * Finds the facts about a GPU if the CPU has enough work to matter: from kept rates, or from the
 * driver if there are none, or with `ask`. Any worker may call it.
 */
void gf_run_context_see_devices(struct gf_run_context *c, double cpu_seconds, bool ask, struct gf_devices_seen *seen);
/* Makes a consistent copy of the context while other workers may be updating it. */
void gf_run_context_copy(const struct gf_run_context *c, struct gf_run_context *copy);
/* Returns the limit of host memory: the given one, or the default share. */
int64_t gf_run_context_host_bytes(const struct gf_run_context *c, const struct gf_limits *limits);
/* Returns the bytes of audio that waits for other audio in memory; if it is more, it is on disk. */
size_t gf_run_context_waiting_bytes(const struct gf_run_context *c, const struct gf_limits *limits);

#endif
