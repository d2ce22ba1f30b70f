/* The rows of a sampling on a CPU: their positions, their parts, and the pixels near borders. */
#ifndef GF_KERNELS_SAMPLE_ROWS_H
#define GF_KERNELS_SAMPLE_ROWS_H

#include "base/clones.h"
#include "kernels/geometry/sample.h"

#include <stdlib.h>

#define GF_SAMPLE_ROWS 64                /* rows that share what they loaded */
#define GF_SAMPLE_PIECE 128              /* pixels whose positions are computed before they are loaded */

/* The positions of a row: coordinates of the first pixel, and the step to the next. */
struct gf_sample_walk {
    int64_t x, y, dx, dy;
};

/* Positions of at most GF_SAMPLE_PIECE pixels with all neighbors inside, and what an interpolation needs of them. */
struct gf_sample_places {
    int32_t at[GF_SAMPLE_PIECE];         /* offsets of their first neighbors, in samples */
    int32_t x[GF_SAMPLE_PIECE], y[GF_SAMPLE_PIECE];          /* coordinates in 1/256 of a pixel */
    float fx[GF_SAMPLE_PIECE], fy[GF_SAMPLE_PIECE];          /* fractions */
};

/* A call: its source, planes of floats or packed bytes, and its result of the same layout. */
struct gf_sample_job {
    const struct gf_sample *s;
    const struct gf_block *src, *dst;
    int64_t columns, rows;               /* of the whole source */
    int64_t spare;                       /* columns at the end of a row that count as its border */
    int64_t round;                       /* added to coordinates before they are truncated */
    uint8_t background[4];               /* for bytes */
};

/* Computes pixels [from, to) of row y. */
typedef void gf_sample_part(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                            int64_t to);

/* How a layout of samples computes the parts of a row. */
struct gf_sample_parts {
    gf_sample_part *inside;              /* at most GF_SAMPLE_PIECE pixels whose neighbors are all in the source */
    gf_sample_part *border, *background;
};

/* The pixels that an interpolation reads before and after a position. */
static const int64_t gf_sample_before[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 0, [GF_CUBIC] = 1 };
static const int64_t gf_sample_after[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 1, [GF_CUBIC] = 2 };

/* Returns the job of a call, for which coordinates are rounded as its interpolation says. */
struct gf_sample_job gf_sample_job_of(const struct gf_sample *s, const struct gf_io *io, const struct gf_block *src,
                                      const struct gf_block *dst);
/* Computes rows [from, to). */
void gf_sample_rows(const struct gf_sample_job *j, const struct gf_sample_parts *parts, int64_t from, int64_t to);
/* Interpolates n pixels of a plane; offsets count from `p`, in rows of `pitch` floats. */
void gf_sample_plane_piece(enum gf_interpolation how, const float *p, int64_t pitch, int64_t n, const int32_t *at,
                           const float *fx, const float *fy, float *out);
/* The parts of a row of planes that do not only read the source. */
gf_sample_part gf_sample_plane_border, gf_sample_plane_background;
/* Computes channel c of pixel i of a row at any position. */
float gf_sample_anywhere(const struct gf_sample_job *j, struct gf_sample_walk w, int c, int64_t i);

/* Returns true if rows of the result do not stay on few rows of the source: then tiles of many rows are faster. */
static inline bool gf_sample_is_steep(const struct gf_sample *s)
{
    return llabs(s->yx) > (INT64_C(1) << GF_SAMPLE_ONE_BITS) / 16;
}

static inline int64_t gf_sample_cell(int64_t coordinate)
{
    return coordinate >> GF_SAMPLE_ONE_BITS;
}

/* Returns the fraction that the interpolation uses: 24 bits, or 8 if it was rounded to them. */
GF_INLINE float gf_sample_fraction(uint64_t coordinate, bool coarse)
{
    return coarse ? (float)(int32_t)((coordinate >> 32) & 0xff) * 0x1p-8f
                  : (float)(int32_t)((coordinate >> 16) & 0xffffff) * 0x1p-24f;
}

/*
 * Finds the positions of n pixels with all neighbors inside: offsets from row `base_row`, in samples of which
 * a row has `pitch` and a pixel `step`, and fractions.
 */
GF_INLINE void gf_sample_places(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t step, int64_t n,
                                bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    const int32_t line = (int32_t)pitch;
    const int64_t y0 = w.y - base_row * (INT64_C(1) << GF_SAMPLE_ONE_BITS);

    for (int32_t i = 0; i < (int32_t)n; i++) {
        const uint64_t x = (uint64_t)(w.x + i * w.dx), y = (uint64_t)(y0 + i * w.dy);

        at[i] = (int32_t)(y >> GF_SAMPLE_ONE_BITS) * line + (int32_t)(x >> GF_SAMPLE_ONE_BITS) * step;
        fx[i] = gf_sample_fraction(x, coarse);
        fy[i] = gf_sample_fraction(y, coarse);
    }
}

#endif
