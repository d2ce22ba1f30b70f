/* The list of lessons. */
#include "kernels/lessons/lesson.h"

#include <stdarg.h>
#include <stdio.h>

extern const struct gf_lesson gf_lesson_atomics, gf_lesson_coalesce, gf_lesson_divergence, gf_lesson_errors,
    gf_lesson_first, gf_lesson_grid, gf_lesson_halo, gf_lesson_histogram, gf_lesson_instructions, gf_lesson_interop,
    gf_lesson_ladder, gf_lesson_launch, gf_lesson_loads, gf_lesson_managed, gf_lesson_mask, gf_lesson_matmul,
    gf_lesson_memory, gf_lesson_mipmap, gf_lesson_occupancy, gf_lesson_reduce, gf_lesson_scan, gf_lesson_sort,
    gf_lesson_stencil, gf_lesson_streams, gf_lesson_texture, gf_lesson_transpose, gf_lesson_vector, gf_lesson_warps,
    gf_lesson_wrong;

const struct gf_lesson *const gf_lessons[] = {
    &gf_lesson_first,
    &gf_lesson_vector,
    &gf_lesson_coalesce,
    &gf_lesson_loads,
    &gf_lesson_ladder,
    &gf_lesson_transpose,
    &gf_lesson_matmul,
    &gf_lesson_instructions,
    &gf_lesson_memory,
    &gf_lesson_managed,
    &gf_lesson_mask,
    &gf_lesson_texture,
    &gf_lesson_mipmap,
    &gf_lesson_divergence,
    &gf_lesson_atomics,
    &gf_lesson_warps,
    &gf_lesson_histogram,
    &gf_lesson_reduce,
    &gf_lesson_scan,
    &gf_lesson_sort,
    &gf_lesson_stencil,
    &gf_lesson_halo,
    &gf_lesson_occupancy,
    &gf_lesson_streams,
    &gf_lesson_launch,
    &gf_lesson_grid,
    &gf_lesson_interop,
    &gf_lesson_errors,
    &gf_lesson_wrong,
    NULL,
};
