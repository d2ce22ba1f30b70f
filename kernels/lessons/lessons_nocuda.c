/* Replaces the lessons in a build without CUDA. */
#include "kernels/lessons/lesson.h"

#define NONE(name) \
    int gf_lesson_##name(const struct gf_lesson_io *io, struct gf_error *err) \
    { \
        (void)io; \
        return gf_fail(err, GF_FAILED, "no GPU: gpufilter was built without CUDA"); \
    }
GF_LESSON_STEPS(NONE)

size_t gf_lesson_reduce_bytes(int64_t count)
{
    (void)count;
    return 0;
}

size_t gf_lesson_scan_bytes(int64_t count)
{
    (void)count;
    return 0;
}

int gf_lesson_streams_open(void **state, struct gf_error *err)
{
    (void)state;
    return gf_fail(err, GF_FAILED, "no GPU: gpufilter was built without CUDA");
}

void gf_lesson_streams_close(void *state)
{
    (void)state;
}
