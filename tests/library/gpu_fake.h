/* A GPU whose memory is that of the host, which nobody but its lanes may touch. */
#ifndef GF_TESTS_LIBRARY_GPU_FAKE_H
#define GF_TESTS_LIBRARY_GPU_FAKE_H

#include <stddef.h>
#include <stdint.h>

/* Counts of what the library asked of it. */
struct fake_gpu {
    int runs, waits, allocated, current, batches, in_batch;
    void *stream;                        /* of the last run */
    int relaxed;                         /* of GPU 1 */
    void *freed_on, *followed;           /* streams of memory that was given back last */
};

/* Memory that only lanes can read and write. */
void *fake_gpu_new(size_t bytes);
void fake_gpu_free(void *memory);
/* Copies between it and the host. */
void fake_gpu_copy(void *to, const void *from, size_t bytes);
struct fake_gpu *fake_gpu_seen(void);
/* Convert floats of 16 bits, as a GPU does. */
float fake_gpu_from_half(uint16_t half);
uint16_t fake_gpu_to_half(float value);

#endif
