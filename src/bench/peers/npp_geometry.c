/* Calls functions of NPP that move, count or add pixels. */
#include "bench/peers/npp.h"

#include "bench/peers/npp_call.h"
#include "kernels/geometry/move.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/warp.h"

#include <math.h>
#include <stdio.h>

/*
 * Finds the function for a block's type and channels, as "nppiRotate_8u_C3R_Ctx"; NULL if there is
 * none.
 */
static void *function_for(const char *library, const char *name, const struct gf_block *b)
{
    char whole[100];

    snprintf(whole, sizeof whole, "nppi%s_%s_C%dR_Ctx", name, b->type == GF_U8 ? "8u" : b->type == GF_U16 ? "16u"
             : "32f", b->channels);
    return gf_peer_symbol(library, whole);
}

/* Rotates by 30 degrees, with linear interpolation. */
int gf_npp_rotate(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, struct gf_npp_size, int, struct gf_npp_rectangle, void *, int,
                        struct gf_npp_rectangle, double, double, double, int, struct gf_npp_context);
    const struct gf_npp_size size = gf_npp_size_of(&c->src);
    const struct gf_npp_rectangle all = { 0, 0, size.width, size.height };
    const double a = 30 * M_PI / 180, x = (size.width - 1) / 2.0, y = (size.height - 1) / 2.0;
    type call;

    *(void **)&call = function_for("nppig", "Rotate", &c->src);
    if (call == NULL)
        return -1;
    return call(c->src.data, size, gf_peer_step(&c->src), all, c->dst.data, gf_peer_step(&c->dst), all, 30,
                x - x * cos(a) - y * sin(a), y + x * sin(a) - y * cos(a), 2, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* Maps by a matrix: three rows of three for a perspective, two for an affine map. */
int gf_npp_warp(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, struct gf_npp_size, int, struct gf_npp_rectangle, void *, int,
                        struct gf_npp_rectangle, const double *, int, struct gf_npp_context);
    const int filters[] = { [GF_NEAREST] = 1, [GF_LINEAR] = 2, [GF_CUBIC] = 4 };
    const struct gf_npp_size from = gf_npp_size_of(&c->src), to = gf_npp_size_of(&c->dst);
    const double *m = ((const struct gf_warp *)c->params)->m;
    type call;

    *(void **)&call = function_for("nppig", gf_warp_is_affine(m) ? "WarpAffineBack" : "WarpPerspectiveBack", &c->src);
    if (call == NULL)
        return -1;
    return call(c->src.data, from, gf_peer_step(&c->src), (struct gf_npp_rectangle) { 0, 0, from.width, from.height },
                c->dst.data, gf_peer_step(&c->dst), (struct gf_npp_rectangle) { 0, 0, to.width, to.height }, m,
                filters[c->number], gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/*
 * Resizes with the case's filter. NPP does not widen its filters when an image shrinks, except
 * SUPER, which can only shrink.
 */
int gf_npp_resize(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_size, struct gf_npp_rectangle, void *, int, struct gf_npp_size,
                        struct gf_npp_rectangle, int, struct gf_npp_context);
    const struct gf_npp_size from = gf_npp_size_of(&c->src), to = gf_npp_size_of(&c->dst);
    const int filters[] = { [GF_RESIZE_LANCZOS] = 16, [GF_RESIZE_CUBIC] = 4, [GF_RESIZE_LINEAR] = 2,
                            [GF_RESIZE_AREA] = 8 };
    type call;

    *(void **)&call = function_for("nppig", "Resize", &c->src);
    if (call == NULL)
        return -1;
    return call(c->src.data, gf_peer_step(&c->src), from, (struct gf_npp_rectangle) { 0, 0, from.width, from.height },
                c->dst.data, gf_peer_step(&c->dst), to, (struct gf_npp_rectangle) { 0, 0, to.width, to.height },
                filters[c->number], gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_mirror(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, int, struct gf_npp_context);
    const bool left_to_right = ((const struct gf_move *)c->params)->xx < 0;
    GF_NPP_FIND(type, call, "nppig", "nppiMirror_8u_C1R_Ctx");

    return call(c->src.data, gf_peer_step(&c->src), c->dst.data, gf_peer_step(&c->dst), gf_npp_size_of(&c->src),
                left_to_right, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_transpose(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppidei", "nppiTranspose_8u_C1R_Ctx");

    return call(c->src.data, gf_peer_step(&c->src), c->dst.data, gf_peer_step(&c->dst), gf_npp_size_of(&c->src),
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_border(const struct gf_peer_call *c)
{
    typedef int (*plain)(const void *, int, struct gf_npp_size, void *, int, struct gf_npp_size, int, int,
                         struct gf_npp_context);
    typedef int (*filled)(const void *, int, struct gf_npp_size, void *, int, struct gf_npp_size, int, int,
                          unsigned char, struct gf_npp_context);
    GF_NPP_FIND(plain, nearest, "nppidei", "nppiCopyReplicateBorder_8u_C1R_Ctx");
    GF_NPP_FIND(filled, black, "nppidei", "nppiCopyConstBorder_8u_C1R_Ctx");
    const struct gf_pad *p = c->params;
    const struct gf_npp_size from = gf_npp_size_of(&c->src), to = gf_npp_size_of(&c->dst);
    const int src = gf_peer_step(&c->src), dst = gf_peer_step(&c->dst);
    const struct gf_npp_context x = gf_npp_context_of(c);

    return (p->use_background ? black(c->src.data, src, from, c->dst.data, dst, to, (int)p->top, (int)p->left, 0, x)
                              : nearest(c->src.data, src, from, c->dst.data, dst, to, (int)p->top, (int)p->left,
                                        x)) == 0 ? 0 : -1;
}

/* Writes 32-bit integers, with one more column and row. */
int gf_npp_integral(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, int, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppist", "nppiIntegral_8u32s_C1R_Ctx");

    return call(c->src.data, gf_peer_step(&c->src), c->dst.data, (int)(c->src.width + 1 + 127) / 128 * 128 * 4,
                gf_npp_size_of(&c->src), 0, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_histogram(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_size, void *, int, int, int, void *, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppist", "nppiHistogramEven_8u_C1R_Ctx");

    return call(c->src.data, gf_peer_step(&c->src), gf_npp_size_of(&c->src), c->dst.data, 257, 0, 256,
                gf_peer_room((size_t)64 << 20), gf_npp_context_of(c)) == 0 ? 0 : -1;
}
