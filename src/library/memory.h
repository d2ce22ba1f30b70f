/* Memory of results that outlives their jobs. */
#ifndef GF_LIBRARY_MEMORY_H
#define GF_LIBRARY_MEMORY_H

#include "device/device.h"
#include "library/gpufilter.h"

/* Allocates memory of the host, or of a device in the order of a stream. `where` is as in gpufilter_array. */
struct gpufilter_memory *gf_memory_new(struct gf_device *device, int where, size_t bytes, void *stream, void **data,
                                       struct gf_error *err) GF_MUST_CHECK;
/*
 * Jobs that may run on a GPU, and memory there, are users of the GPUs. After the last one of the process, pools give
 * back the memory that they keep for the next run.
 */
void gf_library_add_gpu_user(void);
void gf_library_drop_gpu_user(void);

#endif
