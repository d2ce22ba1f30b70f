/* A lane of the GPU, for the code that opens it and the code that runs segments on it. */
#ifndef GF_CUDA_DEVICE_CUDA_LANE_CUH
#define GF_CUDA_DEVICE_CUDA_LANE_CUH

#include "device/cuda/device_cuda.cuh"

#define GF_CUDA_MARKS (2 * GF_PASS_STEPS + 4)

struct gf_cuda_lane {
    cudaStream_t stream;
    char *in, *out, *between[2];
    char *region;                        /* the part of a signal on disk that one tile needs */
    char *side;                          /* rows of second sources, for each step and for the measure */
    struct {
        uint64_t number;                 /* number of this image */
        struct gf_span rows;             /* rows that are there */
    } beside[GF_PASS_STEPS + 1];
    void *result;
    size_t result_bytes;
    /* the current job */
    void *carry;                         /* state of the current step */
    struct gf_pass_walk walk;
    /* --stats: an event at each change of activity; times count from `zero` at zero_seconds */
    cudaEvent_t zero, mark[GF_CUDA_MARKS];
    struct gf_interval what[GF_CUDA_MARKS];
    double zero_seconds;
    int marks;
};

/* --stats: starts the lane's clock. */
int gf_cuda_open_clock(struct gf_cuda_lane *l, struct gf_error *err);
/* Ends the activity that began at the last mark; it is reported when the segment is done. */
int gf_cuda_mark(struct gf_lane *lane, enum gf_activity activity, int step, int64_t bytes, struct gf_error *err);
void gf_cuda_report_marks(struct gf_lane *lane);

#endif
