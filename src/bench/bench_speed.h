/* How fast a device is: rates as struct gf_device_facts has them. */
#ifndef GF_BENCH_BENCH_SPEED_H
#define GF_BENCH_BENCH_SPEED_H

#include "device/device.h"
#include "device/rates.h"

/* All cores for about a second. r->known is false if it fails. */
void gf_bench_speed_cpu(int cores, struct gf_rates *r);
/* A device that is open and has nothing to do; the caller knows how long its start took. */
void gf_bench_speed_device(struct gf_device *d, struct gf_rates *r);

#endif
