/* A short look at how fast a device is, for those who choose one: rates as struct gf_device_facts has them. */
#ifndef GF_DEVICE_SPEED_H
#define GF_DEVICE_SPEED_H

#include "device/device.h"
#include "device/rates.h"

/* All cores for some hundredths of a second. r->known false where it can't be done. */
void gf_device_speed_measure_cpu(int cores, struct gf_rates *r);
/* A device that is open and has nothing to do; what its start took is for the caller to say. */
void gf_device_speed_measure_device(struct gf_device *d, struct gf_rates *r);

#endif
