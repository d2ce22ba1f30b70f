/* Which kinds of devices run the plans of this process: its own CPU and GPUs, or those of a process that stays. */
#ifndef GF_DEVICE_USED_H
#define GF_DEVICE_USED_H

#include "device/device.h"

/* Returns the kind for plans of a GPU, or of a CPU: this process's own, unless gf_device_use() has set another one. */
const struct gf_device_kind *gf_device_for(bool cuda);
/* Call it before any thread starts. */
void gf_device_use(const struct gf_device_kind *kind);
/* The process that has the device has ended; before gf_device_use(), that is no loss. Any thread may call these. */
void gf_device_lose(void);
bool gf_device_is_lost(void);

#endif
