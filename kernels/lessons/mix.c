/* Plain C of the lessons that only change words. */
#include "kernels/lessons/mix.h"

void gf_lesson_mix_once(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = gf_lesson_mix(src[i]);
}

/* Each launch changes each word once, so the result shows how many ran. */
void gf_lesson_mix_often(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = src[i];
    for (int k = 0; k < io->value; k++)
        for (int64_t i = first; i < end; i++)
            dst[i] = gf_lesson_mix(dst[i]);
}

double gf_lesson_count_launches(int64_t count, int launches)
{
    (void)count;
    return launches * 1e3;
}

double gf_lesson_count_bytes(int64_t count, int value)
{
    (void)value;
    return (double)count * sizeof(uint32_t);
}
