/* The small change of a word that lessons make whose subject is something else: transfers, launches, errors. */
#ifndef GF_LESSONS_MIX_H
#define GF_LESSONS_MIX_H

#include "base/signal.h"

/* A step of a random number generator (Numerical Recipes), so that each change of a word shows in the result. */
GF_BOTH uint32_t gf_lesson_mix(uint32_t v)
{
    return v * 1664525u + 1013904223u;
}

#endif
