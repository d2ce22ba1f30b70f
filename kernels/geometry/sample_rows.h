/* The rows of a sampling on a CPU: their positions, their parts, and the pixels near borders. */
#ifndef GF_KERNELS_SAMPLE_ROWS_H
#define GF_KERNELS_SAMPLE_ROWS_H

#include "base/clones.h"
#include "kernels/geometry/sample.h"

#include <math.h>
#include <stdlib.h>

#define GF_SAMPLE_ROWS 64                /* rows that share what they loaded */
#define GF_SAMPLE_CACHE_LINE 64          /* bytes */
#define GF_SAMPLE_CHANNELS 4             /* most channels of packed samples */
#define GF_SAMPLE_PIECE 128              /* pixels whose positions are computed before they are loaded */

/* The positions of a row: coordinates of the first pixel, and the step to the next. */
struct gf_sample_walk {
    int64_t x, y, dx, dy;
};

/* Coordinates in 1/256 of a pixel. Those of pixels 2k and 2k + 1 are stored together. */
union gf_sample_coordinates {
    _Alignas(64) int32_t one[GF_SAMPLE_PIECE];
    uint64_t two[GF_SAMPLE_PIECE / 2];
};

/* Positions of at most GF_SAMPLE_PIECE pixels. Fractions of 24 bits are in units of 2^-24. */
struct gf_sample_places {
    union gf_sample_coordinates x, y, fraction_x, fraction_y;
};

/* A call: its source, planes of floats or packed samples, and its result of the same layout. */
struct gf_sample_job {
    const struct gf_sample *s;
    const struct gf_block *src, *dst;
    int64_t columns, rows;               /* of the whole source */
    int64_t spare;                       /* columns at the end of a row that count as its border */
    int64_t round;                       /* added to coordinates before they are truncated */
    float background[4];                 /* for packed samples: a pixel of them */
};

/* Computes pixels [from, to) of row y. */
typedef void gf_sample_part(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                            int64_t to);

/*
 * Computes n pixels of row y from column x on, whose neighbors are all in the source, at places `at` and after. They
 * begin in row `first` of the source or below it, from where offsets of 32 bits reach them.
 */
typedef void gf_sample_at_places(const struct gf_sample_job *j, const struct gf_sample_places *places, int64_t at,
                                 int64_t n, int64_t first, int64_t x, int64_t y);

/* How a layout of samples computes the parts of a row. */
struct gf_sample_parts {
    gf_sample_part *inside;              /* at most GF_SAMPLE_PIECE pixels whose neighbors are all in the source */
    gf_sample_at_places *places;         /* such pixels at any positions */
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
/*
 * Finds offsets and fractions of n pixels of a walk with all neighbors inside: offsets from row `base_row`, in samples
 * of which a row has `pitch` and a pixel `step`.
 */
void gf_sample_walk_spots(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t step, int64_t n,
                          bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy);
/* Finds them for places `i` and after. */
void gf_sample_place_spots(const struct gf_sample_places *p, int64_t i, int64_t base_row, int64_t pitch, int32_t step,
                           int64_t n, bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy);
extern const struct gf_sample_parts gf_sample_plane_parts;   /* of planes of floats */
/* The parts of a row of packed samples that do not only read the source. */
gf_sample_part gf_sample_packed_border, gf_sample_packed_background;
/* Computes channel c of pixel i of a row at any position. */
float gf_sample_anywhere(const struct gf_sample_job *j, struct gf_sample_walk w, int c, int64_t i);

/* Returns true if rows of the result do not stay on few rows of the source: then tiles of many rows are faster. */
static inline bool gf_sample_is_steep(const struct gf_sample *s)
{
    return llabs(s->yx) > (INT64_C(1) << GF_SAMPLE_ONE_BITS) / 16;
}

/* Returns true if fractions have 24 bits. */
static inline bool gf_sample_is_exact(const struct gf_sample *s)
{
    return s->interpolation == GF_CUBIC || (s->interpolation == GF_LINEAR && !s->coarse);
}

/* Returns a packed pixel. */
static inline void *gf_sample_pixel_at(const struct gf_block *b, int64_t x, int64_t y)
{
    const int64_t at = (y - b->span.start) * b->pitch_samples + x * b->channels;

    return (char *)b->data + (size_t)at * gf_type_bytes(b->type);
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

/* Asks for memory from `from` to `end`, to read it or to write. */
GF_INLINE void gf_sample_fetch(const char *from, const char *end, bool writes)
{
    for (; from < end; from += GF_SAMPLE_CACHE_LINE)
        if (writes)
            __builtin_prefetch(from, 1);
        else
            __builtin_prefetch(from, 0);
}

/* Weighs four neighbors, `step` floats from each other. */
GF_INLINE float gf_sample_weigh(const float *q, int64_t step, float w0, float w1, float w2, float w3)
{
    return fmaf(w3, q[3 * step], fmaf(w2, q[2 * step], fmaf(w1, q[step], fmaf(w0, q[0], 0.0f))));
}

#endif
