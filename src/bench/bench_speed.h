/* Measures the rates of a device, in the units of struct gf_device_facts. */
#ifndef GF_BENCH_BENCH_SPEED_H
#define GF_BENCH_BENCH_SPEED_H

#include "device/device.h"
#include "device/rates.h"

/* Measures all cores, for about a second. r->known is false if it fails. */
void gf_bench_speed_cpu(int cores, struct gf_rates *r);
/* Measures an open and idle device, except for its start, which the caller measures. */
void gf_bench_speed_device(struct gf_device *d, struct gf_rates *r);

#endif
