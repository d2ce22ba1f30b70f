/* The lesson on masks: the weights that plain C and the kernels share. */
#ifndef GF_LESSONS_MASK_H
#define GF_LESSONS_MASK_H

#define GF_LESSON_TAPS 31                /* weights of a mask */
#define GF_LESSON_MASKS 32

/* The first weights of all masks are neighbors, then come the second ones, and so on. */
struct gf_lesson_masks {
    float w[GF_LESSON_TAPS][GF_LESSON_MASKS];
};

/* Multiples of 1/256, so that sums of weighted samples are exact. */
static inline void gf_lesson_masks_fill(struct gf_lesson_masks *masks)
{
    for (int k = 0; k < GF_LESSON_TAPS; k++)
        for (int m = 0; m < GF_LESSON_MASKS; m++)
            masks->w[k][m] = (float)((k * 7 + m * 13) % 16) / 256;
}

#endif
