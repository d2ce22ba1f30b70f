/* The lesson on masks: the weights that plain C and the kernels share. */
#ifndef GF_LESSONS_MASK_H
#define GF_LESSONS_MASK_H

#include "base/signal.h"

#define GF_LESSON_TAPS 29                /* weights of a mask */
#define GF_LESSON_MASKS 32

#define GF_LESSON_ONLY (-1)              /* stands for the first mask, if no other is used */

/*
 * The weights of the first mask lie side by side. Then come the first weights of all masks, their
 * second ones, and so on.
 */
struct gf_lesson_masks {
    float w[(GF_LESSON_TAPS + 1) * GF_LESSON_MASKS];
};

/* Returns the place of a weight. */
GF_BOTH int gf_lesson_weight_at(int k, int mask)
{
    return mask == GF_LESSON_ONLY ? k : (k + 1) * GF_LESSON_MASKS + mask;
}

/* Multiples of 1/256, so that sums of weighted samples are exact. */
static inline void gf_lesson_masks_fill(struct gf_lesson_masks *masks)
{
    for (int k = 0; k < GF_LESSON_TAPS; k++) {
        for (int m = 0; m < GF_LESSON_MASKS; m++)
            masks->w[gf_lesson_weight_at(k, m)] = (float)((k * 7 + m * 13) % 16) / 256;
        masks->w[gf_lesson_weight_at(k, GF_LESSON_ONLY)] = masks->w[gf_lesson_weight_at(k, 0)];
    }
}

#endif
