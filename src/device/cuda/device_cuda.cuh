/*
 * Shared by the parts of the GPU device: device_cuda.cu (copies and pools), device_cuda_host.cu (facts, start, memory),
 * device_cuda_lane.cu (lanes), device_cuda_segment.cu (running a segment), device_cuda_jpeg.cu and
 * device_cuda_nvjpeg.cu (JPEG).
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
    int64_t room;
};

struct gf_cuda_state {
    struct gf_cuda_pool masks, tables;
    float *mask_copy;                    /* a copy of `masks` on the host: detects changes, and fills constant memory */
    int64_t mask_count;
    int64_t masks_version;               /* of the masks in constant memory, if this device shares them; otherwise 0 */
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
/* Keeps released memory for later allocations. */
int gf_cuda_hoard(struct gf_device *d, struct gf_error *err);
/* Returns the pool of that memory; NULL: there is none. */
cudaMemPool_t gf_cuda_hoard_of(int index);
/* Returns the masks, tables and stream for bodies. */
struct gf_work gf_cuda_work(struct gf_device *d, cudaStream_t stream);
/* Returns the device's stream for work outside lanes. */
int gf_cuda_own_stream(struct gf_device *d, cudaStream_t *stream, struct gf_error *err);
/* Waits for a stream and reports errors of the work on it. */
int gf_cuda_finish(cudaStream_t stream, struct gf_error *err);

int gf_cuda_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
void gf_cuda_lane_close(struct gf_lane *lane);
int gf_cuda_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
int gf_cuda_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
int gf_cuda_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);

bool gf_cuda_jpeg_opens(const char **why);
/* Waits for JPEG codecs that are starting. */
void gf_cuda_jpeg_settle(void);
struct gf_jpeg_codec *gf_cuda_jpeg_open(struct gf_device *d, struct gf_error *err);
void gf_cuda_jpeg_close(struct gf_jpeg_codec *codec);

#endif
