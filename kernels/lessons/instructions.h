/* The lesson on instructions: what plain C and the kernels share. */
#ifndef GF_LESSONS_INSTRUCTIONS_H
#define GF_LESSONS_INSTRUCTIONS_H

#define GF_LESSON_TURNS 256              /* instructions of a kind for each sample */

/* A value is multiplied by TIMES or divided by it, and PLUS is added, exactly for samples of 8 bits. */
#define GF_LESSON_FLOAT_TIMES 1.0f
#define GF_LESSON_FLOAT_PLUS (1 / 256.0f)
#define GF_LESSON_SINE_PLUS 0.25f        /* added to a sine: the values go to a fixed point */
#define GF_LESSON_WORD_TIMES 1664525u
#define GF_LESSON_WORD_PLUS 1013904223u

#endif
