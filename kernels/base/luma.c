/* Brightness of packed bytes: its bins, and tables that are added to all three channels. */
#include "kernels/base/luma.h"

#include "base/clones.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

#define BINS 256
#define WHITE 255

static bool is_bytes(const struct gf_block *b)
{
    return !b->planar && b->type == GF_U8 && b->channels == 3;
}

bool gf_luma_is_view(const struct gf_block *src, const struct gf_point *p)
{
    return is_bytes(src) && p != NULL && p->count == 1 && p->step[0].kind == GF_POINT_MATRIX && p->step[0].channels == 3
        && p->step[0].outs == 1;
}

/* Equals bin(v) of a point program, with v from bytes as in gf_load_pixels(). */
GF_CLONES
static void find_bins(const uint8_t *restrict s, int64_t n, float one, float wr, float wg, float wb,
                      float constant, float last,
                      uint16_t *restrict bin)
{
    const float inverse = 1.0f / one;

    for (int64_t i = 0; i < n; i++) {
        const float r = gf_unit_value((float)s[3 * i], one, inverse),
                        g = gf_unit_value((float)s[3 * i + 1], one, inverse);
        const float b = gf_unit_value((float)s[3 * i + 2], one, inverse);
        const float y = fmaf(wb, b, fmaf(wg, g, fmaf(wr, r, constant)));
        const float t = y > 0.0f ? y * last : 0.0f;

        bin[i] = (uint16_t)(int32_t)rintf(t < last ? t : last);
    }
}

void gf_luma_bins(const uint8_t *rgb, int64_t n, float one, const struct gf_point_step *matrix, int bins, uint16_t *bin)
{
    find_bins(rgb, n, one, matrix->m[0][0], matrix->m[0][1], matrix->m[0][2], matrix->m[0][3], (float)(bins - 1), bin);
}

bool gf_luma_is_table(const struct gf_io *io, const float *tables, int16_t *steps)
{
    const struct gf_point *p = gf_point_is_identity(io->load) ? io->store : io->load;
    const struct gf_point *other = p == io->load ? io->store : io->load;
    const float *table;

    if (!is_bytes(&io->src) || !is_bytes(&io->dst) || io->src.maxval != WHITE || io->dst.maxval != WHITE
        || gf_point_is_identity(p) || !gf_point_is_identity(other))
        return false;
    if (p->count != 1 || p->step[0].kind != GF_POINT_LUMA_TABLE || p->step[0].bins != BINS)
        return false;
    table = tables + p->step[0].table;
    for (int i = 0; i < BINS; i++) {
        const float step = table[i] * WHITE, whole = rintf(step);

        if (!(fabsf(step - whole) < 1e-3f && fabsf(whole) <= WHITE))
            return false;
        steps[i] = (int16_t)whole;
    }
    return true;
}

GF_CLONES
static void add_steps(const uint8_t *restrict from, int64_t n, const int16_t *restrict step, uint8_t *restrict to)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t r = (int16_t)(from[3 * i] + step[i]), g = (int16_t)(from[3 * i + 1] + step[i]);
        const int16_t b = (int16_t)(from[3 * i + 2] + step[i]);

        to[3 * i] = (uint8_t)(r < 0 ? 0 : r > WHITE ? WHITE : r);
        to[3 * i + 1] = (uint8_t)(g < 0 ? 0 : g > WHITE ? WHITE : g);
        to[3 * i + 2] = (uint8_t)(b < 0 ? 0 : b > WHITE ? WHITE : b);
    }
}

void gf_luma_table(const uint8_t *from, int64_t n, const int16_t *steps, uint8_t *to)
{
    uint16_t bin[GF_RUN_PIXELS];
    int16_t step[GF_RUN_PIXELS];

    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < GF_RUN_PIXELS ? n - at : GF_RUN_PIXELS;
        find_bins(from + 3 * at, m, WHITE, .299f, .587f, .114f, 0.0f, BINS - 1, bin);
        for (int64_t i = 0; i < m; i++)
            step[i] = steps[bin[i]];
        add_steps(from + 3 * at, m, step, to + 3 * at);
    }
}
