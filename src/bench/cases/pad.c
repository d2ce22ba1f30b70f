/* Cases of added borders. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/geometry/pad.h"

#include <string.h>

static void slow_pad(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                     double *out)
{
    const struct gf_pad *p = params;
    const enum gf_border border = p->use_background ? GF_ZERO : p->border;

    x = gf_border_index(border, x - p->left, io->src.width);
    y = gf_border_index(border, y - p->top, io->src_units);
    gf_slow_load(check, io, x, y, out);
    for (int c = 0; p->use_background && c < 4; c++)
        out[c] = x < 0 || y < 0 ? (double)p->background[c] : out[c];
}

static void try_pad(struct gf_check *check, const struct gf_form *f)
{
    struct gf_pad p = { .border = (enum gf_border)gf_draw(check, 5), .use_background = gf_draw(check, 2),
                        .background = { .2f, .4f, .6f, 1.0f } };
    struct gf_trial t;
    int64_t w, h;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, false);
    t.smooth = t.fill != GF_FILL_WILD;
    p.left = gf_draw(check, 3) ? gf_draw(check, gf_draw(check, 2) ? 9 : 40) : 0, p.top = gf_draw(check, 3)
        ? gf_draw(check, 20) : 0;
    w = t.width + p.left + gf_draw(check, gf_draw(check, 2) ? 9 : 40), h = t.units + p.top + gf_draw(check, 20);
    if (gf_draw(check, 4) == 0)                                     /* rows stay aligned to 16 bytes */
        p.left = 16 * gf_draw(check, 3), t.width = t.width < 16 ? 16 : t.width / 16 * 16,
            w = t.width + p.left + 16 * gf_draw(check, 3);
    gf_check_trial(check, &t, &gf_op_pad, &p, (struct gf_span) { 0, t.units }, gf_draw_span(check, h), w, f, 0);
}

static void set_pad(struct gf_bench_call *m)
{
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width + 32, m->src_units + 32);
    *(struct gf_pad *)m->params = (struct gf_pad) { .left = 16, .top = 16, .border = GF_CLAMP };
}

static void set_black(struct gf_bench_call *m)
{
    set_pad(m);
    ((struct gf_pad *)m->params)->use_background = true;
}

static void set_mirror(struct gf_bench_call *m)
{
    set_pad(m);
    ((struct gf_pad *)m->params)->border = GF_MIRROR;
}

static const struct gf_bench_case cases[] = {
    { .name = "pad, clamp", .what = "border of 16 pixels, bytes", .forms = "u8", .set = set_pad,
      .peers = { { "NPP CopyReplicateBorder", NULL, gf_npp_border } }, .stages = "pad:16,edge=clamp",
      .opencv = "cv2.copyMakeBorder(a, 16, 16, 16, 16, cv2.BORDER_REPLICATE, b)" },
    { .name = "pad, black", .forms = "u8", .set = set_black,
      .peers = { { "NPP CopyConstBorder", NULL, gf_npp_border } }, .stages = "pad:16",
      .opencv = "cv2.copyMakeBorder(a, 16, 16, 16, 16, cv2.BORDER_CONSTANT, b)" },
    { .name = "pad, mirror", .forms = "u8 rgb", .set = set_mirror,
      .stages = "pad:16,edge=mirror", .opencv = "cv2.copyMakeBorder(a, 16, 16, 16, 16, cv2.BORDER_REFLECT_101, b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_pad = { .name = "pad", .op = &gf_op_pad, .cases = cases, .slow = slow_pad,
                                                   .try = try_pad };
