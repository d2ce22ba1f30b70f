/*
 * What the parts of the GPU device share: device_cuda.cu its memory, device_cuda_host.cu its start, device_cuda_carry.cu
 * the state that segments pass on, device_cuda_lane.cu its lanes, device_cuda_segment.cu what they run.
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

#define GF_CUDA_MOST 64                  /* GPUs that can be told apart */

void gf_cuda_begin(int index);
void gf_cuda_settle(void);
double gf_cuda_took(int index);
int gf_cuda_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err);
int gf_cuda_room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err);
void gf_cuda_room_close(struct gf_device *d, struct gf_room *room);

/* Lanes are threads, and each thread has a current device: waits for its start. */
int gf_cuda_bind(const struct gf_device *d, struct gf_error *err);
int gf_cuda_alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err);
/* Where bodies work, on a stream of the device. */
struct gf_work gf_cuda_work(struct gf_device *d, cudaStream_t stream);
/* The device's stream, for what is done outside lanes. */
int gf_cuda_own_stream(struct gf_device *d, cudaStream_t *stream, struct gf_error *err);
/* Waits for a stream; what went wrong on it is told here. */
int gf_cuda_finish(cudaStream_t stream, struct gf_error *err);

/* Waits until the segments before have queued what carries, and lets the stream wait for it; and on to the next segment. */
int gf_cuda_carry_take(struct gf_kept_carry *c, const struct gf_job *job, cudaStream_t stream, struct gf_error *err);
int gf_cuda_carry_pass(struct gf_kept_carry *c, cudaStream_t stream, struct gf_error *err);
gf_kept_copy gf_cuda_carry_copy;
int gf_cuda_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
void gf_cuda_lane_close(struct gf_lane *lane);
int gf_cuda_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
int gf_cuda_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
int gf_cuda_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);

#endif
