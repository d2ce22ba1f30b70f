/* Rows of the benchmark: what is done to each pixel by itself, or by its place, or by the one beside it. */
#include <stdlib.h>

#include "bench.h"
extern "C" {
#include "kernels/base/program_run.h"
#include "kernels/pixel/blend.h"
#include "kernels/pixel/noise.h"
#include "kernels/pixel/vignette.h"
}

static const struct bench_shape u8 = { GF_U8, 1, SIDE, SIDE, false }, rgb = { GF_U8, 3, SIDE, SIDE, false },
                                rgba = { GF_U8, 4, SIDE, SIDE / 2, false }, rgb16 = { GF_U16, 3, SIDE, SIDE / 2, false },
                                f32 = { GF_F32, 1, SIDE, SIDE, false };

static struct gf_point gray_program(void)
{
    struct gf_point_step s = {};
    struct gf_point p;

    s.kind = GF_POINT_MATRIX, s.channels = 3, s.outs = 1;
    s.m[0][0] = .299f, s.m[0][1] = .587f, s.m[0][2] = .114f;
    gf_point_init(&p, 3);
    if (gf_point_add(&p, &s) != 0)
        exit(1);
    return p;
}

void bench_points(void)
{
    const struct gf_point gray = gray_program(), gain = bench_program(GF_POINT_AFFINE, 1), gamma = bench_program(GF_POINT_POWER, 1);
    const struct gf_point gain3 = bench_program(GF_POINT_AFFINE, 3);
    const struct bench_shape packed = { GF_U8, 3, SIDE, SIDE / 4, false }, planes = { GF_F32, 3, SIDE, SIDE / 4, true };

    bench_row("gray u8 rgb to u8", bench_ours(&gf_op_point, rgb, u8, NULL, &gray), "NPP RGBToGray_8u_C3C1R",
              [](int s) { return peer_gray(bench_in[s], 3 * SIDE, bench_out[s], SIDE, SIDE, SIDE); });
    bench_row("gain u8", bench_ours(&gf_op_point, u8, u8, NULL, &gain));
    bench_row("gain u16 rgb", bench_ours(&gf_op_point, rgb16, rgb16, NULL, &gain3));
    bench_row("gain f32", bench_ours(&gf_op_point, f32, f32, NULL, &gain), "NPP MulC_32f_C1R",
              [](int s) { return peer_scale(bench_in[s], bench_out[s], 4 * SIDE, SIDE, SIDE); });
    bench_row("gamma f32", bench_ours(&gf_op_point, f32, f32, NULL, &gamma));
    bench_row("u8 rgb to planes", bench_ours(&gf_op_point, packed, planes, NULL));
    bench_row("planes to u8 rgb", bench_ours(&gf_op_point, planes, packed, NULL));
}

static struct gf_blend blend_of(enum gf_blend_mode mode, int colours, bool alpha, float amount)
{
    struct gf_blend b = {};

    b.mode = mode, b.colours = b.beside_colours = colours, b.alpha = b.beside_alpha = alpha, b.amount = amount;
    return b;
}

static struct gf_noise noise_of(enum gf_noise_shape shape, int channels)
{
    struct gf_noise n = {};

    n.seed = gf_noise_mix(1), n.channels = channels, n.shape = shape, n.amplitude = 1.0f / 256;
    return n;
}

/* By place: vignettes and noise. Two pictures: one over the other, by modes, differences. */
void bench_blends(void)
{
    const struct gf_vignette v1 = { 1, 2.0f / SIDE, -1, 2.0f / SIDE, -1, 1, 0, 0.5f };
    const struct gf_vignette v3 = { 3, 2.0f / SIDE, -1, 2.0f / SIDE, -1, 1, 0, 0.5f };
    const struct gf_noise triangular = noise_of(GF_NOISE_TRIANGULAR, 1), normal = noise_of(GF_NOISE_GAUSSIAN, 1),
                          colours = noise_of(GF_NOISE_TRIANGULAR, 3);
    const struct gf_blend half = blend_of(GF_BLEND_NORMAL, 1, false, 128.0f / 255), screen = blend_of(GF_BLEND_SCREEN, 1, false, 0.5f),
                          soft = blend_of(GF_BLEND_SOFTLIGHT, 3, false, 1), over = blend_of(GF_BLEND_NORMAL, 3, true, 1),
                          compare = blend_of(GF_BLEND_COMPARE, 1, false, 1);

    bench_row("vignette u8", bench_ours(&gf_op_vignette, u8, u8, &v1));
    bench_row("vignette u8 rgb", bench_ours(&gf_op_vignette, rgb, rgb, &v3));
    bench_row("vignette f32", bench_ours(&gf_op_vignette, f32, f32, &v1));
    bench_row("noise u8", bench_ours(&gf_op_noise, u8, u8, &triangular));
    bench_row("noise u8, gaussian", bench_ours(&gf_op_noise, u8, u8, &normal));
    bench_row("noise u8 rgb", bench_ours(&gf_op_noise, rgb, rgb, &colours));
    bench_row("half over u8", bench_ours(&gf_op_blend, u8, u8, &half, NULL, &u8), "NPP AlphaCompC_8u_C1R", [](int s) {
        return peer_mixed(bench_in[(s + 1) % SETS], bench_in[s], bench_out[s], SIDE, SIDE, SIDE, 128);
    });
    bench_row("half of a screen over u8", bench_ours(&gf_op_blend, u8, u8, &screen, NULL, &u8));
    bench_row("softlight over u8 rgb", bench_ours(&gf_op_blend, rgb, rgb, &soft, NULL, &rgb));
    bench_row("over u8 rgba", bench_ours(&gf_op_blend, rgba, rgba, &over, NULL, &rgba), "NPP AlphaComp_8u_AC4R", [](int s) {
        return peer_over(bench_in[(s + 1) % SETS], bench_in[s], bench_out[s], 4 * SIDE, SIDE, SIDE / 2);
    });
    bench_row("difference u8", bench_ours(&gf_op_blend, u8, u8, &compare, NULL, &u8), "NPP AbsDiff_8u_C1R", [](int s) {
        return peer_difference(bench_in[(s + 1) % SETS], bench_in[s], bench_out[s], SIDE, SIDE, SIDE);
    });
}
