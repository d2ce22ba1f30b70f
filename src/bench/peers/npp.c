/* Calls NPP. The prototypes are written here, as the headers may be missing. */
#include "bench/peers/npp.h"

#include "bench/peers/npp_call.h"
#include "kernels/neighbourhood/bilateral.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/rank/rank.h"

#include <stdio.h>

struct version { int major, minor, build; };

/* Values of CUdevice_attribute */
enum { THREADS_BLOCK = 1, SHARED_BLOCK = 8, PROCESSORS = 16, THREADS_PROCESSOR = 39, MAJOR = 75, MINOR = 76 };

struct gf_npp_context gf_npp_context_of(const struct gf_peer_call *c)
{
    static struct gf_npp_context x;

    if (x.processors == 0)
        x = (struct gf_npp_context) { .device = gf_peer_device(), .processors = gf_peer_attribute(PROCESSORS),
                                      .threads_processor = gf_peer_attribute(THREADS_PROCESSOR),
                                      .threads_block = gf_peer_attribute(THREADS_BLOCK),
                                      .shared_block = (size_t)gf_peer_attribute(SHARED_BLOCK),
                                      .major = gf_peer_attribute(MAJOR),
                                      .minor = gf_peer_attribute(MINOR), .flags = gf_peer_stream_flags(c->stream) };
    x.stream = c->stream;
    return x;
}

const char *gf_npp_version(void)
{
    static char text[60];
    const struct version *(*get)(void);

    *(void **)&get = gf_peer_symbol("nppc", "nppGetLibVersion");
    if (get == NULL)
        return "no NPP";
    snprintf(text, sizeof text, "NPP %d.%d.%d", get()->major, get()->minor, get()->build);
    return text;
}

/* The inner part of an image, for functions without edge handling. */
struct inside {
    const char *src;
    char *dst;
    struct gf_npp_size size;
};

static struct inside find_inside(const struct gf_peer_call *c, int radius)
{
    const int sample = (int)gf_type_bytes(c->src.type), src = gf_peer_step(&c->src), dst = gf_peer_step(&c->dst);

    return (struct inside) { (const char *)c->src.data + radius * src + radius * sample * c->src.channels,
                             (char *)c->dst.data + radius * dst + radius * sample * c->dst.channels,
                             { (int)c->src.width - 2 * radius, (int)c->src.span.end - 2 * radius } };
}

/* ---- pixels by themselves ---- */

int gf_npp_gray(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppicc", "nppiRGBToGray_8u_C3C1R_Ctx");
    return call(c->src.data, gf_peer_step(&c->src), c->dst.data, gf_peer_step(&c->dst), gf_npp_size_of(&c->src),
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* To L*a*b* and back, through memory and in whole numbers. */
int gf_npp_lab(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, there, "nppicc", "nppiRGBToLab_8u_C3R_Ctx");
    GF_NPP_FIND(type, back, "nppicc", "nppiLabToRGB_8u_C3R_Ctx");
    const struct gf_npp_size size = gf_npp_size_of(&c->src);
    const int step = gf_peer_step(&c->dst);

    if (there(c->src.data, gf_peer_step(&c->src), c->dst.data, step, size, gf_npp_context_of(c)) != 0)
        return -1;
    return back(c->dst.data, step, c->dst.data, step, size, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_scale(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, float, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppial", "nppiMulC_32f_C1R_Ctx");
    return call(c->src.data, gf_peer_step(&c->src), 0.7f, c->dst.data, gf_peer_step(&c->dst), gf_npp_size_of(&c->src),
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_mixed(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, unsigned char, const void *, int, unsigned char, void *, int,
                        struct gf_npp_size, int, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppial", "nppiAlphaCompC_8u_C1R_Ctx");
    return call(c->beside.data, gf_peer_step(&c->beside), 128, c->src.data, gf_peer_step(&c->src), 255, c->dst.data,
                gf_peer_step(&c->dst), gf_npp_size_of(&c->src), 0, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

typedef int two_images(const void *, int, const void *, int, void *, int, struct gf_npp_size, int,
                       struct gf_npp_context);

int gf_npp_over(const struct gf_peer_call *c)
{
    GF_NPP_FIND(two_images *, call, "nppial", "nppiAlphaComp_8u_AC4R_Ctx");
    return call(c->beside.data, gf_peer_step(&c->beside), c->src.data, gf_peer_step(&c->src), c->dst.data,
                gf_peer_step(&c->dst), gf_npp_size_of(&c->src), 0, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_difference(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppial", "nppiAbsDiff_8u_C1R_Ctx");
    return call(c->beside.data, gf_peer_step(&c->beside), c->src.data, gf_peer_step(&c->src), c->dst.data,
                gf_peer_step(&c->dst), gf_npp_size_of(&c->src), gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* ---- neighbours ---- */

int gf_npp_gauss(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, int, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppif", "nppiFilterGauss_8u_C1R_Ctx");
    const int side = ((const struct gf_conv *)c->params)->nx;
    const struct inside i = find_inside(c, side / 2);

    if (side != 5 && side != 15)
        return -1;
    return call(i.src, gf_peer_step(&c->src), i.dst, gf_peer_step(&c->dst), i.size, side == 5 ? 201 : 800,
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_filter(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, const float *, struct gf_npp_size,
                        struct gf_npp_point, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppif", "nppiFilter_32f_C1R_Ctx");
    const struct gf_conv *m = c->params;
    const struct inside i = find_inside(c, m->nx / 2);

    return call(i.src, gf_peer_step(&c->src), i.dst, gf_peer_step(&c->dst), i.size, c->masks + m->full_at,
                (struct gf_npp_size) { m->nx, m->ny }, (struct gf_npp_point) { m->nx / 2, m->ny / 2 },
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* Serves convolutions and box means. */
int gf_npp_box(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_size, struct gf_npp_point,
                        struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppif", "nppiFilterBox_8u_C1R_Ctx");
    const int side = c->op == &gf_op_box ? 2 * ((const struct gf_box *)c->params)->radius + 1
        : ((const struct gf_conv *)c->params)->nx;
    const struct inside i = find_inside(c, side / 2);

    return call(i.src, gf_peer_step(&c->src), i.dst, gf_peer_step(&c->dst), i.size, (struct gf_npp_size) { side, side },
                (struct gf_npp_point) { side / 2, side / 2 }, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_sobel(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppif", "nppiFilterSobelVert_8u_C1R_Ctx");
    const struct inside i = find_inside(c, 1);

    return call(i.src, gf_peer_step(&c->src), i.dst, gf_peer_step(&c->dst), i.size, gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* Computes the length of the gradient, in 16 bits. */
int gf_npp_sobel_size(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_size, struct gf_npp_point, void *, int, void *, int, void *,
                        int, void *, int, struct gf_npp_size, int, int, int, struct gf_npp_context);
    GF_NPP_FIND(type, call, "nppif", "nppiGradientVectorSobelBorder_8u16s_C1R_Ctx");
    return call(c->src.data, gf_peer_step(&c->src), gf_npp_size_of(&c->src), (struct gf_npp_point) { 0, 0 }, NULL, 0,
                NULL, 0, c->dst.data, 2 * gf_peer_step(&c->src), NULL, 0, gf_npp_size_of(&c->src), 200, 2, 2,
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_unsharp(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_point, void *, int, struct gf_npp_size, float, float, float,
                        float, int, void *, struct gf_npp_context);
    typedef int (*size_type)(float, float, int *);
    GF_NPP_FIND(size_type, room_of, "nppif", "nppiFilterUnsharpGetBufferSize_8u_C1R");
    GF_NPP_FIND(type, call, "nppif", "nppiFilterUnsharpBorder_8u_C1R_Ctx");
    const float radius = (float)(((const struct gf_conv *)c->params)->nx / 2), sigma = 1;
    int bytes = 0;

    if (room_of(radius, sigma, &bytes) != 0)
        return -1;
    return call(c->src.data, gf_peer_step(&c->src), (struct gf_npp_point) { 0, 0 }, c->dst.data, gf_peer_step(&c->dst),
                gf_npp_size_of(&c->src), radius, sigma, 1.0f, 0.0f, 2, gf_peer_room((size_t)bytes + 1),
                gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* Uses sigmas of a tenth of white and of 1.5 pixels. */
int gf_npp_bilateral(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_size, struct gf_npp_point, void *, int, struct gf_npp_size,
                        int, int, float, float, int, struct gf_npp_context);
    GF_NPP_FIND(type, one, "nppif", "nppiFilterBilateralGaussBorder_8u_C1R_Ctx");
    GF_NPP_FIND(type, three, "nppif", "nppiFilterBilateralGaussBorder_8u_C3R_Ctx");

    if (c->src.type != GF_U8 || (c->src.channels != 1 && c->src.channels != 3))
        return -1;
    return (c->src.channels == 3 ? three : one)(c->src.data, gf_peer_step(&c->src), gf_npp_size_of(&c->src),
                                                (struct gf_npp_point) { 0, 0 }, c->dst.data,
        gf_peer_step(&c->dst), gf_npp_size_of(&c->src), ((const struct gf_bilateral *)c->params)->radius, 1,
                                                25.5f * 25.5f, 1.5f * 1.5f, 2,
        gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_canny(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, struct gf_npp_size, struct gf_npp_point, void *, int, struct gf_npp_size,
                        int, int, short, short, int, int, void *, struct gf_npp_context);
    typedef int (*size_type)(struct gf_npp_size, int *);
    GF_NPP_FIND(size_type, room_of, "nppif", "nppiFilterCannyBorderGetBufferSize");
    GF_NPP_FIND(type, call, "nppif", "nppiFilterCannyBorder_8u_C1R_Ctx");
    int bytes = 0;

    if (room_of(gf_npp_size_of(&c->src), &bytes) != 0)
        return -1;
    return call(c->src.data, gf_peer_step(&c->src), gf_npp_size_of(&c->src), (struct gf_npp_point) { 0, 0 },
                c->dst.data, gf_peer_step(&c->dst), gf_npp_size_of(&c->src), 0, 200, 128, 255, 2, 2,
                gf_peer_room((size_t)bytes + 1), gf_npp_context_of(c)) == 0 ? 0 : -1;
}

int gf_npp_median(const struct gf_peer_call *c)
{
    typedef int (*size_type)(struct gf_npp_size, struct gf_npp_size, unsigned *, struct gf_npp_context);
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_size, struct gf_npp_point,
                        void *, struct gf_npp_context);
    GF_NPP_FIND(size_type, room_of, "nppif", "nppiFilterMedianGetBufferSize_8u_C1R_Ctx");
    GF_NPP_FIND(type, call, "nppif", "nppiFilterMedian_8u_C1R_Ctx");
    const int r = ((const struct gf_rank *)c->params)->radius;
    const struct gf_npp_size mask = { 2 * r + 1, 2 * r + 1 };
    const struct inside i = find_inside(c, r);
    unsigned bytes = 0;

    if (room_of(i.size, mask, &bytes, gf_npp_context_of(c)) != 0)
        return -1;
    return call(i.src, gf_peer_step(&c->src), i.dst, gf_peer_step(&c->dst), i.size, mask,
                (struct gf_npp_point) { r, r }, gf_peer_room(bytes), gf_npp_context_of(c)) == 0 ? 0 : -1;
}

/* Takes the maximum or the minimum. NPP has a special function for the maximum of 3 by 3. */
int gf_npp_rank(const struct gf_peer_call *c)
{
    typedef int (*type)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_size, struct gf_npp_point,
                        struct gf_npp_context);
    typedef int (*small)(const void *, int, void *, int, struct gf_npp_size, struct gf_npp_context);
    GF_NPP_FIND(type, most, "nppif", "nppiFilterMax_8u_C1R_Ctx");
    GF_NPP_FIND(type, least, "nppif", "nppiFilterMin_8u_C1R_Ctx");
    GF_NPP_FIND(small, dilate, "nppim", "nppiDilate3x3_8u_C1R_Ctx");
    const struct gf_rank *rank = c->params;
    const int r = rank->radius, src = gf_peer_step(&c->src), dst = gf_peer_step(&c->dst);
    const struct inside i = find_inside(c, r);

    if (r == 1 && rank->pick == GF_RANK_GREATEST)
        return dilate(i.src, src, i.dst, dst, i.size, gf_npp_context_of(c)) == 0 ? 0 : -1;
    return (rank->pick == GF_RANK_GREATEST ? most : least)(i.src, src, i.dst, dst, i.size,
                                                           (struct gf_npp_size) { 2 * r + 1, 2 * r + 1 },
                                                           (struct gf_npp_point) { r, r }, gf_npp_context_of(c)) == 0
                                                               ? 0 : -1;
}
