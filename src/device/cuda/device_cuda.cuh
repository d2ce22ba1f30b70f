/*
 * Shared by the parts of the GPU device: device_cuda.cu (copies and pools), device_cuda_constants.cu (places in
 * constant memory), device_cuda_host.cu (facts, start, memory), device_cuda_lane.cu (lanes), device_cuda_segment.cu
 * (running a segment), device_cuda_ends.cu (runs on arrays of a caller), device_cuda_jpeg.cu and device_cuda_nvjpeg.cu
 * (JPEG).
 */
#ifndef GF_CUDA_DEVICE_CUDA_CUH
#define GF_CUDA_DEVICE_CUDA_CUH

#include "kernels/base/cuda_check.cuh"

extern "C" {
#include "device/kept.h"
#include "kernels/neighbourhood/conv.h"
#include "plan/history.h"
#include "kernels/statistics/reduce.h"
}

#define GF_CUDA_MOST 64                  /* most GPUs of a machine */

struct gf_cuda_pool {
    float *data;
    int64_t room, count;
    float *copy;                         /* on the host: detects changes, and fills constant memory; NULL: invalid */
};

#define GF_CUDA_STREAMS 8                /* that share the runs of a batch */

struct gf_cuda_batch {
    cudaStream_t stream[GF_CUDA_STREAMS];
    cudaEvent_t begun, ended[GF_CUDA_STREAMS];
    bool runs;
    unsigned next;
};

struct gf_cuda_state {
    struct gf_cuda_pool masks, tables;
    struct gf_constant constant;         /* the place of its masks in constant memory */
    cudaEvent_t queued;                  /* after the last run on a stream of a caller; NULL: there was none */
    unsigned long long queued_on;        /* the number of that stream; 0: unknown */
    struct gf_cuda_batch batch;
    cudaStream_t stream;                 /* for bodies called outside a lane */
    struct gf_kept kept;
};

static inline struct gf_cuda_state *gf_cuda_state_of(const struct gf_device *d)
{
    return (struct gf_cuda_state *)d->state;
}

void gf_cuda_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes);
bool gf_cuda_asked(void);                /* a driver has answered */
void gf_cuda_begin(int index);
void gf_cuda_settle(void);               /* waits until none is starting */
double gf_cuda_took(int index);
double gf_cuda_ready(int index);         /* the time at which it was ready, if it is */
/*
 * Returns true, after a pause, if a call failed for a reason that may pass and less than a second has
 * passed since then. The caller then repeats the call.
 */
bool gf_cuda_try_again(cudaError_t code, double since);
int gf_cuda_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err);
int gf_cuda_room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err);
void gf_cuda_room_close(struct gf_device *d, struct gf_room *room);

/* Makes the device current in the calling thread, and waits until it has started. */
int gf_cuda_bind(const struct gf_device *d, struct gf_error *err);
int gf_cuda_alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err);
/* Ignores NULL. All work on the memory must have ended, or be on a stream of a caller. */
void gf_cuda_release(struct gf_device *d, void *memory);
/* Keeps released memory for later allocations. */
int gf_cuda_hoard(struct gf_device *d, struct gf_error *err);
/* Returns the masks, tables and stream for bodies. */
struct gf_work gf_cuda_work(struct gf_device *d, cudaStream_t stream);
/* Returns the device's stream for work outside lanes. */
int gf_cuda_own_stream(struct gf_device *d, cudaStream_t *stream, struct gf_error *err);
/* Frees images of windows that no segment uses. */
void gf_cuda_frames_close(struct gf_device *d);
/* Waits for a stream and reports errors of the work on it. */
int gf_cuda_finish(cudaStream_t stream, struct gf_error *err);
/* Waits for what runs on streams of a caller have queued. */
int gf_cuda_ends_settle(struct gf_device *d, struct gf_error *err);

/* Gives the masks a place in constant memory, if there is room, and the place back. */
void gf_cuda_constants_join(struct gf_device *d, const float *masks, int64_t count);
void gf_cuda_constants_leave(struct gf_device *d);

int gf_cuda_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
void gf_cuda_lane_close(struct gf_lane *lane);
int gf_cuda_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
int gf_cuda_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
int gf_cuda_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);

int gf_cuda_result_alloc(struct gf_device *d, size_t bytes, void *stream, void **memory, struct gf_error *err);
void gf_cuda_result_free(int index, void *memory, void *stream);
void gf_cuda_result_follow(int index, void *stream);
int gf_cuda_runs_wait(struct gf_device *d, struct gf_error *err);
int gf_cuda_batch_begin(struct gf_device *d, void *stream, struct gf_error *err);
int gf_cuda_batch_end(struct gf_device *d, void *stream, struct gf_error *err);
void gf_cuda_batch_close(struct gf_cuda_state *s);
int gf_cuda_owner(const void *memory);
int gf_cuda_current(int index);
/* Returns true if the process has started the GPU, or another user of the process has, such as PyTorch. */
bool gf_cuda_is_started(int index);

bool gf_cuda_jpeg_opens(const char **why);
/* Waits for JPEG codecs that are starting. */
void gf_cuda_jpeg_settle(void);
struct gf_jpeg_codec *gf_cuda_jpeg_open(struct gf_device *d, struct gf_error *err);
void gf_cuda_jpeg_close(struct gf_jpeg_codec *codec);

#endif
