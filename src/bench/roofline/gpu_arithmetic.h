/* Measures how many multiplications and additions of floats a GPU can do: the ceiling of arithmetic. */
#ifndef GF_BENCH_GPU_ARITHMETIC_H
#define GF_BENCH_GPU_ARITHMETIC_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A launch that multiplies and adds: its memory, and the operations that it does. */
struct gf_multiply_adds {
    struct gf_device *device;
    void *memory;                /* GF_GPU_ARITHMETIC_BYTES */
    int blocks;
    double flop;
};

#define GF_GPU_ARITHMETIC_BYTES 4096

/* Sets the number of blocks and operations for the device. */
int gf_gpu_arithmetic_size(struct gf_multiply_adds *m, struct gf_error *err) GF_MUST_CHECK;
/* Queues the launch; the argument is a struct gf_multiply_adds. */
int gf_gpu_arithmetic_run(void *argument, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif

/* Measures floating-point operations per second. */
int gf_gpu_arithmetic_rate(struct gf_device *d, double *rate, struct gf_error *err) GF_MUST_CHECK;

#endif
