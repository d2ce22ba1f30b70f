/* A lane of the GPU, for what opens it and what runs segments on it. */
#ifndef GF_CUDA_DEVICE_CUDA_LANE_CUH
#define GF_CUDA_DEVICE_CUDA_LANE_CUH

#include "device/cuda/device_cuda.cuh"

#define GF_CUDA_MARKS (2 * GF_PASS_STEPS + 4)

struct gf_cuda_lane {
    cudaStream_t stream;
    char *in, *out, *between[2];
    char *region;                        /* the part of a signal on disk that one tile needs */
    char *side;                          /* rows of second sources: for each step, and for what is measured, */
    struct {
        uint64_t number;                 /* of this picture, */
        struct gf_span rows;             /* these */
    } beside[GF_PASS_STEPS + 1];
    void *result;
    size_t result_bytes;
    /* of the job at hand */
    void *carry;                         /* of the step at hand */
    struct gf_pass_walk walk;
    /* --stats: an event at each change of activity, all told from `zero` at zero_seconds */
    cudaEvent_t zero, mark[GF_CUDA_MARKS];
    struct gf_interval what[GF_CUDA_MARKS];
    double zero_seconds;
    int marks;
};

/* --stats: starts the lane's clock. */
int gf_cuda_open_clock(struct gf_cuda_lane *l, struct gf_error *err);
/* What was going on since the last mark ends here; told once all is done. */
int gf_cuda_mark(struct gf_lane *lane, enum gf_activity activity, int step, int64_t bytes, struct gf_error *err);
void gf_cuda_tell_marks(struct gf_lane *lane);

#endif
