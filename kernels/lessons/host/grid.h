/* The lesson on barriers across a grid: what plain C and the kernels share. */
#ifndef GF_LESSONS_GRID_H
#define GF_LESSONS_GRID_H

#include "base/signal.h"

#include <stdint.h>

GF_BOTH uint32_t gf_lesson_grid_mix(uint32_t own, uint32_t next)
{
    return own * 1664525u + next + 1013904223u;
}

#endif
