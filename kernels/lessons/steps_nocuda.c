/* Replaces the lessons in a build without CUDA. */
#include "kernels/lessons/steps.h"

#define NONE(name) \
    int gf_lesson_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        (void)io; \
        return gf_fail(err, GF_FAILED, "no GPU: gpufilter was built without CUDA"); \
    }
GF_LESSON_STEPS(NONE)
