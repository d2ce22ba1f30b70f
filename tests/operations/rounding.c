/*
 * Stored samples become integers of another type with one rounding, compared with exact arithmetic; and levels that
 * stages halve are ties.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/program_run.h"
#include "tests/tap.h"

#define MOST (1 << 20)

static union {
    uint8_t u8[MOST];
    uint16_t u16[MOST];
    int16_t s16[MOST];
    int32_t s32[MOST];
    float f32[MOST];
    double f64[MOST];
} from, to;
static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Converts n samples, in one unit. */
static void convert(enum gf_type type, int bits, uint32_t maxval, int64_t n, enum gf_type to_type, int to_bits,
                    uint32_t to_maxval)
{
    const struct gf_format in = { .type = type, .bits = bits, .maxval = maxval, .channels = 1, .width = n, .units = 1 };
    const struct gf_format out = { .type = to_type, .bits = to_bits, .maxval = to_maxval, .channels = 1, .width = n,
                                   .units = 1 };
    const struct gf_span all = { 0, 1 };
    const struct gf_io io = { .src = gf_block_packed(&from, &in, all), .dst = gf_block_packed(&to, &out, all),
                              .src_units = 1 };

    (void)gf_point_cpu(&(struct gf_work) { 0 }, &io, NULL, &gf_said);
}

/* Returns the nearest integer to `exact`, ties to even, without a function that could round otherwise. */
static int64_t nearest(double exact)
{
    const double below = floor(exact), rest = exact - below;

    return (int64_t)below + (rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0));
}

static int64_t clamped(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static int64_t count_wrong(int64_t n, enum gf_type type, int shift, const int64_t *wanted)
{
    int64_t wrong = 0;

    for (int64_t i = 0; i < n; i++) {
        const int64_t got = type == GF_U8 ? to.u8[i] : type == GF_U16 ? to.u16[i] : type == GF_S16 ? to.s16[i]
                            : to.s32[i];

        wrong += got != wanted[i] * (INT64_C(1) << shift);
    }
    return wrong;
}

static int64_t wanted[MOST];

/* Floats next to the middle between two levels, and random ones. The product with a maxval is exact in double. */
static void try_floats(enum gf_type type, uint32_t maxval)
{
    static const float odd[] = { NAN, INFINITY, -INFINITY, -1e-9f, 1e-42f, 1.0f, 1.0000001f, 3e38f };
    int64_t n = 0;

    for (uint32_t k = 0; k < maxval && n < MOST / 2; k++) {
        float v = (float)((k + 0.5) / maxval);

        v = nextafterf(nextafterf(v, 0), 0);
        for (int i = 0; i < 5; i++, v = nextafterf(v, 2))
            from.f32[n++] = v;
    }
    memcpy(from.f32 + n, odd, sizeof odd);
    for (n += 8; n < MOST; n++)
        from.f32[n] = (float)(draw() * 0x1p-32);
    for (int64_t i = 0; i < n; i++) {
        const double v = (double)from.f32[i];

        wanted[i] = v > 0 ? nearest(fmin(v, 1) * maxval) : 0;
    }
    convert(GF_F32, 32, 1, n, type, type == GF_U8 ? 8 : 16, maxval);
    gf_is(count_wrong(n, type, 0, wanted), 0, "floats to levels of 0 to %u", maxval);
}

/* Doubles next to the middle between two integers, and random ones. Their product with a power of two is exact. */
static void try_doubles(enum gf_type type, int bits)
{
    static const double odd[] = { NAN, INFINITY, -INFINITY, -1, 1, -0.99999999999, 0.99999999999, 1e-320 };
    const double half = (double)(INT64_C(1) << (bits - 1));

    for (int64_t i = 0; i < MOST; i++) {
        const double middle = ((double)(draw() >> (33 - bits)) + 0.5) / half, sign = draw() % 2 ? 1 : -1;

        from.f64[i] = sign * (i % 4 == 0 ? draw() * 0x1p-32 + draw() * 0x1p-64
                              : i % 4 == 1 ? nextafter(middle, 0) : i % 4 == 2 ? nextafter(middle, 2) : middle);
    }
    memcpy(from.f64, odd, sizeof odd);
    for (int64_t i = 0; i < MOST; i++) {
        const double v = from.f64[i];

        wanted[i] = isnan(v) ? 0 : clamped(nearest(fmax(-2, fmin(v, 2)) * half), (int64_t)-half, (int64_t)half - 1);
    }
    convert(GF_F64, 64, 1, MOST, type, bits, 1);
    gf_is(count_wrong(MOST, type, (type == GF_S16 ? 16 : 32) - bits, wanted), 0, "doubles to %d bits", bits);
}

/* Integers of 32 bits next to the middle between two results, and random ones. */
static void try_wide(enum gf_type type, int bits)
{
    const int shift = 32 - bits;
    const int64_t unit = INT64_C(1) << shift;

    for (int64_t i = 0; i < MOST; i++) {
        const int64_t k = ((int64_t)draw() - (INT64_C(1) << 31)) >> shift;
        const int64_t middle = clamped(k * unit + unit / 2 + (int64_t)(draw() % 3) - 1, INT32_MIN, INT32_MAX);

        from.s32[i] = i % 4 == 0 ? (int32_t)draw() : (int32_t)middle;
    }
    from.s32[0] = INT32_MIN, from.s32[1] = INT32_MAX, from.s32[2] = -1, from.s32[3] = 0;
    for (int64_t i = 0; i < MOST; i++)
        wanted[i] = clamped(nearest((double)from.s32[i] / (double)unit), INT64_MIN >> (64 - bits),
                            INT64_MAX >> (64 - bits));
    convert(GF_S32, 32, 1, MOST, type, bits, 1);
    gf_is(count_wrong(MOST, type, (type == GF_S16 ? 16 : 32) - bits, wanted), 0, "32 bits to %d bits", bits);
}

/* All levels of an image to those of another maxval. */
static void try_levels(uint32_t maxval, uint32_t to_maxval)
{
    const enum gf_type type = maxval < 256 ? GF_U8 : GF_U16, to_type = to_maxval < 256 ? GF_U8 : GF_U16;

    for (uint32_t k = 0; k <= maxval; k++) {
        const uint64_t twice = (uint64_t)k * to_maxval * 2, below = twice / (2 * maxval), rest = twice % (2 * maxval);

        if (type == GF_U8)
            from.u8[k] = (uint8_t)k;
        else
            from.u16[k] = (uint16_t)k;
        wanted[k] = (int64_t)(below + (rest > maxval || (rest == maxval && below % 2 == 1)));
    }
    convert(type, 16, maxval, maxval + 1, to_type, 16, to_maxval);
    gf_is(count_wrong(maxval + 1, to_type, 0, wanted), 0, "levels of 0 to %u to those of 0 to %u", maxval, to_maxval);
}

static void try_all_levels(void)
{
    static const uint32_t ends[][2] = { { 65535, 255 }, { 255, 65535 }, { 1023, 65535 }, { 4095, 65535 },
                                        { 191, 65535 }, { 65533, 65535 }, { 34309, 255 }, { 100, 255 }, { 510, 255 },
                                        { 65535, 1023 }, { 65534, 65535 }, { 100, 7 }, { 1000, 65535 },
                                        { 65535, 65534 } };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        try_levels(ends[i][0], ends[i][1]);
}

/*
 * A float is not k / maxval, but the nearest to it. Rounding its product with maxval to a float removes that error, so
 * that half of an odd level stays in the middle.
 */
static void try_halves(uint32_t maxval)
{
    const struct gf_point_step half = { .kind = GF_POINT_AFFINE, .channels = 1, .a = 0.5f };
    const struct gf_format f = { .type = maxval < 256 ? GF_U8 : GF_U16, .bits = 16, .maxval = maxval, .channels = 1,
                                 .width = maxval + 1, .units = 1 };
    const struct gf_span all = { 0, 1 };
    struct gf_point p;
    const struct gf_io io = { .src = gf_block_packed(&from, &f, all), .dst = gf_block_packed(&to, &f, all),
                              .load = &p, .src_units = 1 };

    gf_point_init(&p, 1);
    if (gf_point_add(&p, &half) != 0)
        exit(1);
    for (uint32_t k = 0; k <= maxval; k++) {
        if (maxval < 256)
            from.u8[k] = (uint8_t)k;
        else
            from.u16[k] = (uint16_t)k;
        wanted[k] = k / 2 + (k % 4 == 3);
    }
    (void)gf_point_cpu(&(struct gf_work) { 0 }, &io, NULL, &gf_said);
    gf_is(count_wrong(maxval + 1, f.type, 0, wanted), 0, "half of an odd level of 0 to %u is a tie", maxval);
}

int main(void)
{
    static const uint32_t maxvals[] = { 65535, 4095, 1023, 255, 65534, 1000, 100, 1 };

    for (size_t i = 0; i < sizeof maxvals / sizeof *maxvals; i++)
        try_floats(maxvals[i] < 256 ? GF_U8 : GF_U16, maxvals[i]);
    try_doubles(GF_S16, 8);
    try_doubles(GF_S16, 16);
    try_doubles(GF_S32, 24);
    try_doubles(GF_S32, 32);
    try_wide(GF_S16, 8);
    try_wide(GF_S16, 16);
    try_wide(GF_S32, 24);
    try_all_levels();
    for (size_t i = 0; i < 4; i++)
        try_halves(maxvals[i]);
    return gf_tap_end();
}
