/* The lesson on branches: what plain C and the kernels share. */
#ifndef GF_LESSONS_DIVERGENCE_H
#define GF_LESSONS_DIVERGENCE_H

/* Samples are changed to x·TIMES + PLUS, of 32 bits, many times. Odd samples have other numbers than even ones. */
#define GF_LESSON_SIDE_TURNS 256
#define GF_LESSON_EVEN_TIMES 1664525u
#define GF_LESSON_EVEN_PLUS 1013904223u
#define GF_LESSON_ODD_TIMES 22695477u
#define GF_LESSON_ODD_PLUS 12345u

#endif
