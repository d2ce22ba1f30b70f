/* A GPU whose memory is that of the host, which nobody but its lanes may touch. */
#ifndef GF_TESTS_LIBRARY_GPU_FAKE_H
#define GF_TESTS_LIBRARY_GPU_FAKE_H

#include <stddef.h>

/* Counts of what the library asked of it. */
struct fake_gpu {
    int runs, waits, allocated, current;
    void *stream;                        /* of the last run */
};

/* Memory that only lanes can read and write. */
void *fake_gpu_new(size_t bytes);
void fake_gpu_free(void *memory);
/* Copies between it and the host. */
void fake_gpu_copy(void *to, const void *from, size_t bytes);
struct fake_gpu *fake_gpu_seen(void);

#endif
