/* gpufilter-bench --peers: every case beside other libraries, as tables in Markdown. */
#ifndef GF_BENCH_PEERS_PEERS_H
#define GF_BENCH_PEERS_PEERS_H

#include "base/error.h"
#include "device/device.h"

#include <stdio.h>

struct gf_peers_request {
    const char *only;            /* as gf_is_selected() has it */
    enum gf_device_choice where; /* GF_AUTO: the GPU, if there is one, and then the CPU */
    int gpu;
    int threads;                 /* of a CPU; 0: one for each core */
    FILE *to;
};

/* Times operations in a GPU's memory beside NPP, CUB and cuFFT. */
int gf_peers_run_gpu(const struct gf_peers_request *r, struct gf_error *err) GF_MUST_CHECK;
/* Times stages on CPU cores, from memory to memory, beside OpenCV. */
int gf_peers_run_cpu(const struct gf_peers_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
