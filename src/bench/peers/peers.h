/*
 * gpufilter-bench --peers: compares the speed of every case with other libraries, in Markdown
 * tables.
 */
#ifndef GF_BENCH_PEERS_PEERS_H
#define GF_BENCH_PEERS_PEERS_H

#include "base/error.h"
#include "device/device.h"

#include <stdio.h>

struct gf_peers_request {
    const char *only;            /* selects cases, as in gf_bench_is_selected() */
    enum gf_device_choice where; /* GF_AUTO: the GPU, if there is one, then the CPU */
    int gpu;
    int threads;                 /* threads on a CPU; 0: one for each core */
    FILE *to;
};

/* Times operations and NPP, CUB and cuFFT in a GPU's memory. */
int gf_peers_run_gpu(const struct gf_peers_request *r, struct gf_error *err) GF_MUST_CHECK;
/* Times stages and OpenCV on CPU cores, from memory to memory. */
int gf_peers_run_cpu(const struct gf_peers_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
