/* The small change of a word that lessons make whose subject is something else: transfers, launches, errors. */
#ifndef GF_LESSONS_MIX_H
#define GF_LESSONS_MIX_H

#include "kernels/lessons/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A step of a random number generator (Numerical Recipes), so that each change of a word shows in the result. */
GF_BOTH uint32_t gf_lesson_mix(uint32_t v)
{
    return v * 1664525u + 1013904223u;
}

/* Plain C: changes each word once, or as many times as the value of the axis. */
gf_lesson_part gf_lesson_mix_once, gf_lesson_mix_often;

/* For gf_lesson.work: 1e9 are one launch per microsecond, or 1e9 bytes of words each way. */
double gf_lesson_count_launches(int64_t count, int launches);
double gf_lesson_count_bytes(int64_t count, int value);

#ifdef __cplusplus
}
#endif
#endif
