/* Measures rates of devices for gpufilter. */
#ifndef GF_BENCH_BENCH_RATES_H
#define GF_BENCH_BENCH_RATES_H

#include "base/error.h"
#include "device/device.h"

/*
 * Measures the CPU and all GPUs, or only the CPU (GF_CPU) or the listed GPUs (GF_CUDA). Prints the
 * results.
 */
int gf_bench_rates_measure(enum gf_device_choice where, const struct gf_device_list *gpus,
                           struct gf_error *err) GF_MUST_CHECK;

#endif
