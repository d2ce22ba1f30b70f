/* Describes sampling: textures for results in 8 bits, and regions of its source. */
#include "kernels/geometry/sample.h"

#include "kernels/base/gpu_scratch.h"
#include "kernels/base/region.h"
#include "kernels/geometry/sample_packed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(struct gf_sample) <= GF_OP_CHANGED_BYTES, "regions and coarse results change them");

/* If a linear sampling is stored in 8 bits, fractions of 1/256 suffice, and a GPU can read it through a texture. */
static void to_bytes(const void *params, const struct gf_op_source *source, union gf_op_changed *changed)
{
    const int64_t twice = INT64_C(2) << GF_SAMPLE_ONE_BITS;
    struct gf_sample *s = (void *)changed;

    *s = *(const struct gf_sample *)params;
    s->coarse = s->interpolation == GF_LINEAR;
    s->textures = s->coarse && llabs(s->xx) + llabs(s->xy) <= twice && llabs(s->yx) + llabs(s->yy) <= twice
        && gf_sample_suits_texture(s, source);
}

static void describe_sample(const void *params, bool cuda, char *text, size_t room)
{
    static const char *const words[] = { [GF_NEAREST] = "nearest", [GF_LINEAR] = "linear", [GF_CUBIC] = "cubic" };
    const struct gf_sample *s = params;

    snprintf(text, room, ", %s%s", words[s->interpolation],
             !cuda ? "" : s->textures ? ", through a texture" : ", with plain loads");
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* Returns the pixels at those positions and around them, within the image. */
static struct gf_span pixels_of(struct gf_span places, int64_t length)
{
    const int64_t low = (places.start >> GF_SAMPLE_ONE_BITS) - GF_REGION_MARGIN;
    const int64_t high = (places.end >> GF_SAMPLE_ONE_BITS) + GF_REGION_MARGIN;

    return (struct gf_span) { clamp(low, 0, length - 1), clamp(high, 0, length - 1) + 1 };
}

/* Reflecting or wrapping borders have no region, because they read pixels from far away. */
static bool region(const void *params, const struct gf_format *in, struct gf_span columns, struct gf_span rows,
                   struct gf_region *r)
{
    const struct gf_sample *p = params;
    const struct gf_span x = pixels_of(gf_region_extent(p->cx, p->xx, p->xy, columns, rows), in->width);
    const struct gf_span y = pixels_of(gf_region_extent(p->cy, p->yx, p->yy, columns, rows), in->units);
    struct gf_sample *changed = (void *)&r->params;

    *r = (struct gf_region) { .x = x.start, .y = y.start, .columns = gf_span_units(x), .rows = gf_span_units(y) };
    *changed = *p;
    changed->cx += columns.start * p->xx - r->x * (INT64_C(1) << GF_SAMPLE_ONE_BITS);
    changed->cy += columns.start * p->yx - r->y * (INT64_C(1) << GF_SAMPLE_ONE_BITS);
    return p->use_background || p->border == GF_CLAMP || p->border == GF_ZERO;
}

static void region_size(const void *params, int64_t tile_columns, int64_t tile_rows, int64_t *columns, int64_t *rows)
{
    const struct gf_sample *p = params;
    const double one = ldexp(1, GF_SAMPLE_ONE_BITS), x = (double)tile_columns, y = (double)tile_rows;

    *columns = (int64_t)(x * (fabs((double)p->xx) / one) + y * (fabs((double)p->xy) / one)) + 2 * GF_REGION_MARGIN + 2;
    *rows = (int64_t)(x * (fabs((double)p->yx) / one) + y * (fabs((double)p->yy) / one)) + 2 * GF_REGION_MARGIN + 2;
}

static bool at_once(const void *params, const struct gf_format *f)
{
    return gf_sample_packed_at_once(params, f);
}

static int least_rows(const void *params, const struct gf_format *out)
{
    (void)out;
    return gf_sample_is_steep(params) ? GF_SAMPLE_ROWS : 1;
}

static struct gf_cost sample_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    static const double light[] = { [GF_NEAREST] = 5, [GF_LINEAR] = 9.5, [GF_CUBIC] = 22 };
    const struct gf_sample *s = params;

    if (s->coarse && in->type == GF_U8 && out->type == GF_U8)
        return (struct gf_cost) { .light = 6 };
    return (struct gf_cost) { .light = light[s->interpolation] };
}

static void sample_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_sample *s = params;
    const double one = ldexp(1, GF_SAMPLE_ONE_BITS);

    *to_source = (struct gf_affine) { .xx = (double)s->xx / one, .xy = (double)s->xy / one,
                                      .yx = (double)s->yx / one, .yy = (double)s->yy / one };
    to_source->cx = (double)s->cx / one + .5 * (1 - to_source->xx - to_source->xy);
    to_source->cy = (double)s->cy / one + .5 * (1 - to_source->yx - to_source->yy);
}

const struct gf_operation gf_op_sample = {
    .word = "sample", .text = "Values at positions between pixels, for rotation by any angle.",
    .params_bytes = sizeof(struct gf_sample),
    .cpu = { .body = gf_sample_cpu, .scratch_bytes = gf_sample_scratch_bytes, .cost = sample_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_sample_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .light = 2 },
    .describe = describe_sample,
    .map = sample_map,
    .to_bytes = to_bytes,
    .least_units = least_rows,
    .at_once = at_once,
    .region = region,
    .region_size = region_size,
};
