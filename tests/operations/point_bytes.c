/* Programs on packed bytes store the same bytes as the same programs on planes of floats. */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/curve.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_run.h"
#include "kernels/base/srgb_bytes.h"
#include "tests/tap.h"

#define WIDTH 259                        /* not a multiple of any vector */
#define ROWS 11
#define GAP 5                            /* samples between rows */
#define MOST 4
#define TABLE_BINS 100
#define GUARD 0xa5

static uint8_t from[(WIDTH * MOST + GAP) * ROWS], got[(WIDTH * MOST + GAP) * ROWS], wanted[WIDTH * MOST * ROWS];
static float planes[MOST][WIDTH * ROWS], tables[MOST * TABLE_BINS];
static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static float draw_float(float least, float most)
{
    return least + (most - least) * (float)draw(1 << 20) / (1 << 20);
}

static struct gf_block bytes_block(void *data, int channels, uint32_t maxval, int gap)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = maxval, .channels = channels,
                                 .width = WIDTH, .units = ROWS };
    struct gf_block b = gf_block_packed(data, &f, (struct gf_span) { 0, ROWS });

    b.pitch_samples += gap;
    return b;
}

static void run(const struct gf_block *src, const struct gf_block *dst, const struct gf_point *load,
                const struct gf_point *store)
{
    const struct gf_work work = { .tables = tables };
    const struct gf_io io = { .src = *src, .dst = *dst, .load = load, .store = store, .src_units = ROWS };

    (void)gf_point_cpu(&work, &io, NULL, &gf_said);
}

/* Computes the result by way of planes, whose floats no table can replace. */
static void run_planar(const struct gf_block *src, int channels, uint32_t maxval, const struct gf_point *load,
                       const struct gf_point *store)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_F32, .channels = src->channels, .width = WIDTH,
                                 .units = ROWS };
    const struct gf_block middle = gf_block_planar(planes, &f, (struct gf_span) { 0, ROWS }, WIDTH, ROWS);
    const struct gf_block dst = bytes_block(wanted, channels, maxval, 0);

    run(src, &middle, NULL, NULL);
    run(&middle, &dst, load, store);
}

/* Runs the programs both ways; returns the number of different bytes, and of changed bytes between rows. */
static int count_differences(int channels_in, int channels_out, uint32_t maxval_in, uint32_t maxval_out, int gap,
                             const struct gf_point *load, const struct gf_point *store)
{
    const struct gf_block src = bytes_block(from, channels_in, maxval_in, gap);
    const struct gf_block dst = bytes_block(got, channels_out, maxval_out, gap);
    const int64_t row = (int64_t)WIDTH * channels_out;
    int differences = 0;

    memset(got, GUARD, sizeof got);
    run_planar(&src, channels_out, maxval_out, load, store);
    run(&src, &dst, load, store);
    for (int y = 0; y < ROWS; y++) {
        for (int64_t i = 0; i < row; i++)
            differences += got[y * dst.pitch_samples + i] != wanted[y * row + i];
        for (int64_t i = row; i < row + gap; i++)
            differences += got[y * dst.pitch_samples + i] != GUARD;
    }
    return differences;
}

static const struct { enum gf_point_kind kind; const char *name; } separate[] = {
    { GF_POINT_AFFINE, "scale and offset" }, { GF_POINT_POWER, "power" }, { GF_POINT_LINEAR, "sRGB to linear" },
    { GF_POINT_SRGB, "linear to sRGB" }, { GF_POINT_TABLE, "table" }, { GF_POINT_THRESHOLD, "threshold" },
    { GF_POINT_SCALE, "measured scale" }, { GF_POINT_FINITE, "finite" }, { GF_POINT_CLAMP, "clamp" },
    { GF_POINT_LAB, "light to Lab" }, { GF_POINT_LAB_INVERSE, "Lab to light" }, { GF_POINT_ROOT, "cube root" },
    { GF_POINT_CUBE, "cube" }, { GF_POINT_CURVE, "curve" }, { GF_POINT_TONES, "shadows and highlights" },
};

#define SEPARATE (sizeof separate / sizeof separate[0])

static struct gf_point_step draw_step(enum gf_point_kind kind, int channels)
{
    struct gf_point_step s = { .kind = kind, .channels = channels, .bins = TABLE_BINS };

    s.a = kind == GF_POINT_POWER ? draw_float(.2f, 4) : kind == GF_POINT_CLAMP ? draw_float(-.1f, .5f)
          : draw_float(-2, 2);
    s.b = kind == GF_POINT_CLAMP ? draw_float(.5f, 1.1f) : draw_float(-1, 1);
    return s;
}

/* Each step, alone and before and after another one, on all channels and on all but the last. */
static void try_step(int k)
{
    int differences = 0;

    for (int channels = 1; channels <= MOST; channels++)
        for (int fewer = 0; fewer < (channels > 1 ? 2 : 1); fewer++)
            for (int form = 0; form < 8; form++) {
                const struct gf_point_step first = draw_step(separate[k].kind, channels - fewer);
                const struct gf_point_step second = draw_step(separate[draw(SEPARATE)].kind, channels);
                const uint32_t maxval_in = form % 2 ? 255 : 1 + draw(255);
                const uint32_t maxval_out = form % 4 < 2 ? 255 : 1 + draw(255);
                struct gf_point load, store;

                gf_point_init(&load, channels);
                gf_point_init(&store, channels);
                if (gf_point_add(&load, &first) != 0 || gf_point_add(form % 2 ? &load : &store, &second) != 0)
                    differences++;
                differences += count_differences(channels, channels, maxval_in, maxval_out, form < 4 ? 0 : GAP, &load,
                                                 &store);
            }
    gf_is(differences, 0, "%s: bytes through a table are those of floats", separate[k].name);
}

/* Whole steps of brightness, as equalize adds them to all channels; and one step that is not whole. */
static void try_brightness(bool whole)
{
    const struct gf_point_step step = { .kind = GF_POINT_LUMA_TABLE, .channels = 3, .bins = 256 };
    int differences = 0;

    for (int form = 0; form < 20; form++) {
        const int most = form % 2 ? 255 : 20;
        struct gf_point load;

        for (int i = 0; i < 256; i++)
            tables[i] = (float)((double)((int)draw((uint32_t)(2 * most + 1)) - most) / 255);
        tables[7] += whole ? 0 : .3f / 255;
        gf_point_init(&load, 3);
        differences += gf_point_add(&load, &step) != 0;
        differences += count_differences(3, 3, 255, 255, form % 4 < 2 ? 0 : GAP, &load, NULL);
    }
    gf_is(differences, 0, "%s of brightness are those of floats", whole ? "whole steps" : "steps");
}

/* Slow steps before others, from bytes to planes. */
static void try_floats(void)
{
    static const enum gf_point_kind slow[] = { GF_POINT_POWER, GF_POINT_LINEAR, GF_POINT_LAB, GF_POINT_ROOT,
                                               GF_POINT_CURVE, GF_POINT_SRGB };
    static float room[MOST][WIDTH * ROWS];
    int differences = 0;

    for (int channels = 1; channels <= MOST; channels++)
        for (int form = 0; form < 12; form++) {
            const uint32_t maxval = form % 2 ? 255 : 1 + draw(255);
            const struct gf_block src = bytes_block(from, channels, maxval, form % 4 < 2 ? 0 : GAP);
            const struct gf_format f = { .kind = GF_IMAGE, .type = GF_F32, .channels = channels, .width = WIDTH,
                                         .units = ROWS };
            const struct gf_block floats = gf_block_planar(room, &f, src.span, WIDTH, ROWS);
            const struct gf_block loaded = gf_block_planar(planes, &f, src.span, WIDTH, ROWS);
            const struct gf_point_step steps[] = {
                draw_step(separate[draw(SEPARATE)].kind, channels),
                draw_step(slow[form % 6], channels > 1 ? channels - 1 : 1),
                { .kind = form < 6 ? GF_POINT_MEAN : GF_POINT_PICK, .channels = channels, .outs = channels,
                  .pick = { 0, 2, 3, 3 } }
            };
            struct gf_point load;
            int out;

            gf_point_init(&load, channels);
            for (int i = 0; i < (channels == MOST ? 3 : 2); i++)
                differences += gf_point_add(&load, &steps[i]) != 0;
            out = load.out;
            run(&src, &floats, &load, NULL);
            run(&src, &loaded, NULL, NULL);
            run(&loaded, &loaded, &load, NULL);
            differences += memcmp(room, planes, (size_t)out * sizeof room[0]) != 0;
        }
    gf_is(differences, 0, "slow steps: floats through a table are those of floats");
}

/* Returns the level as which a number is stored in 8 bits. */
static int level_of(float v)
{
    const float scaled = v * 255.0f, positive = scaled > 0.0f ? scaled : 0.0f;

    return (int)rintf(positive < 255.0f ? positive : 255.0f);
}

/* Compares levels of `count` floats, whose bits begin at `bits` and are `step` apart. */
static int count_other_levels(int32_t bits, int32_t step, int count)
{
    static float room[4096];
    int differences = 0;

    for (int i = 0; i < count; i++)
        room[i] = gf_float_of_bits(bits + i * step);
    gf_srgb_bytes(room, count);
    for (int i = 0; i < count; i++)
        differences += level_of(room[i]) != level_of(gf_srgb_of_linear(gf_float_of_bits(bits + i * step)));
    return differences;
}

/* Light near the least of each level, and everywhere else in small steps. */
static void try_srgb_levels(void)
{
    static const float odd[] = { -1, -0.0f, 2, 1e30f, INFINITY, -INFINITY, NAN, 1e-40f };
    const int32_t one = gf_bits_of_float(1.0f);
    int differences = 0;

    for (int k = 1; k < 256; k++) {
        int32_t low = 0, high = one;

        while (low < high) {
            const int32_t middle = low + (high - low) / 2;

            if (level_of(gf_srgb_of_linear(gf_float_of_bits(middle))) >= k)
                high = middle;
            else
                low = middle + 1;
        }
        differences += count_other_levels(low - 2048, 1, 4096);
    }
    for (int32_t bits = 0; bits < one; bits += 4096 * 101)
        differences += count_other_levels(bits, 101, 4096);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        differences += count_other_levels(gf_bits_of_float(odd[i]), 0, 1);
    gf_is(differences, 0, "levels of sRGB by the least light of each are those of the curve");
}

#define COLORS (1 << 24)
#define SIDE 4096

/* Gray from each of the 2^24 colors, in an order that mixes them, equals the result of floats. */
static void try_gray(const char *name, const float *weights, uint32_t maxval_in, uint32_t maxval_out)
{
    const struct gf_point_step gray = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1,
                                        .m = { { weights[0], weights[1], weights[2], weights[3] } } };
    struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .channels = 3, .width = SIDE, .units = SIDE };
    uint8_t *colors = malloc((size_t)COLORS * 3), *bytes = malloc((size_t)COLORS), *floats = malloc((size_t)COLORS);
    static float room[3 * SIDE];
    struct gf_block src, dst, check;
    struct gf_point p;
    int different = 0;

    gf_point_init(&p, 3);
    if (colors == NULL || bytes == NULL || floats == NULL || gf_point_add(&p, &gray) != 0)
        exit(1);
    for (uint32_t i = 0; i < COLORS; i++) {
        const uint32_t color = i * 2654435761u % COLORS;

        for (int c = 0; c < 3; c++)
            colors[3 * (size_t)i + (size_t)c] = (uint8_t)(color >> 8 * c);
    }
    f.maxval = maxval_in;
    src = gf_block_packed(colors, &f, (struct gf_span) { 0, SIDE });
    f.maxval = maxval_out;
    f.channels = 1;
    dst = gf_block_packed(bytes, &f, (struct gf_span) { 0, SIDE });
    check = gf_block_packed(floats, &f, (struct gf_span) { 0, SIDE });
    run(&src, &dst, &p, NULL);
    for (int64_t y = 0; y < SIDE; y++) {
        const struct gf_format planar = { .kind = GF_IMAGE, .type = GF_F32, .channels = 3, .width = SIDE, .units = 1 };
        const struct gf_block middle = gf_block_planar(room, &planar, (struct gf_span) { y, y + 1 }, SIDE, 1);
        const struct gf_block row = gf_block_part(&check, (struct gf_span) { y, y + 1 });

        run(&src, &middle, NULL, NULL);
        run(&middle, &row, &p, NULL);
    }
    for (int64_t i = 0; i < COLORS; i++)
        different += bytes[i] != floats[i];
    gf_is(different, 0, "gray of every color, %s, levels %u to %u", name, maxval_in, maxval_out);
    free(colors);
    free(bytes);
    free(floats);
}

static void try_grays(void)
{
    static const float rec601[] = { .299f, .587f, .114f, 0 }, rec709[] = { .2126f, .7152f, .0722f, 0 };
    static const float simple[] = { .3f, .6f, .1f, 0 }, mean[] = { 1.0f / 3, 1.0f / 3, 1.0f / 3, 0 };
    static const float halves[] = { .5f, .25f, .25f, 0 }, negative[] = { -1, 1.5f, .75f, -.1f };

    try_gray("rec601", rec601, 255, 255);
    try_gray("rec709", rec709, 255, 255);
    try_gray("simple", simple, 255, 255);
    try_gray("the mean", mean, 255, 255);
    try_gray("halves", halves, 255, 255);
    try_gray("weights below 0", negative, 255, 255);
    try_gray("rec601", rec601, 200, 255);
    try_gray("rec601", rec601, 255, 100);
}

int main(void)
{
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)draw(256);
    for (int i = 0; i < MOST * TABLE_BINS; i++)
        tables[i] = draw_float(-.1f, 1.1f);
    for (int k = 0; k < (int)SEPARATE; k++)
        try_step(k);
    try_floats();
    try_srgb_levels();
    try_brightness(true);
    try_brightness(false);
    try_grays();
    return gf_tap_end();
}
