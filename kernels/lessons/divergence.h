/* The lesson on branches: what plain C and the kernels share. */
#ifndef GF_LESSONS_DIVERGENCE_H
#define GF_LESSONS_DIVERGENCE_H

#include "base/signal.h"

/* Samples are changed to x·TIMES + PLUS, of 32 bits, many times. Odd samples have other numbers than even ones. */
#define GF_LESSON_SIDE_TURNS 256
#define GF_LESSON_EVEN_TIMES 1664525u
#define GF_LESSON_EVEN_PLUS 1013904223u
#define GF_LESSON_ODD_TIMES 22695477u
#define GF_LESSON_ODD_PLUS 12345u

/* Loops of different length: an eighth of the turns, two eighths, and so on up to all. */
#define GF_LESSON_LENGTHS 8

GF_BOTH int gf_lesson_divergence_length(unsigned v)
{
    return (int)(v >> 24) % GF_LESSON_LENGTHS;
}

GF_BOTH int gf_lesson_divergence_turns(unsigned v)
{
    return (gf_lesson_divergence_length(v) + 1) * (GF_LESSON_SIDE_TURNS / GF_LESSON_LENGTHS);
}

#endif
