/* A lane of the GPU, for the code that opens it and the code that runs segments on it. */
#ifndef GF_CUDA_DEVICE_CUDA_LANE_CUH
#define GF_CUDA_DEVICE_CUDA_LANE_CUH

#include "device/cuda/device_cuda.cuh"

#define GF_CUDA_MARKS (2 * GF_PASS_STEPS + 4)

struct gf_cuda_lane {
    cudaStream_t stream;                 /* its own, or that of the caller whose run it works for */
    cudaStream_t own;
    char *in, *out, *between[2];
    char *region;                        /* the part of a signal on disk that one tile needs */
    char *side;                          /* rows of second sources, for each step and for the measure */
    struct {
        uint64_t number;                 /* number of this image */
        struct gf_span rows;             /* rows that are there */
    } beside[GF_PASS_STEPS + 1];
    void *result;
    size_t result_bytes;
    /* the window of the current job, whole images */
    int frames;
    void *frame[GF_MOST_FRAMES];
    uint64_t frame_number[GF_MOST_FRAMES];
    /* the current job */
    void *carry;                         /* state of the current step */
    bool copies_in, copies_out;          /* ends of a caller in the GPU's memory are copied */
    struct gf_pass_walk walk;
    /* --stats: an event at each change of activity; times count from `zero` at zero_seconds */
    cudaEvent_t zero, mark[GF_CUDA_MARKS];
    struct gf_interval what[GF_CUDA_MARKS];
    double zero_seconds;
    int marks;
};

/*
 * Brings the window of a job for step `s`, as far as it is not in the memory of the GPU. gf_cuda_frames_leave() must
 * follow when the work has ended, even after a failure.
 */
int gf_cuda_frames_take(struct gf_lane *lane, const struct gf_job *job, const struct gf_step *s, struct gf_error *err);
void gf_cuda_frames_leave(struct gf_lane *lane);

/* Takes the stream of the caller for a job, whose work comes after that of earlier runs. */
int gf_cuda_ends_begin(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
/* Marks the end of what the job has queued, also if it failed. */
int gf_cuda_ends_leave(struct gf_lane *lane, struct gf_error *err);
/* Copies the units of a packed block from the array of a caller, or with `out` to it. */
int gf_cuda_ends_copy(const struct gf_strided *a, const struct gf_block *packed, bool out, cudaStream_t stream,
                      struct gf_error *err);

/* --stats: starts the lane's clock. */
int gf_cuda_open_clock(struct gf_cuda_lane *l, struct gf_error *err);
/* Ends the activity that began at the last mark; it is reported when the segment is done. */
int gf_cuda_mark(struct gf_lane *lane, enum gf_activity activity, int step, int64_t bytes, struct gf_error *err);
void gf_cuda_report_marks(struct gf_lane *lane);

#endif
